/* SPDX-License-Identifier: GPL-2.0-only */
/* Catches what the code under test writes to stderr. */
#ifndef MESSAGE_H
#define MESSAGE_H

void message_catch(void);

/*
 * Ends the catching. Fails the test unless exactly one line was written that
 * begins with "pfmon: " and contains each of the texts (the last one is NULL).
 */
void message_expect(const char *text, ...) __attribute__((sentinel));
void message_expect_none(void);

#endif /* MESSAGE_H */

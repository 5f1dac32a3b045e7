/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of protocol buffers, as far as pprof needs them: writing. */
#ifndef PFMON_PROTOBUF_H
#define PFMON_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeros are an empty one; free() bytes. */
struct message {
	uint8_t *bytes;
	size_t size, capacity;
	bool failed; /* there was no memory for all of it */
};

/* A field that is a number; 0 is what readers take an absent one for. */
void message_number(struct message *message, unsigned int field,
		    uint64_t number);

/* A field that is text or bytes. */
void message_bytes(struct message *message, unsigned int field,
		   const void *bytes, size_t size);

/* A field that is a message; part is empty afterwards. */
void message_part(struct message *message, unsigned int field,
		  struct message *part);

/* A number without its field, for fields that are a list of them. */
void message_varint(struct message *message, uint64_t number);

#endif /* PFMON_PROTOBUF_H */

// SPDX-License-Identifier: GPL-2.0-only
/* The lines of --control, however they come. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "engine/control.h"
#include "message.h"

/* The other side. */
static int commands[2], answers[2];

static void open_pipes(struct control *control)
{
	char spec[32];

	assert_int_equal(pipe(commands), 0);
	assert_int_equal(pipe(answers), 0);
	snprintf(spec, sizeof(spec), "fd:%d,%d", commands[0], answers[1]);
	assert_int_equal(control_open(control, spec), 0);
}

static void close_pipes(struct control *control)
{
	control_close(control);
	if (commands[1] >= 0)
		close(commands[1]);
	close(answers[0]);
}

static void say(const char *text)
{
	assert_int_equal(write(commands[1], text, strlen(text)), strlen(text));
}

static void each_word_is_a_verb(void **state)
{
	static const struct {
		const char *text;
		enum control_verb verb;
	} rows[] = {
		{ "enable\n", CONTROL_ENABLE },
		{ "disable\n", CONTROL_DISABLE },
		{ "reset\n", CONTROL_RESET },
		{ "snapshot\n", CONTROL_SNAPSHOT },
		{ "stop\n", CONTROL_STOP },
		{ "ping\n", CONTROL_PING },
		{ "Enable\n", CONTROL_UNKNOWN },
		{ "enabled\n", CONTROL_UNKNOWN },
		{ "enabl\n", CONTROL_UNKNOWN },
		{ "\n", CONTROL_UNKNOWN },
	};
	struct control control;

	(void)state;
	open_pipes(&control);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		say(rows[i].text);
		assert_int_equal(control_take(&control), rows[i].verb);
		assert_int_equal(control_take(&control), CONTROL_NONE);
	}
	close_pipes(&control);
}

static void lines_may_come_in_pieces_and_together(void **state)
{
	struct control control;

	(void)state;
	open_pipes(&control);
	say("ena");
	assert_int_equal(control_take(&control), CONTROL_NONE);
	say("ble\ndisable\nre");
	assert_int_equal(control_take(&control), CONTROL_ENABLE);
	assert_int_equal(control_take(&control), CONTROL_DISABLE);
	assert_int_equal(control_take(&control), CONTROL_NONE);
	say("set\n");
	assert_int_equal(control_take(&control), CONTROL_RESET);
	close_pipes(&control);
}

/* A line of 200 characters is no command, whatever its end is, and has one answer. */
static void long_lines_are_refused(void **state)
{
	static const size_t lengths[] = { CONTROL_LINE_MAX - 1,
					  CONTROL_LINE_MAX,
					  CONTROL_LINE_MAX + 1, 200 };
	struct control control;
	char line[202];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		open_pipes(&control);
		memset(line, 'x', lengths[i]);
		line[lengths[i]] = '\0';
		say(line);
		say("enable\nping\n");
		assert_int_equal(control_take(&control), CONTROL_UNKNOWN);
		assert_int_equal(control_take(&control), CONTROL_PING);
		assert_int_equal(control_take(&control), CONTROL_NONE);
		close_pipes(&control);
	}
}

static void answers_are_lines(void **state)
{
	static const char expected[] = "ack\nnak because\n";
	char text[64] = "";
	struct control control;

	(void)state;
	open_pipes(&control);
	control_answer(&control, NULL);
	control_answer(&control, "because");
	assert_int_equal(read(answers[0], text, sizeof(text) - 1),
			 sizeof(expected) - 1);
	assert_string_equal(text, expected);
	close_pipes(&control);
}

/* Who never reads his answers does not hold pfmon up. */
static void answers_that_nobody_reads_are_lost(void **state)
{
	struct control control;

	(void)state;
	open_pipes(&control);
	for (int i = 0; i < 100000; i++)
		control_answer(&control, NULL);
	close_pipes(&control);
}

static void one_who_has_gone_is_not_waited_for(void **state)
{
	struct control control;

	(void)state;
	open_pipes(&control);
	say("stop\n");
	close(commands[1]);
	commands[1] = -1;
	assert_int_equal(control_take(&control), CONTROL_STOP);
	assert_int_equal(control_take(&control), CONTROL_NONE);
	assert_int_equal(control.in, -1);
	close_pipes(&control);
}

static void what_is_no_file_is_refused(void **state)
{
	static const struct {
		const char *spec;
		const char *said;
	} rows[] = {
		{ "", "write fd:IN[,OUT] or fifo:IN[,OUT]" },
		{ "0", "write fd:IN[,OUT] or fifo:IN[,OUT]" },
		{ "fd:", "not an open file descriptor" },
		{ "fd:-1", "not an open file descriptor" },
		{ "fd:0x", "not an open file descriptor" },
		{ "fd:999", "not an open file descriptor" },
		{ "fd:0,999", "not an open file descriptor" },
		{ "fd:4294967296", "not an open file descriptor" },
		{ "fifo:", "No such file or directory" },
		{ "fifo:/none", "No such file or directory" },
		{ "fifo:/dev/null,/none", "No such file or directory" },
	};
	struct control control;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		message_catch();
		assert_int_equal(control_open(&control, rows[i].spec), -1);
		message_expect("--control", rows[i].said, NULL);
		if (strncmp(rows[i].spec, "fd:0", 4) != 0)
			control_close(&control);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_word_is_a_verb),
		cmocka_unit_test(lines_may_come_in_pieces_and_together),
		cmocka_unit_test(long_lines_are_refused),
		cmocka_unit_test(answers_are_lines),
		cmocka_unit_test(answers_that_nobody_reads_are_lost),
		cmocka_unit_test(one_who_has_gone_is_not_waited_for),
		cmocka_unit_test(what_is_no_file_is_refused),
	};

	return cmocka_run_group_tests_name("pfmon: control", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Events by name, see parsed.h. */
#include "parsed.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "events/tables.h"
#include "message.h"

#define U LEVEL_USER
#define USER (1ull << 16 | 1ull << 20 | 1ull << 22)
#define KERNEL (1ull << 17 | 1ull << 20 | 1ull << 22)

struct event_list parsed_list;

const struct event *parse(const char *model, const char *text)
{
	assert_int_equal(tables_init(model), 0);
	if (events_parse(&parsed_list, text, U))
		fail_msg("%s: %s is refused", model, text);
	return parsed_list.events;
}

void expect_values(const struct value *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct value *v = &values[i];
		const struct event *event = parse(v->model, v->text);

		if (!event->by_value || event->coding.selector != v->selector ||
		    event->coding.value != v->extra ||
		    event->coding.fixed != v->fixed)
			fail_msg("%s: %s: 0x%llx, 0x%llx", v->model, v->text,
				 (unsigned long long)event->coding.selector,
				 (unsigned long long)event->coding.value);
		if (v->full_name)
			assert_string_equal(event->full_name, v->full_name);
		assert_int_equal(event->selector,
				 v->selector |
					 (event->levels == U ? USER : KERNEL));
		assert_string_equal(event->name, v->text);
		events_free(&parsed_list);
	}
}

void expect_refusals(const char *const rows[][3], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(tables_init(rows[i][0]), 0);
		message_catch();
		if (!events_parse(&parsed_list, rows[i][1], U))
			fail_msg("%s: %s is taken", rows[i][0], rows[i][1]);
		message_expect(rows[i][1], rows[i][2], NULL);
		events_free(&parsed_list);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many threads use the library at the same time: some initialise it for one
 * model or another, others find events and dispatch them.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "force_pmu.h"
#include "events/pfmlib_events.h"

#define THREADS 8
#define ROUNDS 300

static atomic_int wrong;
static pthread_barrier_t start;

/* Both models have this event, by different codes and other registers. */
#define EVENT "UNHALTED_CORE_CYCLES"

/* Returns whether it went as it must for whichever model was current. */
static bool dispatch_once(void)
{
	pfmlib_input_param_t *in = calloc(1, sizeof(*in));
	pfmlib_output_param_t *out = calloc(1, sizeof(*out));
	bool right = false;

	if (in && out &&
	    pfm_find_full_event(EVENT, &in->pfp_events[0]) == PFMLIB_SUCCESS) {
		in->pfp_event_count = 1;
		in->pfp_dfl_plm = PFM_PLM3;
		/* The model may have changed in between; a mask may be missing. */
		switch (pfm_dispatch_events(in, NULL, out, NULL)) {
		case PFMLIB_SUCCESS:
			right = out->pfp_pmd_count == 1;
			break;
		case PFMLIB_ERR_INVAL:
		case PFMLIB_ERR_UMASK:
			right = true;
			break;
		}
	}
	free(in);
	free(out);
	return right;
}

static void *dispatch(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&start);
	for (int i = 0; i < ROUNDS; i++) {
		if (!dispatch_once())
			atomic_fetch_add(&wrong, 1);
	}
	return NULL;
}

static void *initialise(void *unused)
{
	static const int types[] = { PFMLIB_CORE_PMU, PFMLIB_INTEL_SNB_PMU,
				     PFMLIB_GEN_IA32_PMU, PFMLIB_COREDUO_PMU };

	(void)unused;
	pthread_barrier_wait(&start);
	for (int i = 0; i < ROUNDS; i++) {
		if (pfm_force_pmu(types[i % 4]) != PFMLIB_SUCCESS)
			atomic_fetch_add(&wrong, 1);
	}
	return NULL;
}

static void run(void *(*first)(void *), void *(*others)(void *))
{
	pthread_t threads[THREADS];

	atomic_store(&wrong, 0);
	pthread_barrier_init(&start, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL,
						i ? others : first, NULL),
				 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
	assert_int_equal(atomic_load(&wrong), 0);
}

/* The first test, so that nothing was built before. */
static void all_threads_may_initialise_at_once(void **state)
{
	(void)state;
	run(initialise, initialise);
}

static void threads_dispatch_while_another_changes_the_model(void **state)
{
	(void)state;
	run(initialise, dispatch);
}

static void *encode(void *expected)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();
	uint64_t values[2];

	(void)expected;
	pthread_barrier_wait(&start);
	for (unsigned int i = 0; i < pmu->num_events; i++) {
		const struct pfmlib_event_desc *event = &pmu->events[i];
		const pfmlib_event_t one = { .event = i };
		unsigned int code, masks;

		/* All threads ask for them at once, each for the first time. */
		if (pfm_get_num_event_masks(i, &masks) != PFMLIB_SUCCESS)
			atomic_fetch_add(&wrong, 1);
		if (!event->num_masks || !pfmlib_default_mask(event, &code))
			continue;
		if (pfmlib_encode(pmu, &one, PFM_PLM3, values) < 1 ||
		    (values[0] >> 8 & 0xff) != code)
			atomic_fetch_add(&wrong, 1);
	}
	return NULL;
}

static void threads_have_events_encoded_at_once(void **state)
{
	(void)state;
	force_pmu("46");
	run(encode, encode);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_threads_may_initialise_at_once),
		cmocka_unit_test(
			threads_dispatch_while_another_changes_the_model),
		cmocka_unit_test(threads_have_events_encoded_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

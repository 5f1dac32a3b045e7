// SPDX-License-Identifier: MIT
/* A thread that has marked regions, see thread.h. */
#include "mark/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REGIONS_FIRST 16

static void close_session(struct thread *thread)
{
	if (thread->state)
		pfm_unmap_state(thread->state);
	if (thread->fd >= 0)
		close(thread->fd);
	thread->state = NULL;
	thread->fd = -1;
}

static void not_counted(struct thread *thread, int why)
{
	thread->means = MARK_UNCOUNTED;
	thread->why = why;
	thread->events = 0;
	close_session(thread);
}

static int program(struct thread *thread, const struct mark_setup *setup)
{
	pfarg_pmr_t pmcs[MARK_CONTROLS_MAX] = { 0 };

	for (uint32_t i = 0; i < setup->controls; i++) {
		pmcs[i].reg_num = (uint16_t)setup->control[i].number;
		pmcs[i].reg_value = setup->control[i].value;
	}
	for (uint32_t i = 0; i < setup->counters; i++)
		thread->pmds[i].reg_num = (uint16_t)setup->counter[i].number;
	if (pfm_write_pmrs(thread->fd, PFM_RWFL_PMC, pmcs,
			   (int)setup->controls) ||
	    pfm_write_pmrs(thread->fd, PFM_RWFL_PMD, thread->pmds,
			   (int)setup->counters))
		return -1;
	return 0;
}

/* Maps the page, and keeps it if it has all of the counters. */
static void map_page(struct thread *thread)
{
	thread->means = MARK_BY_CALLS;
	thread->state = pfm_map_state(thread->fd);
	if (!thread->state)
		return;
	for (unsigned int i = 0; i < thread->events; i++) {
		int index = pfm_state_index(thread->state,
					    thread->pmds[i].reg_num, 0);

		if (index < 0 || !pfm_state_usable(thread->state)) {
			pfm_unmap_state(thread->state);
			thread->state = NULL;
			return;
		}
		thread->index[i] = (unsigned int)index;
	}
	thread->means = MARK_BY_PAGE;
}

static void begin(struct thread *thread, const struct mark_setup *setup)
{
	thread->fd = pfm_create_session(PFM_FL_CLOEXEC);
	if (thread->fd < 0 || program(thread, setup) ||
	    pfm_attach_session(thread->fd, 0, (int)thread->tid) ||
	    pfm_start_session(thread->fd, 0)) {
		not_counted(thread, errno);
		return;
	}
	map_page(thread);
}

static struct region_table *table_new(unsigned int room)
{
	struct region_table *table =
		calloc(1, sizeof(*table) + room * sizeof(*table->places));

	if (table)
		table->room = room;
	return table;
}

struct thread *thread_new(const struct mark_setup *setup)
{
	struct thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	thread->fd = -1;
	thread->tid = (uint32_t)gettid();
	thread->events = setup->events;
	thread->table = table_new(REGIONS_FIRST);
	if (!thread->table) {
		free(thread);
		return NULL;
	}
	begin(thread, setup);
	return thread;
}

void thread_end(struct thread *thread)
{
	close_session(thread);
	thread->dead = true;
}

void thread_free(struct thread *thread)
{
	struct region_table *table = thread->table;

	thread_end(thread);
	for (unsigned int i = 0; i < table->room; i++) {
		if (table->places[i])
			free(table->places[i]->name);
		free(table->places[i]);
	}
	while (table) {
		struct region_table *before = table->before;

		free(table);
		table = before;
	}
	free(thread);
}

const struct region_table *thread_table(const struct thread *thread)
{
	return __atomic_load_n(&thread->table, __ATOMIC_ACQUIRE);
}

struct region *thread_place(const struct region_table *table, unsigned int i)
{
	return __atomic_load_n(&table->places[i], __ATOMIC_ACQUIRE);
}

/* FNV-1a */
static uint32_t hash_of(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

/* The place of the region, or the free place where it belongs. */
static struct region **place_of(struct region_table *table, const char *name,
				uint32_t hash)
{
	unsigned int i = hash & (table->room - 1);

	while (table->places[i] &&
	       (table->places[i]->hash != hash ||
		strncmp(table->places[i]->name, name, MARK_NAME_MAX - 1) != 0))
		i = (i + 1) & (table->room - 1);
	return &table->places[i];
}

/* At most half of the places are used, so that searches end soon. */
static int make_room(struct thread *thread)
{
	struct region_table *old = thread->table, *table;

	if (thread->region_count < old->room / 2)
		return 0;
	table = table_new(old->room * 2);
	if (!table)
		return -1;
	for (unsigned int i = 0; i < old->room; i++) {
		struct region *region = old->places[i];

		if (region)
			*place_of(table, region->name, region->hash) = region;
	}
	table->before = old;
	__atomic_store_n(&thread->table, table, __ATOMIC_RELEASE);
	return 0;
}

struct region *thread_region(struct thread *thread, const char *name)
{
	uint32_t hash = hash_of(name);
	struct region *region = *place_of(thread->table, name, hash);

	if (region)
		return region;
	if (make_room(thread))
		return NULL;
	region = calloc(1, sizeof(*region));
	if (!region)
		return NULL;
	region->name = strndup(name, MARK_NAME_MAX - 1);
	if (!region->name) {
		free(region);
		return NULL;
	}
	region->hash = hash;
	__atomic_store_n(place_of(thread->table, name, hash), region,
			 __ATOMIC_RELEASE);
	thread->region_count++;
	return region;
}

static __attribute__((noinline)) void
read_by_calls(struct thread *thread, uint64_t values[MARK_EVENTS_MAX])
{
	int error = errno;

	if (pfm_read_pmrs(thread->fd, PFM_RWFL_PMD, thread->pmds,
			  (int)thread->events))
		not_counted(thread, errno);
	for (unsigned int i = 0; i < thread->events; i++)
		values[i] = thread->pmds[i].reg_value;
	errno = error;
}

__attribute__((noinline)) void thread_read(struct thread *thread,
					   uint64_t values[MARK_EVENTS_MAX])
{
	const struct pfm_state *state = thread->state;
	uint32_t seq;

	if (thread->means == MARK_UNCOUNTED)
		return;
	do {
		seq = state ? pfm_state_seq(state) : 0;
		PFM_STATE_BARRIER();
		if (!(seq & PFM_STATE_USABLE)) {
			read_by_calls(thread, values);
			return;
		}
		for (unsigned int i = 0; i < thread->events; i++)
			values[i] = pfm_state_peek(state, thread->index[i]);
		PFM_STATE_BARRIER();
	} while (seq != pfm_state_seq(state));
}

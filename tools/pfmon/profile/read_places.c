// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the addresses of samples are, see read_places.h. What happened to a process
 * is a list in the order of time, and of the file where times are equal; questions
 * are answered by going back in it.
 */
#include "profile/read_places.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* Processes that begin with the mappings of another; files may have circles. */
#define ANCESTORS_MAX 64

/* Of one process, or of one thread if it is a name. */
struct happening {
	uint32_t id; /* process; of names: thread */
	uint64_t time;
	uint64_t order;
	const struct profile_map *map; /* NULL: a task */
	const struct profile_task *task;
};

struct list {
	struct happening *rows;
	size_t count;
};

struct places {
	struct list maps; /* mappings, and where they begin and end */
	struct list names;
};

static int by_id(const void *one, const void *other)
{
	const struct happening *a = one, *b = other;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void add(struct list *list, uint32_t id, const struct profile_map *map,
		const struct profile_task *task)
{
	list->rows[list->count++] = (struct happening){
		.id = id,
		.time = map ? map->time : task->time,
		.order = map ? map->order : task->order,
		.map = map,
		.task = task,
	};
}

static void add_task(struct places *places, const struct profile_task *task)
{
	if (task->kind == PFMD_EXEC ||
	    (task->kind == PFMD_FORK && task->tid == task->tgid))
		add(&places->maps, task->tgid, NULL, task);
	if (*task->comm)
		add(&places->names, task->tid, NULL, task);
}

static void sort(struct list *list)
{
	if (list->count)
		qsort(list->rows, list->count, sizeof(*list->rows), by_id);
}

struct places *places_new(const struct profile *profile)
{
	struct places *places = calloc(1, sizeof(*places));
	size_t all = profile->map_count + profile->task_count + 1;

	if (places) {
		places->maps.rows = calloc(all, sizeof(*places->maps.rows));
		places->names.rows = calloc(all, sizeof(*places->names.rows));
	}
	if (!places || !places->maps.rows || !places->names.rows) {
		places_free(places);
		diag("%s: no memory for it", profile->name);
		return NULL;
	}
	for (size_t i = 0; i < profile->map_count; i++)
		add(&places->maps, profile->maps[i].tgid, &profile->maps[i],
		    NULL);
	for (size_t i = 0; i < profile->task_count; i++)
		add_task(places, &profile->tasks[i]);
	sort(&places->maps);
	sort(&places->names);
	return places;
}

void places_free(struct places *places)
{
	if (!places)
		return;
	free(places->maps.rows);
	free(places->names.rows);
	free(places);
}

/* The first of an id that is later than time; may be behind all of it. */
static size_t first_later(const struct list *list, uint32_t id, uint64_t time)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct happening *row = &list->rows[middle];

		if (row->id < id || (row->id == id && row->time <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool covers(const struct profile_map *map, uint64_t ip)
{
	return map && ip >= map->addr && ip - map->addr < map->len;
}

/*
 * Which process made this one, 0: not known. ptid is one of its threads, of which
 * only the names tell.
 */
static uint32_t parent_of(const struct places *places,
			  const struct profile_task *task)
{
	size_t i = first_later(&places->names, task->ptid, task->time);

	if (i && places->names.rows[i - 1].id == task->ptid)
		return places->names.rows[i - 1].task->tgid;
	return task->ptid;
}

/* Mappings that were found later are those of now, until the next program. */
static const struct profile_map *
found_later(const struct list *list, size_t first, uint32_t tgid, uint64_t ip)
{
	for (; first < list->count && list->rows[first].id == tgid; first++) {
		const struct happening *row = &list->rows[first];

		if (covers(row->map, ip))
			return row->map;
		if (row->task && row->task->kind == PFMD_EXEC)
			break;
	}
	return NULL;
}

/*
 * Goes back from row i on; ends where another program began. begin is how the
 * process began, NULL: it is not known.
 */
static const struct profile_map *found_before(const struct list *list, size_t i,
					      uint32_t process, uint64_t ip,
					      const struct profile_task **begin)
{
	*begin = NULL;
	for (; i && list->rows[i - 1].id == process && !*begin; i--) {
		if (covers(list->rows[i - 1].map, ip))
			return list->rows[i - 1].map;
		*begin = list->rows[i - 1].task;
	}
	return NULL;
}

size_t places_version(const struct places *places, uint32_t tgid, uint64_t ip,
		      uint64_t time)
{
	return first_later(&places->maps,
			   ip >= PLACES_KERNEL_START ? PFMD_KERNEL : tgid,
			   time);
}

const struct profile_map *places_find(const struct places *places,
				      uint32_t tgid, uint64_t ip, uint64_t time)
{
	const struct list *list = &places->maps;
	uint32_t process = ip >= PLACES_KERNEL_START ? PFMD_KERNEL : tgid;
	uint32_t ancestor = process;
	size_t later = first_later(list, process, time);
	size_t i = later;

	for (int depth = 0; depth < ANCESTORS_MAX && ancestor; depth++) {
		const struct profile_task *begin;
		const struct profile_map *map =
			found_before(list, i, ancestor, ip, &begin);

		if (map)
			return map;
		if (!begin || begin->kind != PFMD_FORK)
			break;
		ancestor = parent_of(places, begin);
		i = first_later(list, ancestor, begin->time);
	}
	return found_later(list, later, process, ip);
}

/* The name that a thread had been given by then, NULL: none. */
static const char *name_at(const struct places *places, uint32_t tid,
			   uint64_t time)
{
	size_t i = first_later(&places->names, tid, time);

	return i && places->names.rows[i - 1].id == tid ?
		       places->names.rows[i - 1].task->comm :
		       NULL;
}

/* The first name that it was given later, "": none. */
static const char *later_name(const struct places *places, uint32_t tid,
			      uint64_t time)
{
	size_t i = first_later(&places->names, tid, time);

	return i < places->names.count && places->names.rows[i].id == tid ?
		       places->names.rows[i].task->comm :
		       "";
}

/* How a process was made, NULL: it is not known. */
static const struct profile_task *fork_of(const struct places *places,
					  uint32_t process, uint64_t time)
{
	const struct happening *rows = places->maps.rows;
	size_t i = first_later(&places->maps, process, time);

	for (; i && rows[i - 1].id == process; i--) {
		if (rows[i - 1].task && rows[i - 1].task->kind == PFMD_FORK)
			return rows[i - 1].task;
	}
	return NULL;
}

const char *places_comm(const struct places *places, uint32_t tgid,
			uint32_t tid, uint64_t time)
{
	const char *name = name_at(places, tid, time);
	const struct profile_task *made;
	uint32_t process = tgid;
	uint64_t until = time;

	/* Who has none yet has that of its process, and that of who made it. */
	for (int depth = 0; !name && depth < ANCESTORS_MAX; depth++) {
		name = name_at(places, process, until);
		made = name ? NULL : fork_of(places, process, until);
		if (!made)
			break;
		until = made->time;
		name = name_at(places, made->ptid, until);
		process = parent_of(places, made);
	}
	if (!name)
		name = later_name(places, tid, time);
	return *name || tid == tgid ? name : later_name(places, tgid, time);
}

/* SPDX-License-Identifier: MIT */
/*
 * Counts the events of a program's regions separately, with pfmon:
 *
 *	#include <pfmon-mark.h>
 *
 *	PFMON_REGION_BEGIN("solve");
 *	solve();
 *	PFMON_REGION_END("solve");
 *
 *	cc -o prog prog.c $(pkg-config --cflags --libs libpfmark)
 *	pfmon stat -m -e instructions,cycles ./prog
 *
 * Regions of a thread may be nested, may overlap, and may be entered again while they are
 * open: then the outermost pair counts. Without pfmon, a mark is a call that returns at
 * once; with PFMON_MARK_OFF defined, it is nothing. See pfmon-mark(3).
 */
#ifndef PFMON_MARK_H
#define PFMON_MARK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Bound at the program's start, so that no region includes the dynamic linker. */
#ifdef __has_attribute
#if __has_attribute(noplt)
#define PFMON_MARK_BOUND __attribute__((noplt))
#endif
#endif
#ifndef PFMON_MARK_BOUND
#define PFMON_MARK_BOUND
#endif

/* The name is copied; regions with the same name are the same region. */
PFMON_MARK_BOUND void pfmon_mark_begin(const char *name);
PFMON_MARK_BOUND void pfmon_mark_end(const char *name);

/* Gives the calling thread its counters now, not at its first region. */
void pfmon_mark_thread(void);

/*
 * Discards the calling thread's counts of a region; it must not be open.
 */
void pfmon_mark_reset(const char *name);

/*
 * Writes the counts of the process for pfmon, and resets them. exit(3) does this, too;
 * call it before _exit(2) and execve(2).
 */
void pfmon_mark_flush(void);

/* Returns whether pfmon counts the regions of this process. */
int pfmon_mark_active(void);

#ifdef __cplusplus
}
#endif

#ifdef PFMON_MARK_OFF
#define PFMON_REGION_BEGIN(name) ((void)(name))
#define PFMON_REGION_END(name) ((void)(name))
#define PFMON_REGION_THREAD() ((void)0)
#define PFMON_REGION_RESET(name) ((void)(name))
#define PFMON_REGION_FLUSH() ((void)0)
#else
#define PFMON_REGION_BEGIN(name) pfmon_mark_begin(name)
#define PFMON_REGION_END(name) pfmon_mark_end(name)
#define PFMON_REGION_THREAD() pfmon_mark_thread()
#define PFMON_REGION_RESET(name) pfmon_mark_reset(name)
#define PFMON_REGION_FLUSH() pfmon_mark_flush()
#endif

#endif /* PFMON_MARK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which function an address of a sample is in, each once: what has no symbol is a
 * function of its own, named by its place.
 */
#ifndef PFMON_FUNCTIONS_H
#define PFMON_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/chains.h"
#include "symbols/images.h"

struct function {
	char *name; /* "[FILE+0xOFFSET]" and its like without a symbol */
	bool has_symbol;
	bool kernel;
	struct image *image; /* NULL: nothing was mapped there */
	const char *file; /* "" where nothing was mapped */
	uint64_t start, size; /* places of the image, of the symbol */
	unsigned int index; /* from 0 on, in the order of their first sample */
};

/* An address that has samples. */
struct place {
	const struct image
		*image; /* NULL: not mapped, the place is the address */
	uint64_t place;
	uint64_t ip; /* of the first sample that was there */
	const struct profile_map *map; /* NULL: of the kernel or none */
	const struct function *function;
	unsigned int index; /* from 0 on */
	bool calls; /* nothing speaks against a call that ends behind it */
};

struct functions_options {
	bool no_symbols; /* places alone: each is a function of its own */
	bool no_demangle;
	bool inlined; /* functions inlined by the compiler are functions, too */
};

struct functions;

/* NULL after a message. The profile and the images have to stay. */
struct functions *functions_new(const struct profile *profile,
				struct images *images,
				const struct functions_options *options);
void functions_free(struct functions *functions);

/* NULL without memory, after a message. */
const struct place *functions_at(struct functions *functions,
				 const struct profile_sample *sample);

/*
 * Addresses of a sample and its callers, at least 1. The chain of a program ends before
 * an address that no call returns to, as far as its code can be looked at: frame
 * pointers led there that are none. What tables have told is believed. 0 without memory, after a message.
 */
unsigned int functions_depth(struct functions *functions,
			     const struct profile_sample *sample);

/* Whether chains were found by frame pointers. */
bool functions_by_pointers(const struct functions *functions);

/* Adds what the chain of a sample tells, whose depth is known. */
void functions_judge(const struct functions *functions,
		     const struct profile_sample *sample, unsigned int depth,
		     struct chains *chains);

/* Whether it has callers that are not known, of the sample of the last depth. */
bool functions_broken(const struct functions *functions);

/*
 * The place of the call that a frame of it, from 1 on, has made; of frame 0 that of the
 * sample.
 */
const struct place *functions_caller(const struct functions *functions,
				     unsigned int frame);

/* Whether it is what somebody calls so, perhaps without its parameters; NULL is all. */
bool function_is_named(const struct function *function, const char *name);

/* How many there are so far. */
unsigned int functions_count(const struct functions *functions);
unsigned int functions_places(const struct functions *functions);

/* What a thread was called then; "" if nobody tells. */
const char *functions_thread(const struct functions *functions, uint32_t tgid,
			     uint32_t tid, uint64_t time);

/* What a thread was called when it was sampled; "[unknown]" if nobody tells. */
const char *functions_comm(const struct functions *functions,
			   const struct profile_sample *sample);

#endif /* PFMON_FUNCTIONS_H */

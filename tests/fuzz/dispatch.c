// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target for pfm_dispatch_events(): any model, any events, masks,
 * levels, unavailable registers and model-specific input, legal or not.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_gen_ia32.h>

static const char *const models[] = {
	"16,6,1,0",  "16,15,5,1", "16,15,65,0", "16,16,2,2",  "16,16,4,2",
	"16,20,1,0", "16,21,1,0", "16,23,49,0", "16,25,17,0", "32",
	"33",	     "33,15,3,0", "34",		"35",	      "36",
	"37",	     "38",	  "39",		"40",	      "40,6,46,0",
	"41",	     "42",	  "45",		"46",	      "48",
	"49",	     "52",	  "53",		"54",	      "55",
	"57",	     "58",	  "59",		"63",
};

#define NUM_MODELS (sizeof(models) / sizeof(*models))

struct bytes {
	const uint8_t *data;
	size_t size;
};

/* The next bytes; zeros behind the end. */
static void take(struct bytes *bytes, void *to, size_t size)
{
	size_t available = size < bytes->size ? size : bytes->size;

	memset(to, 0, size);
	memcpy(to, bytes->data, available);
	bytes->data += available;
	bytes->size -= available;
}

static uint8_t byte(struct bytes *bytes)
{
	uint8_t value;

	take(bytes, &value, 1);
	return value;
}

/* To build the tables of a model takes long: only if it is another one. */
static void use_model(const char *model)
{
	static const char *current;

	if (model == current)
		return;
	setenv("LIBPFM_FORCE_PMU", model, 1);
	if (pfm_initialize() != PFMLIB_SUCCESS)
		abort();
	current = model;
}

static void take_event(struct bytes *bytes, pfmlib_event_t *event,
		       unsigned int num_events)
{
	unsigned int masks, i;

	take(bytes, &event->event, 2);
	/* Most bytes shall mean an event that exists. */
	if (event->event < 0xff00)
		event->event %= num_events;
	event->plm = byte(bytes) & 0x1f;
	event->flags = byte(bytes) & 0x0f;
	masks = byte(bytes);
	event->num_masks = masks > 0xfc ? masks << 24 : masks % 4;
	for (i = 0; i < event->num_masks && i < 4; i++)
		event->unit_masks[i] = byte(bytes) % 64;
}

static void check(const pfmlib_input_param_t *in,
		  const pfmlib_output_param_t *out)
{
	unsigned int i, j;

	if (out->pfp_pmc_count > PFMLIB_MAX_PMCS ||
	    out->pfp_pmd_count > PFMLIB_MAX_PMDS ||
	    (in && out->pfp_pmd_count < in->pfp_event_count))
		abort();
	for (i = 0; i < out->pfp_pmd_count; i++)
		for (j = 0; j < i; j++)
			if (out->pfp_pmds[i].reg_num ==
			    out->pfp_pmds[j].reg_num)
				abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static pfmlib_input_param_t in;
	static pfmlib_output_param_t out;
	/* The largest of the model-specific inputs. */
	static union {
		pfmlib_gen_ia32_input_param_t param;
		uint8_t bytes[sizeof(pfmlib_gen_ia32_input_param_t)];
	} model_in;
	static uint64_t model_out[8];
	struct bytes bytes = { data, size };
	unsigned int num_events, what, i;

	use_model(models[byte(&bytes) % NUM_MODELS]);
	pfm_get_num_events(&num_events);
	memset(&in, 0, sizeof(in));
	what = byte(&bytes);
	in.pfp_dfl_plm = what & 0x10 ? byte(&bytes) : PFM_PLM0 | PFM_PLM3;
	in.pfp_event_count = byte(&bytes) % 20;
	for (i = 0; i < in.pfp_event_count; i++)
		take_event(&bytes, &in.pfp_events[i], num_events);
	if (what & 0x8)
		take(&bytes, &in.pfp_unavail_pmcs, 9);
	take(&bytes, model_in.bytes, sizeof(model_in));
	if (pfm_dispatch_events(
		    what & 0x4 ? NULL : &in, what & 0x1 ? &model_in : NULL,
		    &out, what & 0x2 ? model_out : NULL) == PFMLIB_SUCCESS)
		check(what & 0x4 ? NULL : &in, &out);
	return 0;
}

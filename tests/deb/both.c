// SPDX-License-Identifier: GPL-2.0-only
/*
 * Both libraries linked to one program, libpfm4 first: beside-libpfm4 links it with
 * pfm3.c and pfm4.c. What libpfm(3) says of that must be true: the functions whose
 * names are in both are libpfm4's, and of libpfm3 the others can be used.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

int use_pfm3(void);
int use_pfm4(void);

static const char *const in_both[] = { "pfm_initialize", "pfm_find_event",
				       "pfm_get_version", "pfm_strerror" };

/* Returns 0 if each name is the first library's, as a caller finds it. */
static int first_has_all(const char *first, const char *second)
{
	void *libraries[] = { dlopen(first, RTLD_LAZY | RTLD_NOLOAD),
			      dlopen(second, RTLD_LAZY | RTLD_NOLOAD) };

	if (!libraries[0] || !libraries[1])
		return 10;
	for (size_t i = 0; i < sizeof(in_both) / sizeof(in_both[0]); i++) {
		void *called = dlsym(RTLD_DEFAULT, in_both[i]);

		if (called != dlsym(libraries[0], in_both[i]) ||
		    called == dlsym(libraries[1], in_both[i]))
			return 11;
	}
	return 0;
}

int main(void)
{
	int rc = first_has_all("libpfm.so.4", "libpfm.so.3");

	if (!rc)
		rc = use_pfm4();
	if (!rc)
		rc = use_pfm3();
	/* The second one has not spoiled the first. */
	return rc ? rc : use_pfm4();
}

// SPDX-License-Identifier: GPL-2.0-only
/* Both libraries in one program; beside-libpfm4 links it with pfm3.c and pfm4.c. */
int use_pfm3(void);
int use_pfm4(void);

int main(void)
{
	int rc = use_pfm4();

	if (!rc)
		rc = use_pfm3();
	/* The second one has not spoiled the first. */
	return rc ? rc : use_pfm4();
}

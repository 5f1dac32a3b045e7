// SPDX-License-Identifier: GPL-2.0-only
/* The start and the end of a program, which are the C library's and the compiler's. */
int main(void)
{
	return 0;
}

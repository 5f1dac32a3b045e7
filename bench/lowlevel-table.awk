# SPDX-License-Identifier: GPL-2.0-only
#
# The output of bench/lowlevel.c as a table for people. The variable "processor"
# is its name in machine/cpus.

BEGIN {
	FS = "\t"
	print "\n" processor ": what the low-level core costs"
}

{
	printf "%-28s%5s%9s%14s%7s%7s%7s\n", $1, $2, $3, $4, $5, $6, $7
}

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# The programs of this directory and their truths, NAME.truth. Read by the shell, after
# tests/tools/tap.
#
# A truth has lines of these words:
#
#   command PATH WORD...         is measured in place of a program
#   options WORD...              for pfmon stat and record
#   instructions LEAST MOST      at user level, without the start of a program: LEAST are
#                                in the source, and the C library may add some
#   starts NUMBER                programs that start one after the other; 1 if not told
#   share FUNCTION PERCENT       part of the LEAST instructions that it executes itself
#   chain OUTER;...;INNER PERCENT
#   varies                       what else it executes differs from run to run
#   deep                         its stack is more than what is copied of one
#   threads NUMBER               that there were, the first one included
#   processes NUMBER
#
# Functions have the names that reports print, spaces among them.

truths=${0%/*}/truth

# word NAME: what follows it in the truth, a line each.
word() {
	sed -n "s/^$1 //p" "$truth"
}

# What PERCENT of the instructions in the source are of all that were counted: the C
# library executes the rest.
of_all() {
	least=$(word instructions)
	awk -v percent="$1" -v all="$instructions" -v least="${least% *}" \
		'BEGIN { print percent * least / all }'
}

# The start of a program. With gcc 14 a static one sorts the tables of its frames there.
start_instructions() {
	run pfmon stat -j -e instructions "$truths/nothing.start"
	counted_instructions
}

counted_instructions() {
	sed -n 's/.*"count": \([0-9]*\),.*/\1/p' "$dir/err" | head -n 1
}

# Lines of the report: FUNCTION, a tab, SAMPLES, a tab, RANGE. The function and its
# file are the end of a line, two spaces apart.
reported() {
	awk '/^ *[0-9]/ {
		samples = $1
		range = $3
		sub(/^ *([^ ]+ +){4}/, "")
		sub(/ +[^ ]+$/, "")
		print $0 "\t" samples "\t" range
	}' "$dir/out"
}

# The program as it was built: it may remove itself.
renew() {
	[ -z "$command" ] || return 0
	cp "$truths/$subject" "$program"
	[ ! -e "$truths/$subject.debug" ] || cp "$truths/$subject.debug" "$dir"
}

# begin PROGRAM: the next one that is measured.
begin() {
	subject=$1
	truth=$truths/${subject%%-*}.truth
	options=$(word options)
	command=$(word command)
	program=${command:-$dir/$subject}
	renew
}

programs() {
	for path in "$truths"/*; do
		[ "${path%.*}" != "$path" ] || echo "${path##*/}"
	done
	grep -l "^command " "$truths"/*.truth | sed 's/.*\/\(.*\)\.truth/\1/'
}

# SPDX-License-Identifier: GPL-2.0-only
#
# Writes the text of `make help` from the makefiles that are its input: the
# targets that have "## text" after their prerequisites, those in the variable
# "first" before the others, then the variables described by lines that start
# with "## NAME=".

function list_target(name) {
	printf "  %-18s%s\n", name, text[name]
	delete text[name]
}

/^[a-z][a-z0-9-]*:.*## / {
	name = $0
	sub(/:.*/, "", name)
	text[name] = $0
	sub(/.*## /, "", text[name])
	names[++count] = name
}

/^## [A-Z_]+=/ {
	variables = variables "  " substr($0, 4) "\n"
}

END {
	print "usage: make TARGET [VARIABLE=VALUE...]\n\ntargets:"
	n = split(first, order, " ")
	for (i = 1; i <= n; i++)
		if (order[i] in text)
			list_target(order[i])
	for (i = 1; i <= count; i++)
		if (names[i] in text)
			list_target(names[i])
	printf "\nvariables:\n%s", variables
}

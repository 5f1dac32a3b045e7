# SPDX-License-Identifier: GPL-2.0-only
#
# Writes the text of `make help` from the makefiles that are its input: by group,
# the targets that have "## [GROUP] text" after their prerequisites, those in the
# variable "first" before the others; then the variables described by lines that
# start with "## NAME=".

BEGIN {
	groups = split("try test longer maintain build install", group, " ")
	title["try"] = "try it"
	title["test"] = "test"
	title["longer"] = "test for longer"
	title["maintain"] = "maintain"
	title["build"] = "build"
	title["install"] = "install"
}

function list_target(name, wanted) {
	if (kind[name] != wanted)
		return
	printf "  %-20s%s\n", name, text[name]
	delete kind[name]
}

/^[a-z][a-z0-9-]*:.*## \[[a-z]+\] / {
	name = $0
	sub(/:.*/, "", name)
	kind[name] = text[name] = $0
	sub(/.*## \[/, "", kind[name])
	sub(/\].*/, "", kind[name])
	sub(/.*## \[[a-z]+\] /, "", text[name])
	names[++count] = name
}

/^## [A-Z_]+=/ {
	variables = variables "  " substr($0, 4) "\n"
}

END {
	print "usage: make TARGET [VARIABLE=VALUE...]"
	n = split(first, order, " ")
	for (i = 1; i <= groups; i++) {
		printf "\n%s:\n", title[group[i]]
		for (j = 1; j <= n; j++)
			list_target(order[j], group[i])
		for (j = 1; j <= count; j++)
			list_target(names[j], group[i])
	}
	printf "\nvariables:\n%s", variables
}

# SPDX-License-Identifier: GPL-2.0-only
#
# A build: a shell for each of 24 targets, which starts spawned as one of its children.

SHORT := $(addprefix short-,1 2 3 4 5 6 7 8 9 10 11 12)
LONG := $(SHORT:short-%=long-%)

.PHONY: all $(SHORT) $(LONG)
all: $(SHORT) $(LONG)

# With a second command the shell stays beside the program.
$(SHORT):
	@/tests/truth/spawned v && :
$(LONG):
	@/tests/truth/spawned s && :

# SPDX-License-Identifier: GPL-2.0-only
#
# check-fleet: pfmon under launchers of ranks, as a service, read by Prometheus and by
# scripts, with the programs of Debian (checks/fleet/), over a stand-in for the calls of
# perfmon, which may fail.

FLEET_STANDIN := $(B)/fleet/standin.so

.PHONY: check-fleet

$(FLEET_STANDIN): tests/fleet/standin.c tools/pfmon/report/rank.c \
		tools/pfmon/report/rank.h mk/fleet.mk | $(B)/deps/tools.stamp
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(PFMON_CPPFLAGS) $(USER_CFLAGS) -fPIC -shared -o $@ \
		$(filter %.c,$^)

check-fleet: $(FLEET_STANDIN) tools | $(B)/deps/fleet.stamp ## [longer] pfmon under mpirun, Slurm and systemd, read by Prometheus and scripts, and while calls fail, on this machine
	$(Q)$(CHECKS).fleet $(B)

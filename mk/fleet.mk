# SPDX-License-Identifier: GPL-2.0-only
#
# check-fleet: pfmon under launchers of ranks, as a service, read by Prometheus and by
# scripts, with the programs of Debian (checks/fleet/), over a stand-in for the calls of
# perfmon, which may fail; and under mpirun of a Debian in the guest, where counts are
# true.

FLEET := $(B)/fleet
FLEET_STANDIN := $(FLEET)/standin.so
FLEET_DISK := $(FLEET)/debian.img
FLEET_GUEST := $(B)/guest/ranks.cpio

.PHONY: check-fleet

$(FLEET_STANDIN): tests/fleet/standin.c tools/pfmon/report/rank.c \
		tools/pfmon/report/rank.h mk/fleet.mk | $(B)/deps/tools.stamp
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(PFMON_CPPFLAGS) $(USER_CFLAGS) -fPIC -shared -o $@ \
		$(filter %.c,$^)

$(FLEET)/ranks: tests/fleet/ranks.c $(MARK_HEADERS) $(LIB_X86_64)/libpfmark.so \
		mk/fleet.mk | $(B)/deps/fleet.stamp
	$(call say,CC $@)
	$(Q)mkdir -p $(@D)
	$(Q)OMPI_CC='$(CC)' mpicc $(USER_CFLAGS) -Ilib/include/mark -o $@ $< \
		-L$(LIB_X86_64) -lpfmark -Wl,-rpath-link,$(LIB_X86_64)

FLEET_LIBRARIES := $(LIB_X86_64)/libpfm.so.3 $(LIB_X86_64)/libpfmark.so.1

$(FLEET_DISK): tests/fleet/debian-disk $(B)/tools/pfmon $(FLEET_LIBRARIES) \
		$(FLEET)/ranks $(TOOLS_DIR)/x86_64/crowd mk/fleet.mk | $(B)/deps/fleet.stamp
	$(call say,a Debian with Open MPI)
	$(Q)$< '$(PERFMON_CACHE)' $@ /usr/bin/pfmon=$(B)/tools/pfmon \
		/usr/local/bin/ranks=$(FLEET)/ranks \
		/usr/local/bin/crowd=$(TOOLS_DIR)/x86_64/crowd \
		$(foreach file,$(FLEET_LIBRARIES),/usr/lib/x86_64-linux-gnu/$(notdir $(file))=$(file))

$(FLEET_GUEST): tests/fleet/ranks_in_guest tests/tools/tap $(B)/guest/init-x86_64 \
		$(GUEST_SCRIPTS) mk/fleet.mk
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox /bin/busybox \
		/init=$(B)/guest/init-x86_64 \
		/fleet/ranks_in_guest=$< /fleet/tools/tap=tests/tools/tap

check-fleet: $(FLEET_STANDIN) $(FLEET_DISK) $(FLEET_GUEST) $(GUEST_MACHINE) \
		$(B)/kernel/x86_64-fleet/bzImage tools | $(B)/deps/fleet.stamp ## [longer] pfmon under mpirun, Slurm and systemd, read by Prometheus and scripts, and while calls fail, on this machine; under mpirun in the guest (root)
	$(Q)$(CHECKS).fleet $(B) $(CPU)

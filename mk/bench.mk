# SPDX-License-Identifier: GPL-2.0-only
#
# The benchmarks (bench/): programs that run in the guest and count what perfmon
# costs, beside perf_event. They are built as the selftests are and use the same
# parts (mk/selftests.mk).

BENCH_SOURCES := $(wildcard bench/*.c)
BENCH_PROGRAM := $(B)/bench/sessions
GUEST_PROGRAMS_x86_64 += $(BENCH_PROGRAM)

$(B)/bench/obj/%.o: bench/%.c mk/bench.mk | $(B)/linux/tree.stamp $(B)/deps/lib.stamp
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -m64 -Itests/selftests $(SELFTEST_CPPFLAGS) $(SELFTEST_CFLAGS) \
		-c -o $@ $<

$(BENCH_PROGRAM): $(BENCH_SOURCES:bench/%.c=$(B)/bench/obj/%.o) \
		$(SELFTEST_PARTS:%=$(B)/selftests/x86_64/obj/%.o) \
		$(B)/lib/x86_64/libpfm.a
	$(call say,LD $@)
	$(Q)$(CC) -m64 $(SELFTEST_CFLAGS) $(LDFLAGS) -static -o $@ $^

-include $(wildcard $(B)/bench/obj/*.d)

# SPDX-License-Identifier: GPL-2.0-only
#
# The unit tests of the library (tests/unit/lib/) and of pfmon (tests/unit/pfmon/):
# compiled together with what they test, with the sanitizers. UNIT_LIB_NAME lists
# the objects that the program NAME consists of. The programs of the library share
# tests/unit/lib/harness/, those of pfmon tests/unit/pfmon/harness/ as well.

UNIT_LIB_DIR := $(B)/unit/lib
UNIT_SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_LIB_CFLAGS = $(USER_CFLAGS) -O1 -fno-omit-frame-pointer $(UNIT_SANITIZERS)

# All of the library but the calls of the kernel; needs libpfm4.a.
UNIT_LIB_EVENTS := $(LIB_EVENT_SOURCES:%.c=%)
# The same for tests that choose the processor.
UNIT_LIB_FORCED := harness/force_pmu $(UNIT_LIB_EVENTS)

UNIT_LIB_pfmlib_detect := test_pfmlib_detect $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmlib_init := test_pfmlib_init $(UNIT_LIB_FORCED)
UNIT_LIB_pfmlib_find := test_pfmlib_find $(UNIT_LIB_FORCED)
UNIT_LIB_pfmlib_info := test_pfmlib_info $(UNIT_LIB_FORCED)
UNIT_LIB_pfmlib_masks := test_pfmlib_masks $(UNIT_LIB_FORCED)
UNIT_LIB_pfmlib_tables := test_pfmlib_tables $(UNIT_LIB_FORCED)
UNIT_LIB_pfmlib_threads := test_pfmlib_threads $(UNIT_LIB_FORCED)
UNIT_LIB_pfmlib_versions := test_pfmlib_versions $(UNIT_LIB_FORCED)
UNIT_LIB_DISPATCH := cases input p6 amd64 p4 old files
$(foreach test,$(UNIT_LIB_DISPATCH),$(eval UNIT_LIB_dispatch_$(test) := \
	test_dispatch_$(test) harness/dispatched $(UNIT_LIB_FORCED)))
UNIT_LIB_dispatch_libpfm4 := test_dispatch_libpfm4 $(UNIT_LIB_FORCED)
UNIT_LIB_dispatch_random := test_dispatch_random harness/dispatch_oracle \
	$(UNIT_LIB_FORCED)
UNIT_LIB_pfmlib_cpu := test_pfmlib_cpu
UNIT_LIB_event_counters := test_event_counters $(UNIT_LIB_FORCED)
UNIT_LIB_CALLS := $(addprefix lib/calls/,pfmlib_kernel syscalls_v3 device_v3)
UNIT_LIB_syscalls_v3 := test_syscalls_v3 harness/scratch_dir \
	$(UNIT_LIB_CALLS)
UNIT_LIB_device_v3 := test_device_v3 harness/scratch_dir $(UNIT_LIB_CALLS)
UNIT_LIB_state_v3 := test_state_v3 lib/calls/state_v3
UNIT_LIB_COMPAT := harness/fake_kernel harness/scratch_dir $(UNIT_LIB_CALLS) \
	lib/compat_v281 lib/compat_v281_regs lib/compat_v281_sets \
	lib/compat_v281_strict lib/compat_v3_draft lib/compat_vector

# The rooms of pfmon that its tests take as a whole.
UNIT_PFMON_EVENTS := $(addprefix pfmon/events/,event modifiers tables alias suggest coded \
	kernel_pmu loads pebs precise resolve terms) $(addprefix pfmon/names/,processor generic generic_table makers \
	makers_table offcore_table) pfmon/diag
UNIT_PFMON_REGISTERS := $(addprefix pfmon/registers/,assign available regmap sampler_kinds \
	samplers sets values)
UNIT_PFMON_PERIODS := $(addprefix pfmon/record/,periods period_numbers precise_period) \
	pfmon/registers/sampler_kinds
UNIT_PFMON_WORDS := $(addprefix pfmon/grammar/,words shared conflicts \
	later masks) pfmon/engine/means pfmon/diag
UNIT_PFMON_FOLLOW := $(addprefix pfmon/engine/,follow waiting others tasks signals \
	clocks exit_status control) pfmon/command/launch pfmon/command/program \
	pfmon/diag
UNIT_PFMON_FORMULAS := $(addprefix pfmon/metrics/,formula formula_events formula_files \
	formula_set formula_set_value formula_value)
UNIT_PFMON_REPORT := $(addprefix pfmon/report/,report regions table stat csv json \
	json_strings json_text cells plain spread metrics textfile) $(addprefix pfmon/engine/,coverage estimate) \
	$(addprefix pfmon/metrics/,expression formula_set_value formula_value)
UNIT_LIB_pfmon_options := test_pfmon_options harness/message harness/words \
	$(addprefix pfmon/grammar/,options sampling numbers) \
	pfmon/events/pattern $(UNIT_PFMON_WORDS)
UNIT_LIB_pfmon_conflicts := test_pfmon_conflicts harness/message pfmon/grammar/numbers \
	$(UNIT_PFMON_WORDS)
UNIT_LIB_pfmon_help := test_pfmon_help harness/message harness/words \
	$(addprefix pfmon/grammar/,options sampling numbers usage) \
	pfmon/events/pattern $(UNIT_PFMON_WORDS)
UNIT_LIB_pfmon_stat := test_pfmon_stat harness/message harness/words \
	pfmon/grammar/stat pfmon/engine/idlist $(UNIT_PFMON_WORDS)
UNIT_LIB_pfmon_every_option := test_pfmon_every_option harness/message harness/words \
	$(addprefix pfmon/grammar/,options sampling stat record branches numbers) \
	pfmon/events/pattern $(UNIT_PFMON_WORDS)
UNIT_LIB_pfmon_pattern := test_pfmon_pattern pfmon/events/pattern
UNIT_LIB_pfmon_masks := test_pfmon_masks harness/message pfmon/grammar/masks \
	pfmon/diag
UNIT_LIB_pfmon_events := test_pfmon_events harness/message $(UNIT_PFMON_EVENTS) \
	pfmon/events/table_list pfmon/events/pattern $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_names := test_pfmon_names harness/message harness/parsed \
	$(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_kind_events := test_pfmon_kind_events harness/message harness/parsed \
	$(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_kernel_pmu := test_pfmon_kernel_pmu harness/message \
	harness/scratch_dir pfmon/events/kernel_pmu pfmon/diag
UNIT_LIB_pfmon_kernel_counters := test_pfmon_kernel_counters harness/message \
	harness/scratch_dir $(addprefix pfmon/events/,kernel_counters instances) \
	pfmon/engine/topology pfmon/engine/idlist $(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_terms := test_pfmon_terms harness/message harness/parsed \
	$(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_values := test_pfmon_values harness/message harness/fake_pmu \
	harness/scratch_dir $(UNIT_PFMON_REGISTERS) $(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_sets := test_pfmon_sets harness/message harness/fake_pmu \
	harness/scratch_dir $(UNIT_PFMON_EVENTS) $(UNIT_PFMON_REGISTERS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_metrics := test_pfmon_metrics harness/message harness/scratch_dir \
	$(UNIT_PFMON_EVENTS) pfmon/events/pattern \
	$(addprefix pfmon/engine/,clocks topology) \
	$(addprefix pfmon/metrics/,expression folders groups group_files formula_choice) \
	$(UNIT_PFMON_FORMULAS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_formula_choice := test_pfmon_formula_choice \
	$(filter-out test_%,$(UNIT_LIB_pfmon_metrics))
UNIT_LIB_pfmon_formula_events := test_pfmon_formula_events harness/message \
	$(addprefix pfmon/metrics/,formula_events) $(addprefix pfmon/engine/,clocks topology idlist) \
	$(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_formula_files := test_pfmon_formula_files harness/message \
	$(addprefix pfmon/metrics/,formula_files folders) $(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_assign := test_pfmon_assign harness/message harness/fake_pmu \
	harness/scratch_dir $(UNIT_PFMON_REGISTERS) $(UNIT_PFMON_EVENTS) \
	$(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_precise := test_pfmon_precise harness/message harness/parsed \
	harness/assigned harness/fake_pmu harness/scratch_dir $(UNIT_PFMON_REGISTERS) $(UNIT_PFMON_EVENTS) \
	$(UNIT_PFMON_PERIODS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_pebs := test_pfmon_pebs harness/message harness/parsed \
	harness/assigned harness/fake_pmu harness/scratch_dir $(UNIT_PFMON_REGISTERS) $(UNIT_PFMON_EVENTS) \
	$(UNIT_PFMON_PERIODS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_loads := test_pfmon_loads harness/message harness/parsed \
	harness/assigned harness/fake_pmu harness/scratch_dir $(UNIT_PFMON_REGISTERS) $(UNIT_PFMON_EVENTS) \
	$(UNIT_PFMON_PERIODS) $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_session := test_pfmon_session harness/message \
	pfmon/engine/session pfmon/command/refusal pfmon/engine/turns \
	pfmon/diag
UNIT_LIB_pfmon_obstacles := test_pfmon_obstacles harness/scratch_dir \
	pfmon/engine/obstacles
UNIT_LIB_pfmon_follow := test_pfmon_follow harness/message harness/scratch_dir \
	$(UNIT_PFMON_FOLLOW)
UNIT_LIB_pfmon_births := test_pfmon_births harness/message $(UNIT_PFMON_FOLLOW)
UNIT_LIB_pfmon_let_go := test_pfmon_let_go harness/message $(UNIT_PFMON_FOLLOW)
UNIT_LIB_pfmon_means := test_pfmon_means harness/message pfmon/engine/means \
	pfmon/diag
UNIT_LIB_pfmon_launch := test_pfmon_launch harness/message harness/scratch_dir \
	pfmon/command/launch_self pfmon/command/refusal $(UNIT_PFMON_FOLLOW)
UNIT_LIB_pfmon_control := test_pfmon_control harness/message pfmon/engine/control \
	pfmon/diag
UNIT_LIB_pfmon_others := test_pfmon_others harness/message $(UNIT_PFMON_FOLLOW)
UNIT_LIB_pfmon_waiting := test_pfmon_waiting harness/message $(UNIT_PFMON_FOLLOW)
UNIT_LIB_pfmon_signals := test_pfmon_signals pfmon/engine/signals pfmon/engine/clocks
UNIT_LIB_pfmon_tasks := test_pfmon_tasks harness/message pfmon/engine/tasks pfmon/diag
UNIT_LIB_pfmon_estimate := test_pfmon_estimate pfmon/engine/estimate
UNIT_LIB_pfmon_results := test_pfmon_results harness/message pfmon/diag \
	$(addprefix pfmon/,results/results results/compare results/gather report/spread \
	report/rank)
UNIT_LIB_pfmon_output := test_pfmon_output harness/message harness/scratch_dir \
	pfmon/report/output pfmon/report/rank pfmon/diag
UNIT_LIB_pfmon_coverage := test_pfmon_coverage pfmon/engine/coverage
UNIT_LIB_pfmon_report := test_pfmon_report $(UNIT_PFMON_REPORT)
UNIT_LIB_pfmon_rows := test_pfmon_rows $(UNIT_PFMON_REPORT)
UNIT_LIB_pfmon_report_sets := test_pfmon_report_sets $(UNIT_PFMON_REPORT)
UNIT_PFMON_REGIONS := harness/mark_kernel harness/message \
	$(addprefix pfmon/regions/,ask regions) pfmon/diag $(MARK_SOURCES:%.c=%)
UNIT_LIB_pfmon_regions := test_pfmon_regions $(UNIT_PFMON_REGIONS)
UNIT_LIB_pfmon_regions_first := test_pfmon_regions_first $(UNIT_PFMON_REGIONS)
UNIT_LIB_pfmon_region_records := test_pfmon_region_records pfmon/regions/regions pfmon/diag
UNIT_LIB_pfmon_report_regions := test_pfmon_report_regions $(UNIT_PFMON_REPORT)
UNIT_LIB_pfmon_top := test_pfmon_top harness/message \
	$(addprefix pfmon/,top/wish top/table top/messages grammar/words report/plain diag)
# All that counts threads; what is in the calls of libpfm is the test's.
UNIT_LIB_pfmon_attach := test_pfmon_attach harness/message \
	$(addprefix pfmon/engine/,measure_tasks tasks_intervals tasks_control counters \
	spares turns session obstacles idlist tally coverage) \
	$(addprefix pfmon/attach/,attach cgroup) \
	$(addprefix pfmon/command/,launch_self refusal) \
	$(UNIT_PFMON_FOLLOW)
UNIT_LIB_pfmon_cgroup := test_pfmon_cgroup harness/message harness/scratch_dir \
	pfmon/attach/cgroup pfmon/diag
UNIT_LIB_pfmon_counters := test_pfmon_counters harness/message \
	$(addprefix pfmon/engine/,counters spares turns session obstacles tally tasks \
	coverage clocks) pfmon/command/refusal pfmon/diag
UNIT_LIB_pfmon_textfile := test_pfmon_textfile $(UNIT_PFMON_REPORT)
UNIT_PFMON_PROFILE := $(addprefix pfmon/profile/,read_chunks read_meta read_parts \
	read_samples read_again read_places read_profile read_progress crc32c thin) \
	pfmon/diag
# What writes the files of the tests.
UNIT_PFMON_SAMPLES := harness/samples pfmon/profile/writer
UNIT_PFMON_SYMBOLS := $(patsubst tools/%.c,%,$(wildcard tools/pfmon/symbols/*.c))
UNIT_PFMON_PROFILED := harness/profiled harness/scratch_dir $(UNIT_PFMON_SAMPLES) \
	$(UNIT_PFMON_PROFILE) $(UNIT_PFMON_SYMBOLS)
UNIT_LIB_pfmon_symbols := test_pfmon_symbols $(UNIT_PFMON_PROFILED)
UNIT_LIB_pfmon_call_code := test_pfmon_call_code pfmon/symbols/call_code
UNIT_LIB_pfmon_lines := test_pfmon_lines $(UNIT_PFMON_PROFILED)
UNIT_PFMON_VIEWS := $(filter-out %/main,$(patsubst tools/%.c,%,$(wildcard \
	tools/pfmon/unwind/*.c tools/pfmon/views/*.c tools/pfmon/export/*.c))) \
	$(addprefix pfmon/,grammar/words record/packer report/output report/rank \
	report/json_text report/plain)
UNIT_LIB_pfmon_origins := test_pfmon_origins $(UNIT_PFMON_PROFILED)
UNIT_LIB_pfmon_inlined := test_pfmon_inlined harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_views := test_pfmon_views harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_odd := test_pfmon_odd harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_classic := test_pfmon_classic harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_parts := test_pfmon_parts harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_export := test_pfmon_export harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_perfdata := test_pfmon_perfdata $(UNIT_PFMON_PROFILED) $(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_pages := test_pfmon_pages $(UNIT_PFMON_PROFILED) $(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_samples := test_pfmon_samples harness/message $(UNIT_PFMON_SAMPLES) \
	$(UNIT_PFMON_PROFILE)
UNIT_LIB_pfmon_recorded := test_pfmon_recorded harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_stacks := test_pfmon_stacks harness/message harness/stacked \
	$(UNIT_PFMON_PROFILED) $(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_exact := test_pfmon_exact harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_branches := test_pfmon_branches harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_memory_intel := test_pfmon_memory_intel harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_memory := test_pfmon_memory harness/message $(UNIT_PFMON_PROFILED) \
	$(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_firefox := test_pfmon_firefox harness/stacked \
	$(UNIT_PFMON_PROFILED) $(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_unwind := test_pfmon_unwind $(UNIT_PFMON_PROFILED) $(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_thin := test_pfmon_thin harness/message $(UNIT_PFMON_SAMPLES) \
	$(UNIT_PFMON_PROFILE)
UNIT_LIB_pfmon_repeat := test_pfmon_repeat harness/message $(UNIT_PFMON_SAMPLES) \
	$(UNIT_PFMON_PROFILE)
UNIT_LIB_pfmon_scan := test_pfmon_scan harness/message $(UNIT_PFMON_SAMPLES) \
	$(UNIT_PFMON_PROFILE)
UNIT_LIB_pfmon_cut := test_pfmon_cut harness/message harness/stacked \
	$(UNIT_PFMON_PROFILED) $(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_progress := test_pfmon_progress $(UNIT_PFMON_SAMPLES) \
	$(UNIT_PFMON_PROFILE)
UNIT_LIB_pfmon_packer := test_pfmon_packer harness/message pfmon/record/packer \
	$(UNIT_PFMON_SAMPLES) $(UNIT_PFMON_PROFILE)
UNIT_LIB_pfmon_calls := test_pfmon_calls harness/message harness/stacked \
	$(UNIT_PFMON_PROFILED) $(UNIT_PFMON_VIEWS)
UNIT_LIB_pfmon_range := test_pfmon_range pfmon/views/range pfmon/views/steps \
	$(UNIT_PFMON_PERIODS) pfmon/diag
UNIT_LIB_pfmon_judge := test_pfmon_judge pfmon/selftest/judge
UNIT_LIB_pfmon_tap := test_pfmon_tap pfmon/selftest/tap
UNIT_LIB_pfmon_cpus := test_pfmon_cpus pfmon/selftest/cpus
UNIT_LIB_pfmon_sampling := test_pfmon_sampling harness/message harness/words \
	$(addprefix pfmon/grammar/,options sampling numbers) pfmon/events/pattern \
	$(UNIT_PFMON_PERIODS) $(UNIT_PFMON_WORDS)
UNIT_LIB_pfmon_record := test_pfmon_record harness/message harness/words \
	$(addprefix pfmon/grammar/,record branches numbers) $(UNIT_PFMON_PERIODS) \
	$(UNIT_PFMON_WORDS)
UNIT_LIB_pfmon_pace := test_pfmon_pace pfmon/record/pace
UNIT_PFMON_MAPPED := $(addprefix pfmon/record/,build_id mapped_files opener) pfmon/diag
UNIT_LIB_pfmon_maps := test_pfmon_maps $(addprefix pfmon/record/,clock proc_maps) \
	$(addprefix pfmon/profile/,crc32c writer) $(UNIT_PFMON_MAPPED)
UNIT_LIB_pfmon_mapped := test_pfmon_mapped harness/message harness/scratch_dir \
	$(UNIT_PFMON_MAPPED)
UNIT_LIB_pfmon_writer := test_pfmon_writer \
	$(addprefix pfmon/profile/,crc32c writer)

# Dispatches of Intel's models; they choose processors that nobody can force.
UNIT_LIB_CHOSEN_NAMES := dispatch_core dispatch_arch dispatch_nhm dispatch_snb \
	model_registers dispatch_reference model_functions dispatch_counts
$(foreach name,$(UNIT_LIB_CHOSEN_NAMES),$(eval \
	UNIT_LIB_$(name) := test_$(name) harness/dispatch_case $(UNIT_LIB_EVENTS)))
UNIT_LIB_dispatch_reference += harness/dispatch_reference \
	$(addprefix harness/dispatch_reference_,events counters registers)

# The model of the PMU (machine/pmu/) is asked whether an event counts where it is.
UNIT_LIB_dispatch_counts += harness/force_pmu
$(UNIT_LIB_DIR)/test_dispatch_counts: $(PMU_TEST_OBJECTS)
# Its objects have the sanitizers, also when the library's have not.
$(UNIT_LIB_DIR)/test_dispatch_counts: private UNIT_LIB_CFLAGS += -fsanitize=address,undefined
$(UNIT_LIB_DIR)/obj/test_dispatch_counts.o: LIB_CPPFLAGS += -Imachine/pmu

# Programs with UNIT_LIB_EVENTS.
UNIT_LIB_EVENT_NAMES := pfmlib_detect pfmlib_init pfmlib_find pfmlib_info \
	pfmlib_masks pfmlib_tables pfmlib_threads pfmlib_versions $(UNIT_LIB_DISPATCH:%=dispatch_%) \
	dispatch_random dispatch_libpfm4 event_counters \
	$(UNIT_LIB_CHOSEN_NAMES) pfmon_events pfmon_assign pfmon_sets \
	pfmon_formula_choice pfmon_formula_events pfmon_formula_files pfmon_kernel_counters pfmon_kind_events pfmon_metrics pfmon_names pfmon_pebs pfmon_loads pfmon_precise pfmon_terms pfmon_values

# Programs that read files of samples, in tests/unit/pfmon/profile/.
UNIT_PROFILE_NAMES := pfmon_branches pfmon_cut pfmon_samples pfmon_symbols pfmon_lines pfmon_views pfmon_odd pfmon_export \
	pfmon_exact pfmon_memory pfmon_memory_intel pfmon_pages pfmon_perfdata pfmon_parts pfmon_stacks pfmon_classic pfmon_calls \
	pfmon_firefox pfmon_inlined pfmon_origins pfmon_packer pfmon_progress pfmon_range \
	pfmon_recorded pfmon_repeat pfmon_scan pfmon_thin pfmon_call_code pfmon_unwind \
	pfmon_writer

UNIT_LIB_COMPAT_NAMES := compat_v281 compat_strict compat_kernel compat_native \
	compat_regs compat_vector compat_sets compat_draft

UNIT_LIB_NAMES := $(UNIT_LIB_EVENT_NAMES) $(UNIT_LIB_COMPAT_NAMES) \
	pfmlib_cpu syscalls_v3 device_v3 state_v3 pfmon_options pfmon_conflicts pfmon_every_option \
	pfmon_stat pfmon_session pfmon_obstacles pfmon_follow pfmon_means pfmon_launch \
	pfmon_attach pfmon_cgroup pfmon_births pfmon_counters pfmon_let_go \
	pfmon_control pfmon_others pfmon_waiting pfmon_coverage \
	pfmon_estimate pfmon_signals pfmon_tasks pfmon_results pfmon_report pfmon_rows pfmon_report_sets \
	pfmon_masks pfmon_pattern pfmon_report_regions pfmon_regions pfmon_regions_first pfmon_region_records pfmon_top pfmon_textfile \
	pfmon_judge pfmon_output pfmon_tap pfmon_cpus pfmon_kernel_pmu \
	pfmon_record pfmon_sampling pfmon_pace pfmon_maps pfmon_mapped pfmon_help $(UNIT_PROFILE_NAMES)
$(foreach name,$(UNIT_LIB_COMPAT_NAMES),$(eval \
	UNIT_LIB_$(name) := test_$(name) $(UNIT_LIB_COMPAT)))
UNIT_LIB_compat_regs += harness/fake_memory
UNIT_LIB_compat_vector += harness/fake_memory
UNIT_LIB_PROGRAMS := $(UNIT_LIB_NAMES:%=$(UNIT_LIB_DIR)/test_%)
UNIT_LIB_ABI := $(UNIT_LIB_DIR)/test_lib_abi
UNIT_LIB_LINKED := $(UNIT_LIB_DIR)/test_lib_programs
UNIT_LIB_CODES := $(UNIT_LIB_DIR)/test_event_codes
UNIT_PFMON_VALUES := $(UNIT_LIB_DIR)/test_formula_values
UNIT_LIB_STARTUP := $(UNIT_LIB_DIR)/test_lib_startup
UNIT_PFMON_PARSED := parsed_events $(UNIT_PFMON_EVENTS) $(UNIT_LIB_EVENTS)
UNIT_PFMON_MAKERS := $(UNIT_LIB_DIR)/test_makers_codes
UNIT_PROGRAMS += $(UNIT_LIB_PROGRAMS) $(UNIT_LIB_ABI) $(UNIT_LIB_LINKED) \
	$(UNIT_LIB_CODES) $(UNIT_LIB_STARTUP) $(UNIT_PFMON_MAKERS) $(UNIT_PFMON_VALUES)

# What the library would send to the kernel goes to the test.
$(UNIT_LIB_DIR)/test_syscalls_v3 $(UNIT_LIB_DIR)/test_compat_%: \
	UNIT_LIB_LIBS := -Wl,--wrap=syscall
$(UNIT_LIB_DIR)/test_device_v3: UNIT_LIB_LIBS := -Wl,--wrap=ioctl
$(UNIT_LIB_DIR)/test_pfmon_signals: UNIT_LIB_LIBS := -Wl,--wrap=wait4
$(UNIT_LIB_DIR)/test_pfmon_every_option: UNIT_LIB_LIBS := -Wl,--wrap=getopt_long
$(UNIT_LIB_DIR)/test_compat_kernel: UNIT_LIB_LIBS += -Wl,--wrap=uname
$(UNIT_LIB_DIR)/test_compat_sets: UNIT_LIB_LIBS += -Wl,--wrap=clock_getres
$(UNIT_LIB_DIR)/test_compat_regs $(UNIT_LIB_DIR)/test_compat_vector: \
	UNIT_LIB_LIBS += -Wl,--wrap=mmap -Wl,--wrap=munmap -Wl,--wrap=malloc
$(UNIT_LIB_DIR)/test_pfmon_report $(UNIT_LIB_DIR)/test_pfmon_rows $(UNIT_LIB_DIR)/test_pfmon_tap \
	$(UNIT_LIB_DIR)/test_pfmon_report_sets $(UNIT_LIB_DIR)/test_pfmon_textfile \
	$(UNIT_LIB_DIR)/test_pfmon_results $(UNIT_LIB_DIR)/test_pfmon_report_regions \
	$(UNIT_LIB_DIR)/test_pfmon_top: \
	UNIT_LIB_LIBS := -ljson-c
$(UNIT_PROFILE_NAMES:%=$(UNIT_LIB_DIR)/test_%): UNIT_LIB_LIBS = $(PROFILE_LIBS)
UNIT_LIB_WITH_EVENTS := $(UNIT_LIB_EVENT_NAMES:%=$(UNIT_LIB_DIR)/test_%)
$(UNIT_LIB_WITH_EVENTS): $(LIB_X86_64)/libpfm4.a
$(UNIT_LIB_WITH_EVENTS): UNIT_LIB_LIBS := $(LIB_X86_64)/libpfm4.a
$(UNIT_LIB_DIR)/test_pfmlib_masks: UNIT_LIB_LIBS += -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=pfm4_pfm_get_event_attr_info
$(UNIT_LIB_DIR)/test_pfmon_kernel_counters: UNIT_LIB_LIBS += -Wl,--wrap=syscall \
	-Wl,--wrap=prctl
$(UNIT_LIB_CHOSEN_NAMES:%=$(UNIT_LIB_DIR)/test_%): UNIT_LIB_LIBS := \
	$(LIB_X86_64)/libpfm4.a -Wl,--wrap=pfmlib_current

.PHONY: check-unit-lib
check-unit-lib: $(UNIT_LIB_PROGRAMS) $(UNIT_LIB_ABI) $(UNIT_LIB_LINKED) \
		$(UNIT_LIB_CODES) $(UNIT_LIB_STARTUP) $(UNIT_PFMON_MAKERS) $(UNIT_PFMON_VALUES)
	$(Q)for program in $^; do ./$$program; done

# The tests of pfmon once more, without the sanitizers, which do not see what was never
# written. Those that trace processes are left out: valgrind would be traced.
UNIT_VALGRIND_DIR := $(B)/unit/valgrind
## VALGRIND_NAMES=LIST the programs of check-valgrind, default all that can be
VALGRIND_NAMES ?= $(filter-out pfmon_follow pfmon_let_go pfmon_births pfmon_launch pfmon_attach pfmon_others,\
	$(filter pfmon_%,$(UNIT_LIB_NAMES)))

.PHONY: check-valgrind run-valgrind
check-valgrind: | $(B)/deps/unit.stamp ## [longer] the unit tests of pfmon, in valgrind
	+$(Q)$(MAKE) UNIT_LIB_DIR=$(UNIT_VALGRIND_DIR) UNIT_SANITIZERS= run-valgrind

run-valgrind: $(VALGRIND_NAMES:%=$(UNIT_LIB_DIR)/test_%)
	$(Q)for program in $^; do \
		valgrind -q --error-exitcode=9 --leak-check=full ./$$program \
			> $$program.log 2>&1 || \
			{ tail -60 $$program.log; exit 1; }; \
		echo "  $${program##*/}: nothing found"; \
	done

# The tests that look at the library as it is installed.
$(UNIT_LIB_ABI): tests/unit/lib/check-abi $(LIB_X86_64)/$(LIB_SONAME) mk/unit-lib.mk
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s %s lib scripts/run-i386\n' $(filter-out %.mk,$^) \
		> $@ && chmod +x $@

# The event files of Linux judge the events.
$(UNIT_LIB_DIR)/event_codes: tests/unit/lib/event_codes.c $(LIB_X86_64)/libpfm.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIB_CPPFLAGS) -Itests/unit/lib/harness -Ilib $(USER_CFLAGS) -o $@ $^

$(UNIT_LIB_CODES): mk/unit-lib.mk $(UNIT_LIB_DIR)/event_codes $(B)/linux/source
	$(Q)printf '#!/bin/sh\ncd %s && exec %s %s "$$(cat %s)"\n' '$(CURDIR)' \
		'$(CHECKS).event_codes' $(filter-out %.mk,$^) > $@ && chmod +x $@

# And so they do the names that pfmon takes.
$(UNIT_LIB_DIR)/parsed_events: $(UNIT_PFMON_PARSED:%=$(UNIT_LIB_DIR)/obj/%.o) \
		$(LIB_X86_64)/libpfm4.a
	$(call say,LD $@)
	$(Q)$(CC) $(UNIT_LIB_CFLAGS) -o $@ $^

$(UNIT_PFMON_MAKERS): mk/unit-lib.mk $(UNIT_LIB_DIR)/parsed_events $(B)/linux/source
	$(Q)printf '#!/bin/sh\ncd %s && exec %s %s "$$(cat %s)"\n' '$(CURDIR)' \
		'$(CHECKS).makers_codes' $(filter-out %.mk,$^) > $@ && chmod +x $@

# Python computes the values of all formulas once more.
$(UNIT_LIB_DIR)/formula_values: $(addprefix $(UNIT_LIB_DIR)/obj/,formula_values.o \
		pfmon/metrics/formula.o pfmon/metrics/formula_value.o)
	$(call say,LD $@)
	$(Q)$(CC) $(UNIT_LIB_CFLAGS) -o $@ $^

$(UNIT_PFMON_VALUES): mk/unit-lib.mk $(UNIT_LIB_DIR)/formula_values $(PFMON_FORMULAS)
	$(Q)printf '#!/bin/sh\ncd %s && exec %s %s %s\n' '$(CURDIR)' \
		'$(CHECKS).formula_values' $(filter-out %.mk,$^) > $@ && chmod +x $@

# Without the sanitizers, whose instructions are not the library's.
$(UNIT_LIB_DIR)/startup: tests/unit/lib/startup.c $(LIB_X86_64)/libpfm.a \
		| $(B)/deps/unit.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIB_CPPFLAGS) $(USER_CFLAGS) -o $@ $^

$(UNIT_LIB_STARTUP): tests/unit/lib/check-startup $(UNIT_LIB_DIR)/startup
	$(Q)printf '#!/bin/sh\nexec %s %s\n' $^ > $@ && chmod +x $@

$(UNIT_LIB_LINKED): tests/unit/lib/check-programs mk/unit-lib.mk \
		$(foreach arch,$(LIB_X86_64) $(LIB_I386),$(arch)/libpfm.so \
			$(arch)/libpfm.a) | $(B)/deps/unit.stamp
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s %s %s lib/include scripts/run-i386\n' $< \
		$(LIB_X86_64) $(LIB_I386) > $@ && chmod +x $@

$(eval $(call object-rule,$(UNIT_LIB_DIR)/obj/lib/%.o,lib/%.c,\
	$$(CC) $$(call lib-cppflags,$$<) $$(UNIT_LIB_CFLAGS),unit))
$(eval $(call object-rule,$(UNIT_LIB_DIR)/obj/pfmon/%.o,tools/pfmon/%.c,\
	$$(CC) $$(call pfmon-cppflags,$$<) $$(UNIT_LIB_CFLAGS),unit tools))
$(eval $(call object-rule,$(UNIT_LIB_DIR)/obj/%.o,tests/unit/lib/%.c,\
	$$(CC) $$(LIB_CPPFLAGS) -Itests/unit/lib/harness -Ilib \
	$$(UNIT_LIB_CFLAGS),unit))
define unit-pfmon-rule
$(call object-rule,$(UNIT_LIB_DIR)/obj/%.o,$(1)/%.c,\
	$$(CC) $$(PFMON_CPPFLAGS) $$(LIB_CPPFLAGS) -Itests/unit/pfmon/harness \
	-Itests/unit/lib/harness -Ilib \
	$$(UNIT_LIB_CFLAGS),unit tools)
endef
$(eval $(call unit-pfmon-rule,tests/unit/pfmon))
$(foreach folder,attach engine events grammar metrics precise profile regions report,\
	$(eval $(call unit-pfmon-rule,tests/unit/pfmon/$(folder))))

define unit-lib-rule
$(UNIT_LIB_DIR)/test_$(1): $(UNIT_LIB_$(1):%=$(UNIT_LIB_DIR)/obj/%.o)
endef
$(foreach name,$(UNIT_LIB_NAMES),$(eval $(call unit-lib-rule,$(name))))

$(UNIT_LIB_PROGRAMS):
	$(call say,LD $@)
	$(Q)$(CC) $(UNIT_LIB_CFLAGS) -o $@ $(filter %.o,$^) $(UNIT_LIB_LIBS) \
		-lcmocka

-include $(wildcard $(UNIT_LIB_DIR)/obj/*.d $(UNIT_LIB_DIR)/obj/*/*.d \
	$(UNIT_LIB_DIR)/obj/*/*/*.d)

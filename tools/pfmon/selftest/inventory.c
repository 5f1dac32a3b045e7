// SPDX-License-Identifier: GPL-2.0-only
/* The machine that was tested, see inventory.h. */
#include "inventory.h"

#include <cpuid.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "events/tables.h"

#define HYPERVISOR (1u << 31) /* of ECX of leaf 1 */
#define HYPERVISOR_LEAF 0x40000000
#define TCG "TCGTCGTCGTCG"

bool inventory_line(const char *path, const char *key, char *line, int size)
{
	FILE *file = fopen(path, "re");
	bool found = false;
	char *text;

	if (!file)
		return false;
	while (!found && fgets(line, size, file))
		found = !key || !strncmp(line, key, strlen(key));
	fclose(file);
	if (!found)
		return false;
	line[strcspn(line, "\n")] = '\0';
	text = key ? strchr(line, ':') : NULL;
	if (text) {
		text += 1 + strspn(text + 1, " \t");
		memmove(line, text, strlen(text) + 1);
	}
	return true;
}

static void add_text(struct json_object *machine, const char *key,
		     const char *text)
{
	json_object_object_add(machine, key, json_object_new_string(text));
}

static void add_number(struct json_object *machine, const char *key,
		       unsigned int number)
{
	json_object_object_add(machine, key,
			       json_object_new_int64((int64_t)number));
}

static void add_line(struct json_object *machine, const char *key,
		     const char *path, const char *line_key)
{
	char line[256];

	add_text(machine, key,
		 inventory_line(path, line_key, line, sizeof(line)) ?
			 line :
			 "unknown");
}

/* Twelve characters of three registers. */
static void copy_name(char name[13], unsigned int a, unsigned int b,
		      unsigned int c)
{
	const unsigned int parts[] = { a, b, c };

	memcpy(name, parts, 12);
	name[12] = '\0';
}

static void add_processor(struct json_object *machine)
{
	unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0, family, model;
	char vendor[13] = "";

	if (__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		copy_name(vendor, ebx, edx, ecx);
	add_text(machine, "vendor", vendor);
	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	family = eax >> 8 & 0xf;
	model = eax >> 4 & 0xf;
	if (family == 0xf || family == 6)
		model |= eax >> 12 & 0xf0;
	if (family == 0xf)
		family += eax >> 20 & 0xff;
	add_number(machine, "family", family);
	add_number(machine, "model", model);
	add_number(machine, "stepping", eax & 0xf);
	add_line(machine, "processor", "/proc/cpuinfo", "model name");
	add_line(machine, "microcode", "/proc/cpuinfo", "microcode");
}

static void hypervisor_name(char name[13])
{
	unsigned int eax, ebx = 0, ecx = 0, edx = 0;

	__cpuid(HYPERVISOR_LEAF, eax, ebx, ecx, edx);
	copy_name(name, ebx, ecx, edx);
}

bool inventory_hypervisor(void)
{
	unsigned int eax, ebx, ecx = 0, edx;

	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && ecx & HYPERVISOR;
}

bool inventory_emulated(void)
{
	char name[13];

	if (!inventory_hypervisor())
		return false;
	hypervisor_name(name);
	return !strcmp(name, TCG);
}

struct json_object *inventory_machine(void)
{
	struct json_object *machine = json_object_new_object();
	char name[13] = "none";
	struct utsname system;

	add_processor(machine);
	if (inventory_hypervisor())
		hypervisor_name(name);
	add_text(machine, "hypervisor", name);
	if (!uname(&system)) {
		add_text(machine, "kernel", system.release);
		add_text(machine, "architecture", system.machine);
	}
	add_number(machine, "cpus",
		   (unsigned int)sysconf(_SC_NPROCESSORS_ONLN));
	add_line(machine, "smt", "/sys/devices/system/cpu/smt/active", NULL);
	add_line(machine, "governor",
		 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL);
	add_line(machine, "nmi_watchdog", "/proc/sys/kernel/nmi_watchdog",
		 NULL);
	add_line(machine, "rdpmc", "/sys/bus/event_source/devices/cpu/rdpmc",
		 NULL);
	add_line(machine, "perf_event_paranoid",
		 "/proc/sys/kernel/perf_event_paranoid", NULL);
	add_text(machine, "pfmon", PFMON_VERSION);
	add_line(machine, "perfmon", REGMAP_SYSFS "/version", NULL);
	add_line(machine, "pmu_owner", REGMAP_SYSFS "/pmu_owner", NULL);
	return machine;
}

void inventory_add_pmu(struct json_object *machine, const struct pmu *pmu)
{
	struct json_object *counters = json_object_new_array();
	char text[REGMAP_TEXT + 32];

	add_text(machine, "pmu_model", pmu->map.model);
	add_text(machine, "libpfm_model", tables_pmu() ? tables_pmu() : "none");
	add_text(machine, "overflow_interrupt", pmu->interrupts ? "yes" : "no");
	add_text(machine, "levels",
		 pmu->separates_levels ? "user and kernel" : "not separated");
	add_text(machine, "kernel_level",
		 pmu->may_kernel ? "permitted" : "not permitted");
	for (int i = 0; i < pmu->count; i++) {
		snprintf(text, sizeof(text), "pmd%u %s, %d bits",
			 pmu->counters[i].pmd, pmu->counters[i].name,
			 pmu->counters[i].bits);
		json_object_array_add(counters, json_object_new_string(text));
	}
	json_object_object_add(machine, "counters", counters);
}

void inventory_print(struct json_object *machine, FILE *out)
{
	json_object_object_foreach(machine, key, value)
	{
		if (!json_object_is_type(value, json_type_array)) {
			fprintf(out, "# %s: %s\n", key,
				json_object_get_string(value));
			continue;
		}
		for (size_t i = 0; i < json_object_array_length(value); i++)
			fprintf(out, "# %s: %s\n", key,
				json_object_get_string(
					json_object_array_get_idx(value, i)));
	}
}

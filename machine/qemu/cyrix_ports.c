// SPDX-License-Identifier: GPL-2.0-only
/*
 * The configuration registers of Cyrix processors, which are no MSRs: 256 bytes
 * behind the I/O ports 0x22 (index) and 0x23 (data). Two of them, DIR0 and
 * DIR1, are the only place that tells a 6x86MX from an MII. Copied to
 * target/i386/tcg/system/ when the test machine is built; pmu_glue.c makes the
 * device for processors that have the property cyrix-dir (DIR0 << 8 | DIR1).
 *
 * An index is good for one access of the data port. The registers keep what is
 * written and do nothing.
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/address-spaces.h"

#define FIRST_PORT 0x22
#define NR_PORTS 2
#define INDEX 0 /* offset of the index port; the other one is the data */

#define DIR0 0xfe
#define DIR1 0xff

struct cyrix_ports {
	MemoryRegion region;
	uint8_t reg[256];
	uint8_t index;
	bool indexed;
};

static uint64_t read_port(void *opaque, hwaddr port, unsigned int size)
{
	struct cyrix_ports *ports = opaque;

	if (port == INDEX || !ports->indexed)
		return 0xff;
	ports->indexed = false;
	return ports->reg[ports->index];
}

static void write_port(void *opaque, hwaddr port, uint64_t value,
		       unsigned int size)
{
	struct cyrix_ports *ports = opaque;

	if (port == INDEX) {
		ports->index = value;
		ports->indexed = true;
	} else if (ports->indexed) {
		ports->indexed = false;
		if (ports->index < DIR0)
			ports->reg[ports->index] = value;
	}
}

static const MemoryRegionOps port_ops = {
	.read = read_port,
	.write = write_port,
	.impl = { .min_access_size = 1, .max_access_size = 1 },
	.endianness = DEVICE_LITTLE_ENDIAN,
};

void cyrix_ports_realize(X86CPU *cpu)
{
	struct cyrix_ports *ports;

	if (!cpu->cyrix_dir)
		return;
	ports = g_new0(struct cyrix_ports, 1);
	ports->reg[DIR0] = cpu->cyrix_dir >> 8;
	ports->reg[DIR1] = cpu->cyrix_dir & 0xff;
	memory_region_init_io(&ports->region, OBJECT(cpu), &port_ops, ports,
			      "cyrix-ports", NR_PORTS);
	memory_region_add_subregion(get_system_io(), FIRST_PORT,
				    &ports->region);
}

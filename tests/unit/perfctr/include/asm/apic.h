/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The local APIC and the interrupt that comes from it.
 */
#ifndef PERFCTR_TEST_ASM_APIC_H
#define PERFCTR_TEST_ASM_APIC_H

#include <linux/types.h>

#define APIC_LVTPC 0x340
#define APIC_DM_NMI 0x400
#define APIC_LVT_MASKED 0x10000
#define APIC_SEND_PENDING 0x1000

#define LOCAL_PERFCTR_VECTOR 0xee

int lapic_get_maxlvt(void);
u32 apic_read(u32 reg);
void apic_write(u32 reg, u32 value);
void apic_eoi(void);
void __apic_send_IPI_self(int vector);

struct pt_regs {
	unsigned long ip;
};

#define instruction_pointer(regs) ((regs)->ip)

struct pt_regs *set_irq_regs(struct pt_regs *regs);

void sysvec_perfctr(struct pt_regs *regs);

#define DEFINE_IDTENTRY_SYSVEC(name) void name(struct pt_regs *regs)

#endif

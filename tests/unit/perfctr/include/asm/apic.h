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

#define NMI_LOCAL 0
#define NMI_DONE 0
#define NMI_HANDLED 1

struct pt_regs;

int machine_register_nmi(int (*handler)(unsigned int type,
					struct pt_regs *regs));
void machine_unregister_nmi(void);

/* One handler, of NMIs from the local APIC. */
#define register_nmi_handler(type, handler, flags, name) \
	machine_register_nmi(handler)
#define unregister_nmi_handler(type, name) machine_unregister_nmi()

int lapic_get_maxlvt(void);
u32 apic_read(u32 reg);
void apic_write(u32 reg, u32 value);
void apic_eoi(void);
void __apic_send_IPI_self(int vector);
void apic_wait_icr_idle(void);

struct pt_regs {
	unsigned long ip;
	unsigned long flags;
};

#define instruction_pointer(regs) ((regs)->ip)

struct pt_regs *set_irq_regs(struct pt_regs *regs);

void sysvec_perfctr(struct pt_regs *regs);

#define DEFINE_IDTENTRY_SYSVEC(name) void name(struct pt_regs *regs)

#endif

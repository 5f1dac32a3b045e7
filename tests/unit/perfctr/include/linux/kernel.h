/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The small change of the kernel: bits, atomics, strings, messages. All small
 * headers that the sources name (PERFCTR_FORWARDS in mk/unit-perfctr.mk) lead
 * here.
 */
#ifndef PERFCTR_TEST_LINUX_KERNEL_H
#define PERFCTR_TEST_LINUX_KERNEL_H

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <linux/types.h>

#define __init
#define __initconst
#define __initdata
#define __refdata
#define __ro_after_init
#define __uninitialized
#define fallthrough __attribute__((__fallthrough__))
#define __read_mostly

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#undef static_assert
#define static_assert _Static_assert

#define IS_ENABLED(option) (option)

/* The compiler's own __always_inline may lack the keyword. */
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define noinline __attribute__((noinline))

#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK(high, low) ((2UL << (high)) - (1UL << (low)))
#define GENMASK_ULL(high, low) ((2ULL << (high)) - (1ULL << (low)))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define hweight32(bits) ((unsigned int)__builtin_popcount(bits))
#define hweight64(bits) ((unsigned int)__builtin_popcountll(bits))
#define ffz(bits) ((unsigned int)__builtin_ctzl(~(unsigned long)(bits)))
#define BITS_PER_LONG (CHAR_BIT * sizeof(long))

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define clamp(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))

#define swap(a, b)                           \
	do {                                 \
		__typeof__(a) swapped = (a); \
		(a) = (b);                   \
		(b) = swapped;               \
	} while (0)

/* The number of the first set bit, from 0; there is one. */
#define __ffs(value) ((unsigned int)__builtin_ctzl(value))

/* The number of the last set bit, from 1; 0 if there is none. */
static inline int fls64(u64 value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

#define fls(value) fls64((u32)(value))

#define array_index_nospec(index, size) (index)

static inline bool test_bit(unsigned int nr, const unsigned long *map)
{
	return map[nr / BITS_PER_LONG] >> nr % BITS_PER_LONG & 1;
}

/* The first set bit of the map from nr on, size if there is none. */
static inline unsigned int find_next_bit(const unsigned long *map,
					 unsigned int size, unsigned int nr)
{
	while (nr < size && !test_bit(nr, map))
		nr++;
	return nr;
}

#define DECLARE_BITMAP(name, bits) \
	unsigned long name[((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG]

static inline void __clear_bit(unsigned int nr, unsigned long *map)
{
	map[nr / BITS_PER_LONG] &= ~(1ul << nr % BITS_PER_LONG);
}

static inline bool bitmap_empty(const unsigned long *map, unsigned int size)
{
	return find_next_bit(map, size, 0) == size;
}

#define for_each_set_bit(bit, map, size)                          \
	for ((bit) = find_next_bit(map, size, 0); (bit) < (size); \
	     (bit) = find_next_bit(map, size, (bit) + 1))

int kstrtouint(const char *text, unsigned int base, unsigned int *value);

#define strscpy(to, from) snprintf(to, sizeof(to), "%s", from)

typedef struct {
	int counter;
} atomic_t;

#define ATOMIC_INIT(value) \
	{                  \
		value      \
	}

static inline int atomic_read(const atomic_t *v)
{
	return v->counter;
}

static inline void atomic_inc(atomic_t *v)
{
	v->counter++;
}

static inline void atomic_dec(atomic_t *v)
{
	v->counter--;
}

static inline bool atomic_inc_unless_negative(atomic_t *v)
{
	if (v->counter < 0)
		return false;
	v->counter++;
	return true;
}

static inline bool atomic_dec_unless_positive(atomic_t *v)
{
	if (v->counter > 0)
		return false;
	v->counter--;
	return true;
}

typedef struct {
	s64 counter;
} atomic64_t;

#define ATOMIC64_INIT(value) \
	{                    \
		value        \
	}

s64 atomic64_inc_return(atomic64_t *v);

#define smp_mb() ((void)0)

/* Time passes when a test says so; a jiffy is a millisecond. */
u64 get_jiffies_64(void);
#define msecs_to_jiffies(ms) ((unsigned long)(ms))
#define time_before64(a, b) ((s64)((a) - (b)) < 0)
#define jiffies ((unsigned long)get_jiffies_64())
#define time_before_eq(a, b) ((long)((a) - (b)) <= 0)
#define NSEC_PER_MSEC 1000000L

#define NOKPROBE_SYMBOL(function)

static inline u64 mul_u64_u32_div(u64 a, u32 mul, u32 divisor)
{
	return a * mul / divisor;
}

#ifndef pr_fmt
#define pr_fmt(fmt) fmt
#endif
#define FW_BUG "[Firmware Bug]: "
#define pr_info(fmt, ...) machine_log(pr_fmt(fmt), ##__VA_ARGS__)
#define pr_warn(fmt, ...) pr_info(fmt, ##__VA_ARGS__)
#define pr_err(fmt, ...) pr_info(fmt, ##__VA_ARGS__)
#define pr_notice(fmt, ...) pr_info(fmt, ##__VA_ARGS__)
#define pr_warn_ratelimited(fmt, ...) pr_info(fmt, ##__VA_ARGS__)

void machine_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * What modules can call: an entry for each exported symbol, which
 * test_perfctr_state.c looks for.
 */
struct machine_export {
	const char *name;
};

#define EXPORT_PER_CPU_SYMBOL_GPL(symbol) EXPORT_SYMBOL_GPL(symbol)
#define EXPORT_SYMBOL_GPL(symbol)                                             \
	extern __typeof__(symbol) symbol;                                     \
	static const struct machine_export export_of_##symbol __attribute__(( \
		section("machine_exports"), used)) = { #symbol }

#define WARN_ON_ONCE(condition) machine_warn_on(condition)

bool machine_warn_on(bool condition);

#endif

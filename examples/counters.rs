// SPDX-License-Identifier: MIT
//! A Rust program counts the instructions of pieces of itself, without a system call where
//! the processor and the administrator let programs read counters.
//!
//!     rustc --edition 2021 -O -l pfm counters.rs
//!     ./counters [PASSES]
//!
//! The piece is a loop of PASSES passes (default 1000), each of two instructions. The reads
//! themselves have a few, the same ones each time.
use std::arch::asm;
use std::ffi::{c_int, c_uint, c_ulong, c_ulonglong, c_void};
use std::io::{Error, Result};
use std::ptr;

/// What the program uses of <perfmon/pfmlib.h> and <perfmon/pfm_state.h>.
mod pfm {
    use super::*;

    pub const PLM3: c_uint = 8;
    pub const FL_CLOEXEC: c_int = 0x2000;
    pub const RWFL_PMD: c_int = 0x1;
    pub const RWFL_PMC: c_int = 0x2;

    #[repr(C)]
    pub struct Event {
        event: c_uint,
        plm: c_uint,
        flags: c_ulong,
        unit_masks: [c_uint; 48],
        num_masks: c_uint,
        reserved: [c_ulong; 2],
    }

    #[repr(C)]
    pub struct Input {
        pub event_count: c_uint,
        pub dfl_plm: c_uint,
        flags: c_uint,
        reserved1: c_uint,
        pub events: [Event; 512],
        unavail_pmcs: [c_ulong; 512 / c_ulong::BITS as usize],
        reserved: [c_ulong; 6],
    }

    #[repr(C)]
    pub struct Reg {
        pub value: c_ulonglong,
        addr: c_ulonglong,
        pub num: c_uint,
        reserved1: c_uint,
        alt_addr: c_ulong,
    }

    #[repr(C)]
    pub struct Output {
        pub pmc_count: c_uint,
        pub pmd_count: c_uint,
        pub pmcs: [Reg; 512],
        pub pmds: [Reg; 512],
        reserved: [c_ulong; 7],
    }

    #[repr(C)]
    #[derive(Default)]
    pub struct Pmr {
        pub num: u16,
        pub set: u16,
        pub flags: u32,
        pub value: u64,
    }

    extern "C" {
        pub fn pfm_initialize() -> c_int;
        pub fn pfm_get_inst_retired_event(event: *mut Event) -> c_int;
        pub fn pfm_dispatch_events(
            input: *mut Input,
            model_input: *mut c_void,
            output: *mut Output,
            model_output: *mut c_void,
        ) -> c_int;
        pub fn pfm_create_session(flags: c_int, ...) -> c_int;
        pub fn pfm_write_pmrs(fd: c_int, flags: c_int, pmrs: *mut Pmr, n: c_int, ...) -> c_int;
        pub fn pfm_attach_session(fd: c_int, flags: c_int, target: c_int) -> c_int;
        pub fn pfm_start_session(fd: c_int, flags: c_int) -> c_int;
        pub fn pfm_map_state(fd: c_int) -> *const c_void;
        pub fn pfm_unmap_state(state: *const c_void) -> c_int;
        pub fn pfm_state_index(state: *const c_void, pmd: c_uint, set: c_uint) -> c_int;
        pub fn pfm_read_counter(fd: c_int, state: *const c_void, index: c_uint) -> u64;
        pub fn close(fd: c_int) -> c_int;
        pub fn gettid() -> c_int;
    }
}

/// The user instructions of the thread that has made it, from then on.
struct Instructions {
    fd: c_int,
    state: *const c_void,
    index: c_uint,
}

fn check(good: bool) -> Result<()> {
    if good {
        Ok(())
    } else {
        Err(Error::last_os_error())
    }
}

impl Instructions {
    /// Fails if the processor does not have the counter, or the kernel refuses a session.
    fn new() -> Result<Self> {
        let fd = unsafe { pfm::pfm_create_session(pfm::FL_CLOEXEC) };
        check(fd >= 0)?;
        let mut new = Self { fd, state: ptr::null(), index: 0 };
        let pmd = new.program()?;
        unsafe {
            new.state = pfm::pfm_map_state(fd);
            check(!new.state.is_null())?;
            check(pfm::pfm_attach_session(fd, 0, pfm::gettid()) == 0)?;
            check(pfm::pfm_start_session(fd, 0) == 0)?;
            let index = pfm::pfm_state_index(new.state, pmd, 0);
            new.index = c_uint::try_from(index)
                .map_err(|_| Error::other_kind("the page does not show the counter"))?;
        }
        Ok(new)
    }

    /// Returns the counter.
    fn program(&self) -> Result<c_uint> {
        // Structures of C, for which 0 is a value; too large for some stacks.
        let mut input: Box<pfm::Input> = unsafe { Box::new(std::mem::zeroed()) };
        let mut output: Box<pfm::Output> = unsafe { Box::new(std::mem::zeroed()) };
        input.event_count = 1;
        input.dfl_plm = pfm::PLM3;
        let found = unsafe {
            pfm::pfm_initialize() == 0
                && pfm::pfm_get_inst_retired_event(&mut input.events[0]) == 0
                && pfm::pfm_dispatch_events(
                    &mut *input,
                    ptr::null_mut(),
                    &mut *output,
                    ptr::null_mut(),
                ) == 0
        };
        if !found {
            return Err(Error::other_kind("no counter for instructions"));
        }
        let mut pmcs: Vec<pfm::Pmr> = output.pmcs[..output.pmc_count as usize]
            .iter()
            .map(|reg| pfm::Pmr { num: reg.num as u16, value: reg.value, ..Default::default() })
            .collect();
        let mut pmd = pfm::Pmr { num: output.pmds[0].num as u16, ..Default::default() };
        unsafe {
            let count = pmcs.len() as c_int;
            check(pfm::pfm_write_pmrs(self.fd, pfm::RWFL_PMC, pmcs.as_mut_ptr(), count) == 0)?;
            check(pfm::pfm_write_pmrs(self.fd, pfm::RWFL_PMD, &mut pmd, 1) == 0)?;
        }
        Ok(output.pmds[0].num)
    }

    /// The count so far.
    fn read(&self) -> u64 {
        unsafe { pfm::pfm_read_counter(self.fd, self.state, self.index) }
    }
}

impl Drop for Instructions {
    fn drop(&mut self) {
        unsafe {
            if !self.state.is_null() {
                pfm::pfm_unmap_state(self.state);
            }
            pfm::close(self.fd);
        }
    }
}

/// Error::other() of later Rusts.
trait OtherKind {
    fn other_kind(text: &'static str) -> Error;
}

impl OtherKind for Error {
    fn other_kind(text: &'static str) -> Error {
        Error::new(std::io::ErrorKind::Other, text)
    }
}

#[inline(never)]
fn work(passes: u64) {
    unsafe {
        asm!("2: dec {0}", "jnz 2b", inout(reg) passes => _, options(nostack));
    }
}

fn main() -> Result<()> {
    let passes = match std::env::args().nth(1) {
        None => 1000,
        Some(word) => word.parse().unwrap_or(0),
    };
    if passes == 0 {
        return Err(Error::other_kind("usage: counters [PASSES], at least 1 pass"));
    }
    let counter = Instructions::new()?;
    for _ in 0..5 {
        let before = counter.read();
        work(passes);
        let count = counter.read() - before;
        println!("{count} instructions, {} of them in the loop", 2 * passes);
        if count < 2 * passes {
            return Err(Error::other_kind("wrong count"));
        }
    }
    Ok(())
}

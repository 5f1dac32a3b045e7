// SPDX-License-Identifier: GPL-2.0-only
//! Rust: a generic method, a closure, a method of a trait, and a panic that is caught.
use std::arch::asm;
use std::panic;

/// Two instructions for each pass.
macro_rules! spin {
    ($passes:expr) => {
        unsafe {
            asm!("2: dec {0}", "jnz 2b", inout(reg) $passes as u64 => _, options(nostack));
        }
    };
}

mod parser {
    use super::*;

    pub trait Visitor {
        fn visit(&self);
    }

    pub struct Reader<T>(pub T);

    impl<T: Copy + Into<u64>> Reader<T> {
        #[inline(never)]
        pub fn read(&self) {
            spin!(self.0.into());
        }
    }

    impl Visitor for Reader<u8> {
        #[inline(never)]
        fn visit(&self) {
            spin!(150000);
        }
    }

    #[inline(never)]
    pub fn apply<F: Fn()>(f: F) {
        f();
        unsafe { asm!("") };
    }

    #[inline(never)]
    pub fn fail(left: u32) {
        spin!(50000);
        if left == 0 {
            panic::panic_any(left);
        }
        fail(left - 1);
        unsafe { asm!("") };
    }
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    for _ in 0..20 {
        parser::Reader(250000u32).read();
        let visitor: Box<dyn parser::Visitor> = Box::new(parser::Reader(0u8));
        visitor.visit();
        parser::apply(|| spin!(50000));
        let _ = panic::catch_unwind(|| parser::fail(0));
    }
}

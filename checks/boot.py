# SPDX-License-Identifier: GPL-2.0-only
"""Boots a guest through the launcher of the test machine.

Used by run_guest, which runs test programs, and run_command, which shows the
output of one command.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from checks import ROOT, initrd


LAUNCHER = ROOT / "machine/machine"
CPUS = ROOT / "machine/cpus"
QEMU = "qemu-system-x86_64"

# What every guest kernel is told. Programs write the machine's statistics
# through /dev/cpu/N/msr, which otherwise warns about it. The processors of the
# machine take turns; a tick may be late then, not the time-stamp counter.
KERNEL_ARGS = "msr.allow_writes=on tsc=reliable"

# The kernel passes them on to init, and that to programs.
SHORT = "PFM_TEST_SHORT=1"
SLOW = "PFM_TEST_SLOW=1"

# Exit status of the launcher for a guest that had to be killed.
TIMED_OUT = 124

# Megabytes: the programs of a boot have to fit into half of what is left while they
# are unpacked. The other kernels need more, and times the seconds. A shell has all
# test programs, and a kernel for crashes takes its memory away from the one that runs.
MEMORY, DEBUG_MEMORY, SHELL_MEMORY, CRASH_MEMORY = 768, 1024, 1536, 256
SLOWNESS = {"debug": 8, "kcsan": 8, "rt": 4, "stockdebug": 8}
STOCK_SLOWNESS = 4

# Kernels that spend their time on looking at themselves: programs repeat less there.
LOOKING = ("debug", "kcsan", "rt", "stockdebug")

# The CPUs take turns whenever a timer is due: an access that is watched for so
# many microseconds sees the others at work.
KIND_ARGS = {"kcsan": "kcsan.udelay_task=10000 kcsan.udelay_interrupt=10000 "
                      "kcsan.skip_watch=300"}
# With Debian's default of 3 only the administrator counts.
STOCK_ARGS = "sysctl.kernel.perf_event_paranoid=2"

# QEMU's models of processors that lack CMOV, unless they are told otherwise. No
# program with a C library, so neither busybox nor most tests, runs without.
WITHOUT_CMOV = ("486", "pentium")


@dataclass
class Processor:
    """A row of machine/cpus."""

    name: str
    arch: str  # of its kernel
    emulated: str  # the argument of QEMU's -cpu

    @property
    def has_cmov(self):
        """Whether programs of Debian run on it."""
        model, *options = self.emulated.split(",")
        if model in WITHOUT_CMOV:
            return "cmov=on" in options or "+cmov" in options
        return "cmov=off" not in options and "-cmov" not in options


def processors():
    """Returns {name: Processor} of the test machine, in the order of the rows."""
    found = {}
    for line in CPUS.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            found[words[0]] = Processor(words[0], words[1], words[4])
    return found


@dataclass
class Guest:
    """One boot: the machine, the kernel, where the output goes."""

    build: Path
    name: str
    cpu: str
    arch: str
    smp: int = 1
    kind: str = ""  # of kernel, as in mk/kernel.mk
    accel: str = "tcg"
    files: str = ""  # the initial file system, if not that of the kernel
    kernel_args: str = ""
    fault: str = ""  # of the PMU from the start: names of machine/README.md
    lend: str = ""  # properties of -cpu that the processor lacks
    threads: str = ""  # of each core, if not those of machine/cpus
    sockets: str = ""  # packages, if not one
    shift: str = ""  # of the clock, if not the machine's own
    disk: str = ""  # the image of its disk, if it has one
    short: bool = False  # programs repeat less (tests/kit/include/machine.h)
    timeout: int = 60

    @property
    def directory(self):
        """Where the files of this boot lie."""
        return self.build / "runs" / self.name

    @property
    def log(self):
        """The kernel console."""
        return self.directory / "console.log"

    @property
    def report(self):
        """What init and its programs printed."""
        return self.directory / "report.tap"

    @property
    def initrd(self):
        """The initial file system of this boot, while it lasts."""
        return self.directory / "initrd.cpio"

    @property
    def kernel(self):
        """The variant of the kernel, which the files of guests are named by."""
        return f"{self.arch}-{self.kind}" if self.kind else self.arch

    @property
    def debug(self):
        """Whether the kernel is the slow one that looks at itself."""
        return self.kind == "debug"

    @property
    def stock(self):
        """Whether perfmon is a module of the kernel."""
        return self.kind.startswith("stock")

    @property
    def all_files(self):
        """The initial file system that this boot's is taken from."""
        return self.build / "guest" / f"{self.files or self.kernel}.cpio"

    @property
    def slowness(self):
        """Times the seconds that its programs take elsewhere."""
        return SLOWNESS.get(self.kind, STOCK_SLOWNESS if self.stock else 1)

    @property
    def crashes(self):
        """Whether there is a kernel for crashes."""
        return "crashkernel=" in self.kernel_args

    @property
    def memory(self):
        """How much it has, in megabytes."""
        megabytes = DEBUG_MEMORY if self.kind else MEMORY
        return megabytes + (CRASH_MEMORY if self.crashes else 0)

    def command(self, init_words, files, memory, kernel_args=""):
        """The launcher's command line, without where the output goes."""
        words = [
            str(LAUNCHER), "--cpu", self.cpu, "--smp", str(self.smp),
            "--kernel", str(self.build / "kernel" / self.kernel / "bzImage"),
            "--initrd", str(files),
            "--append", " ".join((KERNEL_ARGS, STOCK_ARGS if self.stock else
                                  KIND_ARGS.get(self.kind, ""),
                                  self.kernel_args, kernel_args,
                                  SHORT if self.short else "",
                                  SLOW if self.kind in LOOKING else "")),
            "--init", ",".join(init_words),
            "--mem", str(memory),
            "--accel", self.accel,
        ]
        for option in ("fault", "lend", "threads", "sockets", "shift", "disk"):
            if getattr(self, option):
                words += [f"--{option}", getattr(self, option)]
        if self.accel == "tcg":
            words += ["--qemu", str(self.build / "machine" / QEMU)]
        return words

    def start(self, init_words):
        """Starts the launcher; what it says itself goes to launcher.log.

        When it has ended clean() removes what nobody will look at.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        self.report.write_bytes(b"")
        initrd.select(self.all_files, self.initrd,
                      ",".join(init_words).split(","))
        words = self.command(["words"], self.initrd, self.memory) + [
            "--log", str(self.log), "--tap", str(self.report),
            "--timeout", str(self.timeout * self.slowness),
        ]
        with open(self.directory / "launcher.log", "wb") as own:
            # Whoever boots waits for it.
            # pylint: disable-next=consider-using-with
            return subprocess.Popen(words, stdin=subprocess.DEVNULL,
                                    stdout=own, stderr=subprocess.STDOUT)

    def clean(self):
        """Removes the initial file system of a boot that has ended."""
        self.initrd.unlink(missing_ok=True)

    def become_shell(self):
        """Turns this process into a guest with a shell on the terminal."""
        words = self.command(["shell"], self.all_files, SHELL_MEMORY, "quiet")
        words.append("--interactive")
        os.execv(words[0], words)

    def trouble(self, status):
        """What was wrong if the launcher ended with STATUS; "" if nothing."""
        if status == TIMED_OUT:
            return "the guest was killed: it did not finish in time"
        if not status:
            return ""
        said = (self.directory / "launcher.log").read_text(errors="replace")
        return said.strip() or f"the launcher ended with status {status}"

    def last_line(self):
        """What was reported last; "" if nothing was yet."""
        lines = self.report.read_text(errors="replace").splitlines()
        return lines[-1] if lines else ""

    def log_lines(self):
        """The lines of the kernel console."""
        text = self.log.read_text(errors="replace")
        return [line.rstrip() for line in text.splitlines()]

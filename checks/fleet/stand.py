# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the fleet share: results, pfmon over a stand-in, processes.

The kernel of the host need not have perfmon: tests/fleet/standin.c answers for it,
and rank N counts FIRST + STEP * N of whatever it is asked for.
"""

import contextlib
import socket
import subprocess
import time

from checks import ROOT, stand

FIRST, STEP = 1000000, 1000

# The register map of a Zen, as the kernel describes it.
REGISTERS = 6
MODEL, SUBMODEL = "AMD Core Perfctr", "16,23,1,2"


class Stand(stand.Stand):
    """How to start pfmon here."""

    def __init__(self, build, folder):
        super().__init__(folder)
        self.pfmon = str((ROOT / build / "tools/pfmon").resolve())
        self.environment.update(LIBPFM_FORCE_PMU=SUBMODEL,
                                STANDIN_SYSFS=str(self.folder / "sysfs"))
        # A launcher around this one is none of ours.
        for name in list(self.environment):
            if name.startswith(("SLURM_", "OMPI_", "PMI", "PMIX_")):
                del self.environment[name]
        standin = (ROOT / build / "fleet/standin.so").resolve()
        self.words = ["env", f"LD_PRELOAD={standin}", self.pfmon]
        describe_registers(self.folder / "sysfs/pmu_desc")

    def merge(self, *words):
        """Runs pfmon merge, which needs no kernel."""
        return self.run(self.pfmon, "merge", *words)

    @contextlib.contextmanager
    def running(self, *words, log="/dev/null", **changes):
        """A program that runs meanwhile; it is ended whatever happens."""
        with open(self.folder / log, "w", encoding="utf-8") as out, \
                subprocess.Popen([str(word) for word in words],
                                 cwd=self.folder, stdin=subprocess.DEVNULL,
                                 env=dict(self.environment, **changes),
                                 stdout=out, stderr=out) as process:
            try:
                yield process
            finally:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()


def describe_registers(folder):
    """Writes the files that the kernel has in /sys/kernel/perfmon/pmu_desc."""
    folder.mkdir(parents=True)
    (folder / "model").write_text(MODEL + "\n", encoding="ascii")
    for number in range(REGISTERS):
        for kind, name, reserved in (("pmc", "PERFSEL", 0xfffffcf000300000),
                                     ("pmd", "PERFCTR", 0)):
            register = folder / f"{kind}{number}"
            register.mkdir()
            for attribute, text in (("name", f"{name}{number}"),
                                    ("rsvd_msk", f"{reserved:#x}"),
                                    ("dfl_val", "0x100000")):
                (register / attribute).write_text(text + "\n",
                                                  encoding="ascii")


def free_port():
    """A port of loopback that nobody has."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def wait_until(condition, seconds=30):
    """Whether the condition comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False

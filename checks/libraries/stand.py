# SPDX-License-Identifier: GPL-2.0-only
"""Boots of the guest with PAPI, and the log of what was said there."""

import subprocess
import sys

from checks import ROOT, stand, tap

# Of the guest's clock.
SECONDS = 3000


class Stand(stand.Stand):
    """The results so far; with a log."""

    def __init__(self, build):
        folder = ROOT / build / "libraries"
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder)
        self.build = build
        self.log = None

    def __enter__(self):
        # pylint: disable-next=consider-using-with # it is closed by __exit__
        self.log = open(self.folder / "log", "w", encoding="utf-8")
        version = (ROOT / self.build / "papi/version").read_text(encoding="utf-8")
        self.note(f"PAPI {version}")
        return self

    def __exit__(self, *_):
        self.log.close()

    def note(self, text):
        """Puts lines into the log."""
        self.log.write(text.rstrip("\n") + "\n")
        self.log.flush()

    def result(self, name, passed, reason=""):
        """Notes and prints one test."""
        super().result(name, passed, reason)
        self.note(self.results[-1].line())

    def boot(self, cpu, smp, *words):
        """Runs a command in the guest; what it printed, its complaints, its status."""
        name = f"libraries-{cpu}-{words[0].rpartition('/')[2]}"
        done = subprocess.run(
            [sys.executable, "-B", "-m", "checks.run_command", "--build",
             str(self.build), "--name", name, "--cpu", cpu, "--arch", "x86_64",
             "--smp", str(smp), "--files", "libraries", "--timeout", str(SECONDS),
             *words],
            cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False)
        return done.stdout.splitlines(), done.stderr, done.returncode

    def take_over(self, cpu, program):
        """Boots, and takes over what a program in the guest says of each test.

        A kernel that complains makes a status that no test explains.
        """
        lines, complaints, status = self.boot(cpu, 2, program)
        self.note(f"\n{program} on {cpu}:")
        for line in lines:
            if not line.startswith(("ok ", "not ok ", "1..")):
                self.note("  " + line)
        for result in tap.judge_program(f"{cpu}", lines, status):
            self.result(result.name, result.outcome == tap.PASSED,
                        f"{result.reason} {complaints}")

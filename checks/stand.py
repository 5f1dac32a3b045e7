# SPDX-License-Identifier: GPL-2.0-only
"""Results as they come, and programs of others: what the suites on demand share."""

import os
import subprocess
from pathlib import Path

from checks import tap

# Seconds after which a program of others is taken to hang.
TIMEOUT = 60


class Stand:
    """The results so far, and how to start programs in a folder of their own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.results = []
        self.environment = dict(os.environ)

    def result(self, name, passed, reason=""):
        """Notes and prints one test."""
        outcome = tap.PASSED if passed else tap.FAILED
        self.results.append(tap.Result(name, outcome, "" if passed else
                                       str(reason).replace("\n", " | ")))
        print(self.results[-1].line(), flush=True)

    def run(self, *words, **changes):
        """Runs a command in the folder; returns what it wrote and its status."""
        environment = dict(self.environment, **changes)
        try:
            return subprocess.run([str(word) for word in words], text=True,
                                  cwd=self.folder, env=environment,
                                  stdin=subprocess.DEVNULL, check=False,
                                  capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(words, 124, "", f"{late}")

    def finish(self):
        """Prints the sums; the exit status tells whether all have passed."""
        failed = sum(result.outcome == tap.FAILED for result in self.results)
        print(f"{len(self.results) - failed} passed, {failed} failed")
        return 1 if failed or not self.results else 0

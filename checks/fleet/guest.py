# SPDX-License-Identifier: GPL-2.0-only
"""Ranks in the test machine, where perfmon is in the kernel: tests/fleet/ranks_in_guest.

mk/fleet.mk makes the kernel, the disk with the Debian and the initial file system.
"""

import subprocess
import sys

from checks import ROOT, tap

# Of the guest's clock: mpirun reads its libraries from a disk whose answers take
# longer by that clock than by any other.
SECONDS = 600


def test(stand, build, cpu):
    """Boots, and takes over what the guest says of each test.

    A kernel that complains makes a status that no test explains.
    """
    done = subprocess.run(
        [sys.executable, "-B", "-m", "checks.run_command", "--build", build,
         "--name", f"fleet-{cpu}", "--cpu", cpu, "--smp", "2", "--kind", "fleet",
         "--files", "ranks", "--disk", str(ROOT / build / "fleet/debian.img"),
         "--timeout", str(SECONDS), "/fleet/ranks_in_guest"],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False)
    for result in tap.judge_program("guest", done.stdout.splitlines(),
                                    done.returncode):
        stand.result(result.name, result.outcome == tap.PASSED,
                     f"{result.reason} {done.stderr}")

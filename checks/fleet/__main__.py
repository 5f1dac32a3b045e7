# SPDX-License-Identifier: GPL-2.0-only
"""Tests pfmon on many machines with the real programs: `make check-fleet`.

usage: python3 -m checks.fleet BUILD CPU

- mpirun of Open MPI and srun of Slurm start ranks: the names of their files, what the
  files say, and pfmon merge of them
- promtool and prometheus-node-exporter read the textfile
- systemd accepts the service that writes it, and pfmon the service's command
- python's json and scripts for perf stat -x read the formats, in any locale
- each call of perfmon fails, and each option that is refused runs nothing

All of it on this machine, in a temporary folder, over a stand-in for the calls of
perfmon. Then mpirun of a Debian starts ranks in the guest, where counts are true. Ends
in "N passed, N failed".
"""

import os
import sys
import tempfile

from checks.fleet import (faults, formats, guest, prometheus, ranks, refusals,
                          service, slurm)
from checks.fleet.stand import Stand


def test_mpirun(stand):
    """Ranks of Open MPI."""
    root = ["--allow-run-as-root"] if os.getuid() == 0 else []
    ranks.test(stand, "mpirun",
               ["mpirun", *root, "--oversubscribe", "-n", ranks.RANKS])


def main():
    """Runs all tests; the exit status tells whether they passed."""
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="check-fleet-") as folder:
        stand = Stand(sys.argv[1], folder)
        test_mpirun(stand)
        slurm.test(stand)
        prometheus.test(stand)
        service.test(stand)
        formats.test(stand)
        refusals.test(stand)
        faults.test(stand)
        guest.test(stand, *sys.argv[1:])
    return stand.finish()


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0-only
"""Time and memory of what reads a file of very many samples.

usage: measure.py PROGRAM FILE FRAMES [MIB]

PROGRAM is libexec/pfmon/profile; FRAMES are those of a sample. The status is 1 if one of its
verbs that sum up samples by function has needed more than so many MiB, 512 if nothing is said.
What writes each different call chain needs memory for all of them, and is only measured.
"""

import subprocess
import sys

BY_FUNCTION = (("report",), ("export", "callgrind"))
BY_CHAIN = (("export", "folded"), ("export", "pprof"))

# By function, too, but only where there are chains.
OF_CHAINS = (("report", "--callers", "--callees"),)


def measure(program: str, words: tuple[str, ...], name: str) -> tuple[float, float]:
    """Seconds of processor time, and MiB at most, of a process of its own."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss)\n"
    )
    command = [sys.executable, "-c", code, program, *words, name]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    seconds, kib = output.split()
    return float(seconds), float(kib) / 1024


def main() -> int:
    """See the top of the file."""
    if len(sys.argv) not in (4, 5):
        print(__doc__, file=sys.stderr)
        return 2
    program, name, frames = sys.argv[1:4]
    limit = float(sys.argv[4]) if len(sys.argv) == 5 else 512
    above = False
    print(f"{'CPU s':>8} {'MiB':>8}")
    chains = int(frames) > 0
    summed = BY_FUNCTION + (OF_CHAINS if chains else BY_CHAIN)
    for words in summed + (BY_CHAIN if chains else ()):
        seconds, mib = measure(program, words, name)
        above |= mib > limit and words in summed
        print(f"{seconds:8.1f} {mib:8.1f}  {' '.join(words)}", flush=True)
    if above:
        print(f"more than {limit:.0f} MiB", file=sys.stderr)
    return int(above)


if __name__ == "__main__":
    sys.exit(main())

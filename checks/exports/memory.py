# SPDX-License-Identifier: GPL-2.0-only
"""What reads files of samples, under valgrind, which is silent."""

import os

from checks.exports import truth

WORDS = [("report",), ("report", "--inline"), ("script",), ("annotate",)] + [
    ("export", kind) for kind in ("callgrind", "firefox", "perfdata", "pprof")
] + [
    # These are of one event.
    ("export", kind, "-e", truth.EVENTS[0]) for kind in ("flame", "folded", "html")]


def test(stand, record):
    """Each verb and each format."""
    for words in WORDS:
        done = stand.run("valgrind", "--quiet", "--error-exitcode=9",
                         stand.build / "libexec/pfmon/profile", *words,
                         "-o", os.devnull, "-i", record.file)
        stand.result(f"{record.title}: valgrind is silent: {' '.join(words)}",
                     not done.returncode and not done.stderr,
                     f"status {done.returncode}: {done.stderr[:500]}")

# SPDX-License-Identifier: GPL-2.0-only
"""Runs a unit test that has a slip in it, so that it harms nothing.

A slip may kill, remove or fill what it was not meant for. The program has processes
and a /tmp of its own, sees the rest read-only, and has limits.
"""

import os
import resource
import subprocess
from pathlib import Path

from checks import tap

# Seconds, bytes of a file, megabytes.
LIMIT = 60
FILE_LIMIT = 1 << 30
MEMORY_LIMIT = 2000

# The shell stays, as the process that orphans go to.
_SCRIPT = ('mount --bind "$1" /mnt && mount -t tmpfs tmpfs /tmp && '
           'mount -o remount,bind,ro / && cd /mnt && shift && "$@"; exit $?')
_UNSHARE = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


def _limits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def command(tree, words):
    """The command that runs WORDS, relative to a directory, behind the guard."""
    return [*_UNSHARE, "sh", "-c", _SCRIPT, "guarded", str(tree), *words]


def works(tree):
    """Whether this system has what the guard needs."""
    done = subprocess.run(command(tree, ["true"]), check=False, capture_output=True)
    return not done.returncode


def execute(tree, program):
    """The output and the status of a program of a tree, None if it hung."""
    environment = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP",
                       ASAN_OPTIONS=f"hard_rss_limit_mb={MEMORY_LIMIT}")
    try:
        done = subprocess.run(
            command(tree, [str(Path("build", program))]), env=environment, timeout=LIMIT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=_limits, check=False)
    except subprocess.TimeoutExpired as hung:
        return (hung.stdout or b"").decode(errors="replace"), None
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return done.stdout.decode(errors="replace"), status


def results(tree, program):
    """The results of a program, as tap.judge_program() has them."""
    output, status = execute(tree, program)
    return tap.judge_program(program, output.splitlines(), status)

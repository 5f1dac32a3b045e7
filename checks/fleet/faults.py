# SPDX-License-Identifier: GPL-2.0-only
"""Each call of perfmon fails, one after the other, in each way of measuring.

pfmon then either counts and says what is missing, or says in one line what failed and
ends with 125. Nothing is left behind: no session, no command that nobody waits for,
and no command has run of which pfmon had said that it cannot.
"""

import contextlib
import errno
import subprocess

CALLS = ("create", "getinfo", "sets", "write", "attach", "start", "stop", "read",
         "detach")
ERRORS = (errno.EMFILE, errno.ENOMEM, errno.EEXIST, errno.ESRCH)
EVENTS = ["-e", "instructions"]

# Words before the command, or "PID" where there is none.
MODES = {
    "classic": EVENTS,
    "of threads": ["--follow=ptrace", *EVENTS],
    "stat": ["stat", *EVENTS],
    "sets": [*EVENTS, "-e", "cycles"],
    "all CPUs": ["stat", "-a", *EVENTS],
    "repeated": ["stat", "-r", "2", *EVENTS],
    "intervals": ["stat", "-I", "5", *EVENTS],
    "attached": ["stat", *EVENTS, "--timeout", "50", "-p", "PID"],
}


@contextlib.contextmanager
def target():
    """A process to attach to."""
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            yield str(process.pid)
        finally:
            process.kill()


def measure(stand, words, pid, **changes):
    """Runs pfmon; returns what it did, what was left open, whether CMD ran."""
    left, made = stand.folder / "left", stand.folder / "made"
    for file in left, made:
        file.unlink(missing_ok=True)
    words = [pid if word == "PID" else word for word in words]
    command = [] if pid in words else ["touch", made]
    done = stand.run(*stand.words, *words, *command, STANDIN_LEFT=str(left),
                     **changes)
    open_at_exit = left.read_text(encoding="ascii") if left.exists() else "0\n"
    return done, open_at_exit.strip(), made.exists()


def wrong_with(call, done, left, ran):
    """What is wrong with the end of a run in which a call failed."""
    lines = done.stderr.splitlines()
    # Of each thread that cannot be counted there is a note.
    said = [line for line in lines if line.startswith("pfmon: ") and
            not line.startswith("pfmon: note: ")]
    # Of intervals that are over there are reports.
    others = [line for line in lines if not line.startswith(("pfmon: ", " "))]
    wrong = []
    if left != "0":
        wrong.append(f"{left} sessions are left open")
    if done.returncode not in (0, 125):
        wrong.append(f"status {done.returncode}")
    if done.returncode == 125:
        # Of the obstacles to a first session each has a line.
        if others or not said or len(said) > 1 and call != "create":
            wrong.append(f"{len(said)} messages, {len(others)} other lines")
        if ran and "after the run" not in done.stderr:
            wrong.append("the command has run")
    return wrong


def test_mode(stand, name, words, pid):
    """All calls and errors of one way of measuring."""
    wrong, failed = [], 0
    done, left, ran = measure(stand, words, pid)
    if done.returncode or left != "0" or ran != ("PID" not in words):
        wrong.append(f"without a fault: {done.stderr}, {left} left")
    for call in CALLS:
        for error in ERRORS:
            for number in 1, 2:
                fault = f"{call}:{number}:{error}"
                end = measure(stand, words, pid, STANDIN_FAIL=fault)
                failed += end[0].returncode == 125
                wrong += [f"{fault}: {why}: {end[0].stderr}"
                          for why in wrong_with(call, *end)]
    stand.result(f"each call may fail: {name}", not wrong and failed > 8,
                 f"{failed} failed; {' '.join(wrong)}")


def test_old_kernel(stand):
    """What needs to read running threads is refused before anything runs."""
    for words, said in ((["-I", "10"], "-I: this kernel cannot read running"),
                        (["-D", "10"], "-D: this kernel cannot start running")):
        done, _, ran = measure(stand, ["stat", *words, *EVENTS], "",
                               STANDIN_OLD="1")
        stand.result(f"an older kernel: {words[0]} is refused",
                     done.returncode == 125 and not ran and
                     done.stderr.count("\n") == 1 and
                     f"pfmon: {said}" in done.stderr, done.stderr)
    done, _, ran = measure(stand, ["stat", *EVENTS], "", STANDIN_OLD="1")
    stand.result("an older kernel: a command is counted",
                 done.returncode == 0 and ran, done.stderr)


def test(stand):
    """All of it."""
    with target() as pid:
        for name, words in MODES.items():
            test_mode(stand, name, words, pid)
    test_old_kernel(stand)

# SPDX-License-Identifier: GPL-2.0-only
"""Reads the lists of what is no reason to fail a boot: log-allow, skip-allow.

Each line is a regular expression; it may begin with conditions that the boot
must fulfil, "debug,-smp: ". The conditions are the words of WORDS and KINDS, the names
of processors of machine/cpus, and those of groups of the plan; "-word" asks
for the opposite.
"""

import re

from checks import rows


# What a boot can be, beside its processor.
WORDS = {"smp", "kvm", "crash", "machine", "guest", "stress", "fuzz", "kexec",
         "stock"}

# Kinds of kernels, as in mk/kernel.mk and mk/module.mk. "stock" stands for all with
# the module, "debug" for both that look at themselves.
KINDS = {"debug", "bench", "distro", "rt", "kcsan", "gcov", "fleet", "stockdebug"} | {
    f"stock{series}{flavour}" for flavour in ("", "-cloud", "-rt")
    for series in ("6.1", "6.12", "6.12-deb13", "7.2", "7.3")}

_CONDITIONS = re.compile(r"(-?\w[-.\w]*(?:,-?\w[-.\w]*)*): ")


def conditions(guest):
    """The words that are true of a boot."""
    suite = guest.name.partition("/")[0]
    met = {"smp": guest.smp > 1, "kvm": guest.accel == "kvm",
           "crash": guest.crashes,
           "stock": guest.stock,
           "debug": guest.kind.endswith("debug"),
           guest.kind: guest.kind != ""}
    # A suite may be called like its kind of kernel.
    met.setdefault(suite, suite in WORDS)
    words = rows.groups().words_for(guest.cpu) - {"x86_64", "i386"}
    return words | {guest.arch} | {word for word, is_met in met.items()
                                   if is_met}


def split(line):
    """Returns the conditions of a line and its expression."""
    match = _CONDITIONS.match(line)
    words = match.group(1).split(",") if match else []
    known = WORDS | KINDS | rows.groups().words()
    # Else it is a message with a colon.
    if not match or any(word.lstrip("-") not in known for word in words):
        return [], line
    return words, line[match.end():]


def is_met(word, boot):
    """Whether a boot with the conditions BOOT fulfils one condition."""
    if word.startswith("-"):
        return word[1:] not in boot
    return word in boot


def expressions(lines, boot):
    """The expressions in LINES that apply to a boot with the conditions BOOT."""
    found = []
    for line in lines:
        if not line or line.startswith("#"):
            continue
        words, expression = split(line)
        if all(is_met(word, boot) for word in words):
            found.append(re.compile(expression))
    return found


def read(path, boot):
    """The same of a file."""
    return expressions(path.read_text(encoding="utf-8").splitlines(), boot)

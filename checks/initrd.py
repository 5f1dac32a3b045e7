# SPDX-License-Identifier: GPL-2.0-only
"""Makes the initial file system of one boot out of that of all of them.

Used by boot.py. All test programs together take more memory than a guest has,
and longer to unpack than most of them run.
"""

import mmap
import stat

from checks.mkinitramfs import Archive

HEADER = 110  # bytes; the name and then the data follow, each padded to 4
TRAILER = b"TRAILER!!!"
TESTS = b"tests/"

# The words of init: more than fit on the kernel's command line.
WORDS = "/init-words"

# What programs need beside themselves, by their names: another directory.
COMPANIONS = {b"examples_run": b"examples/", b"tutorial_run": b"tutorial/",
              b"nextkernel": b"boot/", b"pfmon_truth": b"truth/",
              b"perf_beside": b"truth/"}

# Who needs the one that all programs share: those of pfmon, and these.
TOOLS = b"tools/"
OF_PFMON = b"pfmon_"
TOOL_USERS = {b"atexec", b"family_samples", b"family_waits", b"inherit", b"precise_room",
              b"suspend", b"throttle", b"bench_follow", b"bench_parts", b"bench_record",
              b"perf_beside"}


def entries(archive):
    """Yields (name, bytes of the whole entry) of a cpio archive, "newc"."""
    at = 0
    while True:
        size = int(archive[at + 54:at + 62], 16)
        name_size = int(archive[at + 94:at + 102], 16)
        data = -(-(at + HEADER + name_size) // 4) * 4
        end = -(-(data + size) // 4) * 4
        name = archive[at + HEADER:at + HEADER + name_size - 1]
        yield name, archive[at:end]
        if name == TRAILER:
            return
        at = end


def companions(word):
    """The directories of what a program needs beside itself."""
    directory, _, program = word.rpartition(b"/")
    if program.startswith(OF_PFMON) or program in TOOL_USERS:
        yield TOOLS
    if program in COMPANIONS:
        yield (directory + b"/" if directory else b"") + COMPANIONS[program]


def is_wanted(name, words):
    """Whether a file is no test program, or one of those that are named."""
    if not name.startswith(TESTS):
        return True
    name = name[len(TESTS):]
    return name in words or any(name.startswith(beside) for word in words
                                for beside in companions(word))


def is_directory(entry):
    """Whether an entry is one."""
    return int(entry[14:22], 16) & 0o170000 == 0o040000


def named(words):
    """What the words of init name, and their arguments."""
    return {word.removeprefix("+").removeprefix("/tests/").encode()
            for word in words}


def select(source, destination, words):
    """Copies an archive without the test programs that no word of init names.

    Adds the words as a file, separated by commas.
    """
    wanted = named(words)
    with open(source, "rb") as stream, open(destination, "wb") as output:
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as archive:
            for name, entry in entries(archive):
                if name != TRAILER and (is_directory(entry) or
                                        is_wanted(name, wanted)):
                    output.write(entry)
        own = Archive()
        own.add(WORDS, stat.S_IFREG | 0o644, ",".join(words).encode())
        own.write(output)

# SPDX-License-Identifier: GPL-2.0-only
"""Finds the shared libraries that a program needs, without executing anything: the
program may be for another word size, which the host's kernel need not execute.

Used by mkinitramfs.py, in the place of ldd, which executes the program's loader.
"""

import functools
import os
import re
import subprocess
import sys

# How `ldconfig -p` marks libraries of each ELF class, and where the guest's loader
# looks for them.
KINDS = {1: "libc6", 2: "libc6,x86-64"}
GUEST_FOLDERS = {1: "/lib32", 2: "/usr/lib"}


def elf_class(path):
    """1 for a 32-bit ELF file, 2 for a 64-bit one, None for any other file."""
    with open(path, "rb") as stream:
        magic = stream.read(5)
    return magic[4] if len(magic) == 5 and magic[:4] == b"\x7fELF" else None


@functools.cache
def system_libraries():
    """{(name, kind): path} of the libraries in the cache of the host's loader. Those for
    processors with further instructions are other kinds, which no guest looks for."""
    lines = subprocess.run(["/sbin/ldconfig", "-p"], check=True, text=True,
                           capture_output=True, env={"LC_ALL": "C"}).stdout
    found = {}
    for name, kind, path in re.findall(r"^\t(\S+) \((.*?)\) => (.*)$", lines,
                                       re.MULTILINE):
        found.setdefault((name, kind.split(", OS ABI")[0]), path)
    return found


@functools.cache
def dynamic(path):
    """What an ELF file says that it needs: its loader or None, and the names of
    libraries."""
    text = subprocess.run(["readelf", "-ldW", path], check=True, text=True,
                          capture_output=True,
                          env=dict(os.environ, LC_ALL="C")).stdout
    loader = re.search(r"program interpreter: (.*)\]", text)
    return (loader and loader[1],
            re.findall(r"\(NEEDED\)\s+Shared library: \[(.*)\]", text))


def find(name, bits, folders):
    """The path of a library for this ELF class, or None."""
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and elf_class(path) == bits:
            return path
    return system_libraries().get((name, KINDS[bits]))


def libraries(program, library_path):
    """Returns {guest path: file} of the shared libraries that PROGRAM needs, its loader
    among them; {} if it is no ELF file or linked statically. LIBRARY_PATH has folders
    that are searched first, with colons between them. Ends the program if a library
    is missing."""
    bits = elf_class(program)
    if bits not in KINDS:
        return {}
    folders = [folder for folder in library_path.split(":") if folder]
    loader, wanted = dynamic(program)
    found = {loader: loader} if loader else {}
    while wanted:
        name, *wanted = wanted
        path = f"{GUEST_FOLDERS[bits]}/{name}"
        # libc needs the loader, which the program has named already.
        if path in found or name.startswith("ld-linux"):
            continue
        found[path] = find(name, bits, folders)
        if not found[path]:
            sys.exit(f"mkinitramfs: {program} needs {name}, which is not found")
        wanted += dynamic(found[path])[1]
    return found

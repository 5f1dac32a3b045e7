# SPDX-License-Identifier: GPL-2.0-only
"""Writes the guest's initial file system: a cpio archive, no root needed.

usage: python3 -m checks.mkinitramfs --output CPIO [--busybox FILE]
           [--library-path DIR] GUEST-PATH=FILE...

Used by mk/guest.mk. Every file gets its mode from the host; shared libraries
that a program needs come along; busybox gets a link for each of its applets.
The same input gives the same bytes: no time stamps, no owners, a fixed order.
"""

import argparse
import os
import stat
import subprocess
from pathlib import Path

from checks.shared_libraries import libraries

DIRECTORIES = ("/dev", "/proc", "/sys", "/tmp", "/root", "/etc", "/var")

ETC = {
    "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\n"
                   "nobody:x:65534:65534:nobody:/:/bin/false\n",
    "/etc/group": "root:x:0:\nnogroup:x:65534:\n",
}

# The console that the kernel opens for init before anything is mounted.
CONSOLE_MAJOR, CONSOLE_MINOR = 5, 1


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", required=True)
    parser.add_argument("--busybox")
    parser.add_argument("--library-path", default="")
    parser.add_argument("files", nargs="+")
    return parser.parse_args()


class Archive:
    """A tree of files, written in cpio's "newc" format."""

    def __init__(self):
        self.entries = {}

    def add(self, path, mode, data=b"", device=(0, 0)):
        """Adds an entry, and the directories above it."""
        for parent in list(Path(path).parents)[-2::-1]:
            self.entries.setdefault(
                str(parent), (stat.S_IFDIR | 0o755, b"", (0, 0)))
        self.entries[path] = (mode, data, device)

    def add_file(self, path, source):
        """Adds a file of the host."""
        mode = 0o755 if os.access(source, os.X_OK) else 0o644
        self.add(path, stat.S_IFREG | mode, Path(source).read_bytes())

    def add_link(self, path, target):
        """Adds a symbolic link."""
        self.add(path, stat.S_IFLNK | 0o777, target.encode())

    def write(self, stream):
        """Writes the archive."""
        for inode, path in enumerate(sorted(self.entries), 1):
            self._write_entry(stream, path.lstrip("/"), inode,
                              self.entries[path])
        self._write_entry(stream, "TRAILER!!!", 0, (0, b"", (0, 0)))

    @staticmethod
    def _write_entry(stream, name, inode, entry):
        mode, data, device = entry
        name = name.encode() + b"\0"
        links = 2 if stat.S_ISDIR(mode) else 1
        fields = (inode, mode, 0, 0, links, 0, len(data), 0, 0,
                  *device, len(name), 0)
        header = b"070701" + b"".join(b"%08X" % f for f in fields) + name
        for part in (header, data):
            stream.write(part + b"\0" * (-len(part) % 4))


def add_busybox(archive, busybox):
    """Adds busybox and its applets. The host's own lists them, since this one may be
    for i386, which the host need not execute: it is of the same version."""
    archive.add_file("/bin/busybox", busybox)
    applets = subprocess.run(["/bin/busybox", "--list-full"], check=True,
                             capture_output=True, text=True).stdout
    for applet in applets.split():
        if f"/{applet}" not in archive.entries:
            archive.add_link(f"/{applet}", "/bin/busybox")


def main():
    """Collects the files and writes the archive."""
    args = parse_arguments()
    archive = Archive()
    for path in DIRECTORIES:
        archive.add(path, stat.S_IFDIR | 0o755)
    archive.add("/dev/console", stat.S_IFCHR | 0o600,
                device=(CONSOLE_MAJOR, CONSOLE_MINOR))
    for path, text in ETC.items():
        archive.add(path, stat.S_IFREG | 0o644, text.encode())
    for word in args.files:
        path, _, source = word.partition("=")
        archive.add_file(path, source)
        for library, origin in libraries(source, args.library_path).items():
            archive.add_file(library, origin)
    if args.busybox:
        add_busybox(archive, args.busybox)

    temporary = args.output + ".new"
    with open(temporary, "wb") as stream:
        archive.write(stream)
    os.rename(temporary, args.output)


if __name__ == "__main__":
    main()

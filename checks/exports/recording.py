# SPDX-License-Identifier: GPL-2.0-only
"""Writes a file of samples as pfmon record does, by tools/pfmon/profile/pfmd.h alone.

Nothing of pfmon takes part: what it makes of the file is held against what was written.
"""

import json
import struct

from checks.exports import truth

META, TASK, MAP, SAMPLES, SYMBOLS, END, STACKS = 1, 2, 3, 4, 7, 8, 9
FORK, EXEC = 1, 2
KERNEL_PROCESS = 0xffffffff
EXECUTABLE = 5  # PROT_READ | PROT_EXEC
BUILD_ID_NOTE = struct.pack("<III", 4, 20, 3) + b"GNU\0"

MASK = (1 << 64) - 1


def crc32c(data):
    """The checksum of the last chunk."""
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82f63b78 if value & 1 else 0)
        table.append(value)
    crc = 0xffffffff
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return crc ^ 0xffffffff


def chunk(kind, payload):
    """Header, payload, and zeros up to a multiple of 8."""
    return struct.pack("<IIQ", kind, 0, len(payload)) + payload + \
        b"\0" * (-len(payload) % 8)


def build_id(file):
    """What the linker wrote into a program."""
    with open(file, "rb") as stream:
        data = stream.read()
    at = data.index(BUILD_ID_NOTE) + len(BUILD_ID_NOTE)
    return data[at:at + 20]


def meta(chains):
    """The first chunk."""
    events = [{"id": i, "name": name, "native": name.upper(), "level": "all",
               "period": period, "pmd": i, "smpl_pmds": []}
              for i, (name, period) in enumerate(zip(truth.EVENTS,
                                                     truth.PERIODS))]
    about = {"version": 1, "argv": ["pfmon", "record"], "command": ["program"],
             "host": "elsewhere", "kernel": "6.12", "clock": "sched",
             "mappings": "perf", "streams": "threads", "rank": truth.RANK,
             "events": events}
    if chains:
        about["frames"] = 127
    return chunk(META, json.dumps(about).encode())


def task(kind, tid, parent):
    """A thread begins, or a program in it."""
    return chunk(TASK, struct.pack("<QIIII", truth.BEGIN, truth.PROCESS[tid], tid,
                                   parent, kind) +
                 truth.NAMES[tid].encode() + b"\0")


def mapping(tgid, address, offset, path, ident=bytes(20)):
    """What a process has at an address."""
    return chunk(MAP, struct.pack("<QQQQII20s", truth.BEGIN, address, truth.SIZE,
                                  offset, tgid, EXECUTABLE, ident) +
                 path.encode() + b"\0")


def kernel_symbols():
    """Those of the kernel: nobody finds them elsewhere."""
    names, rows = b"", b""
    for name, begin in sorted(truth.KERNEL.items(), key=lambda row: row[1]):
        rows += struct.pack("<QII", begin, truth.FUNCTION_SIZE, len(names))
        names += name.encode() + b"\0"
    return chunk(SYMBOLS, struct.pack("<20sIII", bytes(20), len(truth.KERNEL),
                                      len(names), 0) + rows + names +
                 b"[kernel]\0")


def entry(row, time, chains):
    """A sample as the kernel writes it."""
    ips = [frame.address for frame in reversed(row.frames)]
    reset = -row.period & MASK
    fixed = struct.pack("<IHHQQQHHI", row.tid, row.event, 0, reset, ips[0],
                        time, 1, 0, row.tgid)
    if not chains:
        return fixed
    kernel = sum(ip >> 63 for ip in ips)
    return fixed + struct.pack("<HHHH", len(fixed) + 8 + 8 * len(ips), len(ips),
                               kernel, 0) + struct.pack(f"<{len(ips)}Q", *ips)


def samples(what):
    """A chunk of each thread, and how many samples all have."""
    streams = {}
    for row, time in zip(what.order, what.nanoseconds()):
        streams[row.tid] = streams.get(row.tid, b"") + \
            entry(row, time, what.chains)
    return b"".join(chunk(STACKS if what.chains else SAMPLES,
                          struct.pack("<II", tid, 0) + entries)
                    for tid, entries in streams.items()), len(what.order)


def write(file, what):
    """Writes what the truth says."""
    program, library = what.files
    chunks, count = samples(what)
    data = b"PFMD0001" + meta(what.chains)
    data += task(EXEC, truth.MAIN, 0)
    data += mapping(KERNEL_PROCESS, truth.KERNEL_BEGIN, 0, "[kernel]")
    for tgid in truth.MAIN, truth.CHILD:
        if tgid == truth.CHILD:
            data += task(FORK, truth.CHILD, truth.MAIN)
            data += task(EXEC, truth.CHILD, 0)
        data += mapping(tgid, truth.PROGRAM_BEGIN, truth.FIRST_PLACE, program,
                        build_id(program))
        data += mapping(tgid, truth.LIBRARY_BEGIN[tgid], truth.FIRST_PLACE, library,
                        build_id(library))
    data += task(FORK, truth.WORKER, truth.MAIN)
    data += chunks + kernel_symbols()
    data += chunk(END, struct.pack("<QII", count, crc32c(data), 0))
    file.write_bytes(data)

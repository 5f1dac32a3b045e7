# SPDX-License-Identifier: GPL-2.0-only
"""What must hold of pfmon's files under any launcher of ranks."""

import json
import random

from checks.fleet.stand import FIRST, STEP

RANKS = 4
MEASURED = ["stat", "-j", "-e", "instructions"]


def have_files(stand, launcher, launch):
    """LAUNCH starts pfmon RANKS times; returns the files of the ranks."""
    done = stand.run(*launch, *stand.words, *MEASURED, "-o", f"{launcher}.%r.json",
                     "--", "true")
    files = sorted(stand.folder.glob(f"{launcher}.*"))
    names = [file.name for file in files]
    stand.result(f"{launcher}: each rank has a file, and nothing else is left",
                 done.returncode == 0 and names == [
                     f"{launcher}.{rank}.json" for rank in range(RANKS)],
                 f"status {done.returncode}, {names}: {done.stderr}")
    return files


def know_their_places(stand, launcher, files):
    """Each file says which rank of how many it is."""
    places = []
    for file in files:
        result = json.loads(file.read_text(encoding="utf-8"))
        places.append((result.get("rank"), result.get("ranks"),
                       result["events"][0]["count"]))
    stand.result(f"{launcher}: each file says which rank of how many it is",
                 places == [(str(rank), RANKS, FIRST + STEP * rank)
                            for rank in range(RANKS)], places)


def are_merged(stand, launcher, files):
    """The sum, the imbalance, any order, and a rank that is missing."""
    done = stand.merge("-j", *files)
    merged = json.loads(done.stdout or "{}")
    event = merged.get("merged", [{}])[0]
    most, mean = FIRST + STEP * (RANKS - 1), FIRST + STEP * (RANKS - 1) / 2
    stand.result(f"{launcher}: merge adds the ranks up",
                 merged.get("parts") == RANKS and merged["missing"] == "" and
                 event.get("sum") == mean * RANKS and
                 event.get("max_part") == f"rank {RANKS - 1}" and
                 abs(event.get("imbalance", 0) - most / mean) < 1e-9,
                 done.stdout + done.stderr)
    shuffled = random.sample(files, len(files))
    stand.result(f"{launcher}: merge does not depend on the order",
                 stand.merge("-j", *shuffled).stdout == done.stdout)
    done = stand.merge(*files[:1], *files[2:])
    stand.result(f"{launcher}: merge names the rank that is missing",
                 done.returncode == 0 and "missing: rank 1" in done.stderr,
                 done.stderr)


def are_added_to_names(stand, launcher, launch):
    """A name without %r would be one for all."""
    stand.run(*launch, *stand.words, *MEASURED, "-o", f"{launcher}-plain", "--",
              "true")
    names = sorted(file.name for file in
                   stand.folder.glob(f"{launcher}-plain*"))
    stand.result(f"{launcher}: a name without %r gets the rank",
                 names == [f"{launcher}-plain.{rank}" for rank in range(RANKS)],
                 names)


def pass_the_status_on(stand, launcher, launch):
    """The launcher learns that a command has failed."""
    done = stand.run(*launch, *stand.words, *MEASURED, "-o",
                     f"{launcher}-failed", "--", "sh", "-c", "exit 3")
    stand.result(f"{launcher}: a command's failure is its rank's",
                 done.returncode == 3, f"status {done.returncode}")


def test(stand, launcher, launch):
    """All of it. LAUNCH: the words before the program, which is run RANKS times."""
    files = have_files(stand, launcher, launch)
    know_their_places(stand, launcher, files)
    are_merged(stand, launcher, files)
    are_added_to_names(stand, launcher, launch)
    pass_the_status_on(stand, launcher, launch)

# SPDX-License-Identifier: GPL-2.0-only
"""systemd's service for node_exporter: what systemd says of it, and what it starts.

systemd does not run here. Its command does, with the variables of the unit in their
places as systemd.service(5) has it, and another directory in place of /run/pfmon.
"""

import re
import shlex
import signal
import subprocess
from pathlib import Path

from checks import ROOT
from checks.fleet.prometheus import checked, node_exporter, scrape
from checks.fleet.stand import FIRST, wait_until

UNIT = ROOT / "tools/pfmon/systemd/pfmon.service.in"
SETTINGS = ROOT / "debian/pfmon.default"

# Of 10, of systemd-analyze security: the capability, the module's device, and a /proc
# and / that are the machine's.
EXPOSURE = 1.0


def installed(stand):
    """The unit as it would be installed for the pfmon that was built."""
    file = stand.folder / "pfmon.service"
    text = UNIT.read_text(encoding="utf-8")
    file.write_text(text.replace("@bindir@", str(Path(stand.pfmon).parent)),
                    encoding="utf-8")
    return file


def is_accepted(stand, file):
    """systemd has nothing to say of the unit, and little can be done with it."""
    # The page is installed nowhere.
    done = stand.run("systemd-analyze", "verify", "--man=no", file)
    stand.result("systemd accepts the service", done.returncode == 0 and
                 not done.stdout + done.stderr, done.stdout + done.stderr)
    done = stand.run("systemd-analyze", "security", "--offline=yes",
                     "--no-pager", file)
    found = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    stand.result("the service exposes little", found and
                 float(found.group(1)) <= EXPOSURE,
                 found.group(0) if found else done.stdout + done.stderr)


def settings(unit):
    """The variables that the unit sets."""
    return dict(word.split("=", 1)
                for line in re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)
                for word in shlex.split(line))


def command(unit, variables):
    """The words that systemd would execute: $NAME alone is as many as it has."""
    words = []
    for word in re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1].split():
        if re.fullmatch(r"\$\w+", word):
            words += variables[word[1:]].split()
        else:
            words.append(re.sub(r"\$\{(\w+)\}",
                                lambda name: variables[name[1]], word))
    return words


def are_documented(stand, variables):
    """The package's file of settings tells what holds without it."""
    text = SETTINGS.read_text(encoding="utf-8")
    told = dict(re.findall(r"^#(PFMON_\w+)=(.*)$", text, re.MULTILINE))
    stand.result("the file of settings has the values of the service",
                 told == variables, f"{told} {variables}")


def writes_series(stand, unit, variables):
    """Until SIGTERM, which is no failure, for a node_exporter that follows a link."""
    folder = stand.folder / "run"
    links = stand.folder / "links"
    for made in folder, links:
        made.mkdir()
    file = folder / "pfmon.prom"
    (links / "pfmon.prom").symlink_to(file)
    words = command(unit, dict(variables, PFMON_DIRECTORY=str(folder),
                               PFMON_INTERVAL="100",
                               PFMON_OPTIONS="--per-cpu -C 0"))
    with stand.running(*stand.words[:-1], *words, log="service.log",
                       STANDIN_YIELDS="1") as process, \
            node_exporter(stand, links) as address:
        for _ in range(3):
            wait_for_new(file)
        answer = scrape(address)
        process.send_signal(signal.SIGTERM)
        status = end_of(process)
    log = (stand.folder / "service.log").read_text(encoding="utf-8")
    series = 'pfmon_events_total{cpu="0",event="instructions",level="user",' \
        f'scope="system"}} {FIRST:.0e}\n'
    stand.result("pfmon accepts the command of the service, and writes series",
                 file.exists() and status == 0, f"status {status}: {log}")
    stand.result("node_exporter reads them through a link", series in answer,
                 answer)
    checked(stand, "the service", file)
    # A tenth of a second may pass while this machine does something else.
    said = [line for line in log.splitlines()
            if not re.search(r"\d intervals? w(as|ere) missed; ", line)]
    stand.result("that it yields is said once, not at each interval",
                 len(said) == 1 and "not counted all along" in said[0], log)


def wait_for_new(file):
    """Until it is written once more."""
    def written():
        return file.stat().st_mtime_ns if file.exists() else 0
    before = written()
    return wait_until(lambda: written() != before)


def end_of(process):
    """Its exit status; nothing if it goes on."""
    try:
        return process.wait(30)
    except subprocess.TimeoutExpired:
        return None


def test(stand):
    """All of it."""
    file = installed(stand)
    unit = file.read_text(encoding="utf-8")
    variables = settings(unit)
    is_accepted(stand, file)
    are_documented(stand, variables)
    writes_series(stand, unit, variables)

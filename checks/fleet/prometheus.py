# SPDX-License-Identifier: GPL-2.0-only
"""Prometheus' own programs read pfmon's textfile: promtool and node_exporter."""

import contextlib
import re
import subprocess
import urllib.error
import urllib.request

from checks.fleet.stand import FIRST, free_port, wait_until

SERIES = re.compile(r'^pfmon_events_total\{(.*)\} (\S+)$', re.MULTILINE)
SCRAPES = 40


def checked(stand, name, file):
    """promtool accepts the file, and has nothing to say of it."""
    with open(file, encoding="utf-8") as text:
        done = subprocess.run(["promtool", "check", "metrics"], stdin=text,
                              text=True, capture_output=True, check=False,
                              timeout=60)
    stand.result(f"promtool accepts what {name} writes",
                 done.returncode == 0 and not done.stdout + done.stderr,
                 done.stdout + done.stderr)


def test_promtool(stand, folder):
    """One command, and a system with a series for each CPU."""
    file = folder / "command.prom"
    stand.run(*stand.words, "stat", "-e", "instructions,cycles", "--textfile",
              file, "--", "true")
    checked(stand, "a command", file)
    file = folder / "cpus.prom"
    stand.run(*stand.words, "stat", "-a", "-I", "50", "--interval-count", "2",
              "--per-cpu", "-e", "instructions", "--textfile", file)
    checked(stand, "a system, by CPUs,", file)
    file.unlink()


def scrape(address):
    """What node_exporter answers; nothing if it does not."""
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.read().decode()
    except (ValueError, urllib.error.URLError, OSError):
        return ""


def test_renewed(stand, address, folder):
    """While pfmon writes the file anew, each answer has the whole of it."""
    file = folder / "system.prom"
    with stand.running(*stand.words, "stat", "-a", "-I", "20", "-e",
                       "instructions", "--textfile", file):
        begun = wait_until(file.exists)
        answers = [scrape(address) for _ in range(SCRAPES)]
    whole = [len(SERIES.findall(answer)) == 3 and
             "node_textfile_scrape_error 0" in answer for answer in answers]
    stand.result("node_exporter never sees half a file while pfmon renews it",
                 begun and all(whole),
                 f"{whole.count(False)} of {SCRAPES} answers")


@contextlib.contextmanager
def node_exporter(stand, folder):
    """Runs it on a folder of textfiles; yields its address, or nothing."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/metrics"
    with stand.running("prometheus-node-exporter",
                       "--collector.disable-defaults", "--collector.textfile",
                       f"--collector.textfile.directory={folder}",
                       f"--web.listen-address=127.0.0.1:{port}",
                       log="node_exporter.log"):
        yield address if wait_until(lambda: scrape(address)) else ""


def test_node_exporter(stand, folder):
    """The series are among those of the machine."""
    with node_exporter(stand, folder) as address:
        found = dict(SERIES.findall(scrape(address)))
        log = (stand.folder / "node_exporter.log").read_text(encoding="utf-8")
        stand.result("node_exporter has pfmon's series", found == {
            f'event="{event}",level="user",scope="command"': f"{FIRST:.0e}"
            for event in ("instructions", "cycles")},
                     f"{found} {log}")
        test_renewed(stand, address, folder)


def test(stand):
    """Both."""
    folder = stand.folder / "textfile"
    folder.mkdir()
    test_promtool(stand, folder)
    test_node_exporter(stand, folder)

# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of exports share: recordings, and pfmon that writes them anew."""

from dataclasses import dataclass
from pathlib import Path

from checks import ROOT, stand
from checks.exports import recording, truth


@dataclass
class Recording:
    """A file of samples, and what is in it."""

    title: str
    file: Path
    truth: truth.Truth


class Stand(stand.Stand):
    """Recordings and pfmon."""

    def __init__(self, build, folder, pictures=None):
        super().__init__(folder)
        self.pictures = pictures and Path(pictures)
        self.build = (ROOT / build).resolve()
        # Programs of others keep their settings in the folder, and ask nobody.
        self.environment.update(HOME=str(self.folder), LC_ALL="C.UTF-8",
                                TZ="UTC", PPROF_TMPDIR=str(self.folder),
                                DEBUGINFOD_URLS="", XDG_CONFIG_HOME="",
                                PERF_BUILDID_DIR=str(self.folder / "ids"))
        files = (str(self.build / "exports/program"),
                 str(self.build / "exports/library.so"))
        self.recordings = []
        for title in "chains", "no chains":
            what = truth.Truth(files, title == "chains")
            file = self.folder / f"{title.replace(' ', '-')}.data"
            recording.write(file, what)
            self.recordings.append(Recording(title, file, what))

    def profile(self, *words):
        """Runs a verb of pfmon that reads a file of samples."""
        return self.run(self.build / "libexec/pfmon/profile", *words)

    def export(self, record, kind, *words):
        """Exports a recording; returns the file. None: pfmon failed, as a result says."""
        name = "-".join([record.file.stem, kind, *words]).replace("--", "-")
        file = self.folder / f"{name}.export"
        done = self.profile("export", kind, *words, record.file, "-o", file)
        if done.returncode or done.stderr:
            self.result(f"{record.title}: pfmon exports {kind}", False,
                        f"status {done.returncode}: {done.stderr}")
            return None
        return file

    def picture(self, record, name, page):
        """Keeps a picture of a page for people, if any are wanted."""
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            name = f"{record.title} {name}".replace(",", "").replace(" ", "-")
            page.picture(self.pictures / f"{name}.png")

    def same(self, record, name, found, wanted):
        """One test: two mappings are equal; the reason names what differs."""
        # What is wanted of nothing is a test that cannot fail.
        keys = [key for key in {**wanted, **found}
                if found.get(key) != wanted.get(key)]
        differ = ", ".join(f"{key}: {found.get(key)}, not {wanted.get(key)}"
                           for key in keys[:5])
        self.result(f"{record.title}: {name}", bool(wanted) and not keys, differ)

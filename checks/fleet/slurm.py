# SPDX-License-Identifier: GPL-2.0-only
"""Slurm of this machine alone: its two daemons on loopback, without accounts,
cgroups and keys, in a folder of their own, ended when the tests are."""

import contextlib
import getpass
import json
import os
import socket

from checks.fleet import ranks
from checks.fleet.stand import free_port, wait_until

CONFIGURATION = """\
ClusterName=fleet
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPort={controller}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/linear
SwitchType=switch/none
MpiDefault=none
PlugStackConfig=/dev/null
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=2 State=UP
"""

BATCH = """\
#!/bin/sh
{pfmon} -o 'batch.%j' -- true
srun -n 2 --overcommit {pfmon} -o 'step.%j' -- true
"""


@contextlib.contextmanager
def cluster(stand):
    """Yields whether it works; stand.environment then leads to it."""
    folder = stand.folder / "slurm"
    for name in "state", "spool":
        (folder / name).mkdir(parents=True)
    # Absolute: the jobs inherit it.
    file = folder / "slurm.conf"
    file.write_text(CONFIGURATION.format(
        host=socket.gethostname().partition(".")[0], user=getpass.getuser(),
        controller=free_port(), node=free_port(), folder=folder,
        cpus=os.cpu_count()), encoding="utf-8")
    stand.environment["SLURM_CONF"] = str(file)
    with stand.running("slurmctld", "-D", "-f", file, log="slurm/controller"), \
            stand.running("slurmd", "-D", "-f", file, log="slurm/node"):
        try:
            yield wait_until(lambda: stand.run("sinfo", "-h", "-o", "%T")
                             .stdout.strip() == "idle")
        finally:
            # The processes of a job are children of neither daemon.
            stand.run("scancel", "--user", getpass.getuser())
            wait_until(lambda: not stand.run("squeue", "-h").stdout.strip(), 10)
    del stand.environment["SLURM_CONF"]


def rank_of(file):
    """The rank that a file of pfmon's names; None: it names none."""
    return json.loads(file.read_text(encoding="utf-8")).get("rank")


def test_batch(stand):
    """A batch script has the number of a rank without being one."""
    script = stand.folder / "script"
    pfmon = " ".join(stand.words + ranks.MEASURED)
    script.write_text(BATCH.format(pfmon=pfmon), encoding="utf-8")
    done = stand.run("sbatch", "--wait", "--parsable", "-o", "script.out", script)
    job = done.stdout.strip()
    names = sorted(file.name for pattern in ("batch.*", "step.*")
                   for file in stand.folder.glob(pattern))
    stand.result("slurm: a batch script is no rank, its steps are, and all have "
                 "the job in their names",
                 done.returncode == 0 and job.isdigit() and names == [
                     f"batch.{job}", f"step.{job}.0", f"step.{job}.1"],
                 f"job {job}, {names}: {done.stderr}")
    if names:
        found = [rank_of(stand.folder / name) for name in names]
        stand.result("slurm: so do the files say",
                     found == [None, "0", "1"], found)


def test(stand):
    """Ranks of srun and a batch script."""
    with cluster(stand) as works:
        logs = [(stand.folder / "slurm" / name).read_text(encoding="utf-8")
                for name in ("controller", "node")]
        stand.result("slurm: a cluster of this machine", works, "".join(logs))
        if works:
            ranks.test(stand, "srun", ["srun", "-n", ranks.RANKS, "--overcommit"])
            test_batch(stand)

"""Runs on clusters: the same to the digit as on one machine, whatever happens to workers, and from the parts on disk."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import ludoteca as lt
from ludoteca._content import Source, archived, opened, source

GAME = "alta-tension"
GAMES = 600
PLAYERS = 4


@pytest.fixture(scope="module")
def alone() -> lt.Result:
    return lt.simulate(GAME, n=GAMES, players=PLAYERS)


def played(header: dict[str, object]) -> dict[str, object]:
    """What was played, whoever made the table and by which command."""
    return {key: value for key, value in header.items() if key != "made"}


def same(result: lt.Result, alone: lt.Result) -> None:
    assert not result.stopped
    assert (played(result.header), result.summary) == (played(alone.header), alone.summary)
    assert result.games.equals(alone.games)


def kill_after_first_part(out: Path, victim: Callable[[], int | None]) -> tuple[threading.Thread, list[int]]:
    """Kills a worker as soon as something was done."""
    killed: list[int] = []

    def watch() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not killed:
            if any(out.glob("part-*.parquet")):
                pid = victim()
                if pid is not None:
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                    return
            time.sleep(0.005)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread, killed


def go_on_in_the_shell(out: Path, alone: lt.Result, *cluster: str) -> None:
    """Some parts are lost; the same run goes on from the shell with those that are there, on the same cluster."""
    parts = sorted(out.glob("*.parquet"))
    for part in parts[::7]:
        part.unlink()
    kept = {part: part.stat().st_mtime_ns for part in parts if part.exists()}
    words = ["sim", GAME, "-n", str(GAMES), "--players", str(PLAYERS), "--out", str(out), "--shard", "10", "--json", *cluster]
    done = subprocess.run([sys.executable, "-m", "ludoteca", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (played(said["run"]), said["summary"]) == (played(alone.header), alone.summary)
    assert {part: part.stat().st_mtime_ns for part in kept} == kept


def test_dask_with_a_worker_killed(alone: lt.Result, tmp_path: Path) -> None:
    from distributed import Client, LocalCluster

    out = tmp_path / "parts"
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        thread, killed = kill_after_first_part(out, lambda: pids[0])
        result = lt.simulate(GAME, n=GAMES, players=PLAYERS, on=client, out=out, shard=10)
        thread.join()
        assert killed
        same(result, alone)
        go_on_in_the_shell(out, alone, "--dask", cluster.scheduler_address)
        compared = lt.compare("conquista", variant="cheap-fleet", n=12, on=client, shard=5)
        assert compared.told == lt.compare("conquista", variant="cheap-fleet", n=12).told


def a_player() -> int | None:
    """The process of a Ray worker that plays."""
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cmdline").read_bytes().startswith(b"ray::play_part"):
                return int(process.name)
        except OSError:
            continue
    return None


def test_ray_with_a_worker_killed(alone: lt.Result, tmp_path: Path) -> None:
    import ray

    out = tmp_path / "parts"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        thread, killed = kill_after_first_part(out, a_player)
        result = lt.simulate(GAME, n=GAMES, players=PLAYERS, on=ray, out=out, shard=10)
        thread.join()
        assert killed
        same(result, alone)
        go_on_in_the_shell(out, alone, "--ray", ray.get_runtime_context().gcs_address)
    finally:
        ray.shutdown()


def test_a_run_goes_on_from_the_parts_on_disk(alone: lt.Result, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    lt.simulate(GAME, n=GAMES, players=PLAYERS, out=out, shard=70)
    parts = sorted(out.glob("*.parquet"))
    assert len(parts) == 9
    for part in parts[1::2]:
        part.unlink()
    kept = {part: part.stat().st_mtime_ns for part in parts[::2]}
    # Other shards than before: what is missing is cut anew.
    same(lt.simulate(GAME, n=GAMES, players=PLAYERS, out=out, shard=33), alone)
    assert {part: part.stat().st_mtime_ns for part in kept} == kept


def test_parts_of_another_run_are_refused(tmp_path: Path) -> None:
    lt.simulate(GAME, n=20, players=PLAYERS, out=tmp_path, shard=10)
    with pytest.raises(ValueError, match="games of another run"):
        lt.simulate(GAME, n=20, players=PLAYERS, seed=2, out=tmp_path, shard=10)


def test_a_pack_and_a_function_travel(pack: Path) -> None:
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(2) as pool:
        far = lt.simulate("conquista", n=6, variant="dear", content=[pack], bots=[takes_first, "random"], on=pool, shard=2)
    near = lt.simulate("conquista", n=6, variant="dear", content=[pack], bots=[takes_first, "random"])
    same(far, near)


def test_packs_travel_as_pack_files(pack: Path, command: str, tmp_path: Path) -> None:
    """What travels is what `ludoteca pack` reads; a changed byte is refused."""
    sent = archived(source([pack]))
    mine = sent.archives[-1]
    with zipfile.ZipFile(io.BytesIO(mine.data)) as file:
        assert file.namelist() == ["pack.toml", "variants/conquista/dear.toml"]
    (tmp_path / "mine.ludo").write_bytes(mine.data)
    subprocess.run([command, "pack", "add", "--yes", "mine.ludo"], check=True, capture_output=True)
    shown = subprocess.run([command, "pack", "info", "mine"], check=True, capture_output=True, text=True)
    assert mine.hash[:16] in shown.stdout + shown.stderr
    changed = replace(mine, data=mine.data.replace(b"variants/conquista/dear", b"variants/conquista/deer"))
    with pytest.raises(ValueError, match="the pack `mine`: it is not what its hash says"):
        opened(Source(archives=(*sent.archives[:-1], changed)))


def test_installed_packs_are_there_by_name(pack: Path, command: str) -> None:
    assert "dear" not in variants_of("conquista")
    subprocess.run([command, "pack", "add", "--yes", str(pack)], check=True, capture_output=True)
    assert "dear" in variants_of("conquista")
    near = lt.simulate("conquista", n=2, variant="dear")
    assert near.summary == lt.simulate("conquista", n=2, set={"prices.unit.resources": 9}).summary


def variants_of(game: str) -> list[str]:
    return [variant.id for info in lt.games() if info.id == game for variant in info.variants]


def takes_first(choice: lt.Choice) -> list[lt.Option] | int:
    return 0 if choice.amount else choice.options[: max(1, choice.bounds[0])]


def test_the_shell(command: str, alone: lt.Result, tmp_path: Path) -> None:
    """Dask from the shell; and the command's own shards under a batch system, joined by either."""
    words = ["sim", GAME, "-n", str(GAMES), "--players", str(PLAYERS)]
    module = [sys.executable, "-m", "ludoteca"]
    far = subprocess.run(
        [*module, *words, "--out", "runs", "--shard", "200", "--json"], capture_output=True, text=True, check=True
    )
    said = json.loads(far.stdout)
    assert (played(said["run"]), said["summary"]) == (played(alone.header), alone.summary)
    for shard in (1, 2, 3):
        subprocess.run(
            [command, *words, "--bots", "random", "--shard", f"{shard}/3", "--out", f"batch-{shard}.parquet"],
            check=True,
            capture_output=True,
        )
    same(lt.report(*(tmp_path / f"batch-{n}.parquet" for n in (3, 1, 2))), alone)
    wrong = subprocess.run([*module, "sim", "tegg", "-n", "1"], capture_output=True, text=True)
    assert wrong.returncode == 1 and wrong.stderr == "there is no game `tegg`; did you mean `teg`?\n"

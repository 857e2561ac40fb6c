#!/usr/bin/env python3
"""How fast the package is beside the command, on one core.

    python python/bench/speed.py --command target/release/ludoteca            # T.E.G. with 2, Alta Tensión with 4 random players
    python python/bench/speed.py --command .. --turns 9 --seconds 3
    python python/bench/speed.py --clusters 20                                # two workers of Dask and of Ray beside one core, 20 seconds each

Both are measured in turns, by the time the processor worked for them, and the middle of the turns counts. Decisions are counted by the
matches themselves on both sides: several options taken one after the other are one decision.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import time
from typing import Any

import numpy as np

import ludoteca as lt

TABLES = [("teg", 2), ("alta-tension", 4)]
MATCHES = 256


def command_seconds(command: str, game: str, players: int, games: int) -> tuple[float, dict[str, float]]:
    """Processor time the command takes for so many games beyond starting, and what it says of them."""

    def run(n: int) -> tuple[float, dict[str, float]]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        words = ["sim", game, "-n", str(n), "--players", str(players), "--bots", "random", "--jobs", "1", "--json"]
        done = subprocess.run([command, *words], capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        measures = json.loads(done.stdout)["summary"]["measures"]
        return taken, {one["name"]: one["mean"]["value"] for one in measures}

    start, _ = run(1)
    taken, means = run(games)
    return taken - start, means


def package_seconds(game: str, players: int, games: int) -> float:
    """The same by `simulate`, which has the rules loaded already."""
    begun = time.process_time()
    lt.simulate(game, n=games, players=players, bots="random", jobs=1)
    return time.process_time() - begun


def vector_rate(game: str, players: int, seconds: float) -> float:
    """Decisions a second of many matches stepped by one call, with masks and uniform actions."""
    venv = lt.vector(game, MATCHES, players=players)
    for _ in range(50):
        venv.step(venv.sample())
    taken, begun = venv.decisions, time.process_time()
    while (passed := time.process_time() - begun) < seconds:
        for _ in range(20):
            venv.step(venv.sample())
    return (venv.decisions - taken) / passed


def env_times(game: str, players: int, seconds: float) -> tuple[float, float]:
    """Microseconds of one step of `env` with what its agent sees, and of the engine's own part of it."""
    luck = np.random.default_rng(1)
    env = lt.env(game, players=players, seed=1)
    whole = own = 0.0
    steps = 0
    env.reset()
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        if env.terminations[env.agent_selection]:
            env.reset()
        seen, *_ = env.last()
        action = int(luck.choice(np.flatnonzero(seen["action_mask"])))
        at = time.perf_counter()
        env.step(action)
        if not env.terminations[env.agent_selection]:
            env.last()
        whole += time.perf_counter() - at
        steps += 1
    engine = env._env
    asked = engine.begin(1)
    drawn, numbered = 0, 0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        numbered += 1
        action = engine.sample(numbered)
        at = time.perf_counter()
        asked = engine.step(action)
        own += time.perf_counter() - at
        drawn += 1
        if asked < 0:
            asked = engine.begin(numbered)
    return whole / steps * 1e6, own / drawn * 1e6


def clusters(seconds: float) -> None:
    """How much faster two workers are than one core, from the call to the report, by the clock."""
    import ray
    from distributed import Client, LocalCluster

    game, players = "alta-tension", 4

    def clock(games: int, **where: Any) -> float:
        begun = time.monotonic()
        lt.simulate(game, n=games, players=players, bots="random", **where)
        return time.monotonic() - begun

    trial = 200
    games = max(trial, round(trial * seconds / clock(trial, jobs=1)))
    alone = clock(games, jobs=1)
    print(f"| {game}, {players}: {games} games | seconds | speed-up |\n|---|---|---|\n| one core | {alone:.1f} | 1 |")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        clock(trial, on=client)
        taken = clock(games, on=client)
        print(f"| Dask, 2 workers | {taken:.1f} | {alone / taken:.2f} |")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    clock(trial, on=ray)
    taken = clock(games, on=ray)
    print(f"| Ray, 2 workers | {taken:.1f} | {alone / taken:.2f} |")
    ray.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="ludoteca", help="the command to compare with, built like the package")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.5, help="how long one turn takes, about")
    parser.add_argument("--clusters", type=float, metavar="SECONDS", help="measures clusters instead, one core for so long")
    asked = parser.parse_args()
    if asked.clusters:
        return clusters(asked.clusters)
    print("| game, players | simulate of sim | sim, decisions/s | vector, decisions/s | vector of sim | env step, µs | engine's part, µs |")
    print("|---|---|---|---|---|---|---|")
    for game, players in TABLES:
        trial = package_seconds(game, players, 40) / 40
        games = max(40, round(asked.seconds / trial))
        ratios, sims, vectors = [], [], []
        for _ in range(asked.turns):
            command, means = command_seconds(asked.command, game, players, games)
            ratios.append(command / package_seconds(game, players, games))
            sims.append(means["decisions"] * games / command)
            vectors.append(vector_rate(game, players, asked.seconds))
        shares = [vector / sim for vector, sim in zip(vectors, sims)]
        whole, own = env_times(game, players, asked.seconds)
        print(
            f"| {game}, {players} | {statistics.median(ratios):.2f} | {statistics.median(sims):,.0f}"
            f" | {statistics.median(vectors):,.0f} | {statistics.median(shares):.2f} | {whole:.1f} | {own:.1f} |"
        )


if __name__ == "__main__":
    main()

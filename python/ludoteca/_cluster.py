"""Runs on many machines: cut into shards of stated games, played anywhere, put together in the order of the games.

Whatever the number of workers, and whichever of them died on the way, the records are the same, and the report is worked out from the
records alone: it is that of one machine, to the digit.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import _engine
from ._content import Game, Source, archived, opened
from ._lab import Asking, Guest, Progress, Result

#: A shard takes about so many seconds, if nobody says how many games it has.
SECONDS = 2.0
#: Games that are played to learn how long one takes, at most, and for how long at most.
TRIAL = 8
TRIAL_SECONDS = 1.0
#: How often a shard is given to another worker.
RETRIES = 10

Part = tuple[int, int]
Shard = tuple[str, list[str], list[tuple[str, str]], str, Asking]


def play_part(source: Source, shard: Shard) -> bytes:
    """Plays the games of one part and gives them as a Parquet table. What a worker does."""
    content, asking = shard[3:]
    rules = _loaded(source, shard)
    if rules.content != content:
        raise ValueError(f"{rules.id} is another game on this worker: its content is {rules.content}, not {content}")
    game = Game(source, rules)
    seated = tuple(bot if isinstance(bot, str) else (bot[0], _again(bot[1], game)) for bot in asking.bots)
    return _engine.run(rules, replace(asking, bots=seated), None).parquet()


#: The games this worker played last: the next shard is mostly of one of them, and to load it takes as long as many matches.
_last: list[tuple[object, _engine.Rules]] = []


def _loaded(source: Source, shard: Shard) -> _engine.Rules:
    id, variants, set, _, _ = shard
    key = (source.hash, id, variants, set)
    for known, rules in _last:
        if known == key:
            return rules
    rules = opened(source).load(id, variants, set)
    _last[:] = [*_last[-1:], (key, rules)]
    return rules


def _again(guest: Guest, game: Game) -> Guest:
    return Guest(guest.function, game, guest.players)


class Parts:
    """The parts of a run in a folder: those that are there, and those still to be played."""

    def __init__(self, game: Game, asking: Asking, out: str | os.PathLike[str] | None) -> None:
        self.game = game
        self.asking = asking
        # Where nobody wants the parts they live as long as the result.
        self._own = tempfile.TemporaryDirectory(prefix="ludoteca-") if out is None else None
        self.folder = Path(self._own.name if self._own else os.fspath(out or ""))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.header = _engine.run_header(game.rules, asking)

    def paths(self) -> list[Path]:
        """The parts that are there, in the order of their games."""
        return sorted(self.folder.glob("part-*.parquet"))

    def there(self) -> list[Part]:
        """The games that are there. A part of another run, or a broken one, is a mistake somebody must look at."""
        found = []
        for path in self.paths():
            header = _engine.table_header(str(path))
            if {**header, "part": None} != {**self.header, "part": None}:
                raise ValueError(
                    f"{path}: these are games of another run: its game, content, settings, players, bots, seeds or"
                    " number of games differ"
                )
            found.append((header["part"][0], header["part"][1]))
        return found

    def missing(self, games: int) -> Iterator[Part]:
        """What is still to be played, in shards of so many games."""
        at = 0
        for begin, end in [*sorted(self.there()), (self.asking.games, self.asking.games)]:
            while at < begin:
                upto = min(at + games, begin)
                yield at, upto
                at = upto
            at = max(at, end)

    def shard(self, part: Part) -> Shard:
        """A part as it is sent to a worker, who plays on one thread."""
        rules = self.game.rules
        asking = replace(self.asking, part=part, jobs=self.asking.jobs or 1)
        guests = tuple(b if isinstance(b, str) else (b[0], _sendable(b[1])) for b in asking.bots)
        return rules.id, rules.variants, rules.set, rules.content, replace(asking, bots=guests)

    def keep(self, part: Part, data: bytes) -> None:
        """Puts a part on disk, whole or not at all."""
        path = self.folder / f"part-{part[0]:012d}-{part[1]:012d}.parquet"
        beside = path.with_suffix(".new")
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)

    def usual_shard(self) -> int:
        """Games that take about as long as a shard should, tried here. One in eight is looked at closely or not, so some are tried."""
        started = time.monotonic()
        games = 0
        while games < min(TRIAL, self.asking.games) and time.monotonic() - started < TRIAL_SECONDS:
            asking = replace(self.asking, part=(games, games + 1), jobs=1)
            _engine.run(self.game.rules, asking, None)
            games += 1
        each = (time.monotonic() - started) / max(games, 1)
        return max(1, min(round(SECONDS / max(each, 1e-6)), self.asking.games))

    def play(
        self, on: Any, games: int | None, progress: Callable[[int], object] | None = None, before: int = 0
    ) -> None:
        """Plays what is missing on a cluster, or here. Ctrl-C leaves what is done."""
        there = sum(end - begin for begin, end in self.there())
        if isinstance(progress, Progress) and before == 0:
            progress.before = there
        done = before + there
        parts = list(self.missing(games or self.usual_shard()))
        if not parts:
            return
        source = archived(self.game.source)
        played = workers(on)(source, [(part, self.shard(part)) for part in parts])
        try:
            for part, data in played:
                self.keep(part, data)
                done += part[1] - part[0]
                if progress is not None:
                    progress(done)
        except KeyboardInterrupt:
            return
        finally:
            played.close()

    def result(self) -> Result:
        """The run, put together in the order of its games."""
        paths = self.paths()
        if not paths:
            raise KeyboardInterrupt("stopped before a part was played")
        return Result(_engine.joined([str(path) for path in paths]), paths, self)


def _sendable(guest: Guest) -> Guest:
    """A guest without its game: the worker has it already."""
    sent = object.__new__(Guest)
    sent.function = guest.function
    sent.players = guest.players
    return sent


Work = list[tuple[Part, Shard]]
Workers = Callable[[Source, Work], Any]


def workers(on: Any) -> Workers:
    """How shards are played: on a Dask client, on Ray, by an executor, or here."""
    if on is None:
        return here
    if getattr(on, "__name__", "") == "ray":
        return lambda source, work: on_ray(on, source, work)
    if type(on).__module__.split(".")[0] == "distributed":
        return lambda source, work: on_dask(on, source, work)
    if hasattr(on, "submit") and hasattr(on, "shutdown"):
        return lambda source, work: on_executor(on, source, work)
    raise TypeError(f"games can be played on a Dask client, on the module ray or on an executor, not on {on!r}")


def here(source: Source, work: Work) -> Iterator[tuple[Part, bytes]]:
    """One shard after the other, each on all cores."""
    for part, shard in work:
        id, variants, set, content, asking = shard
        yield part, play_part(source, (id, variants, set, content, replace(asking, jobs=0)))


def on_dask(client: Any, source: Source, work: Work) -> Iterator[tuple[Part, bytes]]:
    """On the workers of a Dask cluster. The content goes there once, as a task: if its worker dies, it is sent again."""
    from distributed import as_completed

    sent = client.submit(_same, source, key=f"ludoteca-content-{source.hash}", pure=True)
    futures = {
        client.submit(play_part, sent, shard, pure=False, retries=RETRIES, key=f"ludoteca-{source.hash[:12]}-{n}-{time.time_ns()}"): part
        for n, (part, shard) in enumerate(work)
    }
    try:
        for future in as_completed(list(futures)):
            yield futures[future], future.result()
            future.release()
    finally:
        client.cancel([future for future in futures if not future.done()])


def _same(source: Source) -> Source:
    return source


def on_ray(ray: Any, source: Source, work: Work) -> Iterator[tuple[Part, bytes]]:
    """On the workers of a Ray cluster. The content is put into its store once."""
    sent = ray.put(source)
    remote = ray.remote(play_part).options(max_retries=RETRIES, num_cpus=1)
    running = {remote.remote(sent, shard): part for part, shard in work}
    try:
        while running:
            done, _ = ray.wait(list(running), num_returns=1)
            for ref in done:
                yield running.pop(ref), ray.get(ref)
    finally:
        for ref in running:
            ray.cancel(ref, force=True)


def on_executor(executor: Any, source: Source, work: Work) -> Iterator[tuple[Part, bytes]]:
    """On an executor of `concurrent.futures`."""
    from concurrent.futures import as_completed

    futures = {executor.submit(play_part, source, shard): part for part, shard in work}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()

"""Many games: simulated, compared, swept, tuned. The numbers are the command's, to the digit."""

from __future__ import annotations

import errno
import io
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _engine
from ._content import Game, PathLike, Setting, Source, Variant, game, opened, settings, source, variants
from ._match import Answer, Choice, _key, picked

if TYPE_CHECKING:
    import polars
    import pyarrow

#: A bot by its name, or a function that answers a choice.
Bot = Union[str, Callable[[Choice], Answer]]
Bots = Union[Bot, Sequence[Bot]]
Content = Union[PathLike, Sequence[PathLike], Source, None]


class Guest:
    """A function that plays in a run, under a name of its own. It can be sent to other processes if its function can."""

    def __init__(self, function: Callable[[Choice], Answer], game: Game, players: int) -> None:
        self.function = function
        self.game = game
        self.players = players

    @property
    def name(self) -> str:
        """What tables call it."""
        name = getattr(self.function, "__name__", type(self.function).__name__)
        return f"python:{name}"

    def __call__(self, asked: _engine.Asked) -> list[int]:
        choice = Choice(asked, self.game, self.players)
        named = picked(choice, self.function(choice))
        if named and isinstance(named[0], str):
            numbers = {option.key: option.number for option in choice.options}
            return [_numbered(choice, numbers, str(key)) for key in named]
        return [int(number) for number in named]


def _numbered(choice: Choice, numbers: Mapping[str, int], key: str) -> int:
    if key in numbers:
        return numbers[key]
    amount = choice.amount
    if amount and key.lstrip("-").isdigit() and amount[0] <= int(key) <= amount[1]:
        return int(key) - amount[0]
    raise _engine.IllegalChoice(f"`{key}` is not among the options")


@dataclass(frozen=True)
class Asking:
    """What is to be played."""

    players: int | None
    bots: tuple[Any, ...]
    rotate: bool
    seed: int
    games: int
    part: tuple[int, int] | None = None
    close: int | None = None
    jobs: int = 0
    verify: bool = False


def _bots(bots: Bots, game: Game, players: int | None) -> tuple[Any, ...]:
    many: Sequence[Bot]
    if isinstance(bots, str):
        many = [one.strip() for one in bots.split(",")]
    elif callable(bots):
        many = [bots]
    else:
        many = bots
    count = game.players[0] if players is None else players

    def seated(bot: Bot) -> Any:
        if isinstance(bot, str):
            return bot
        guest = Guest(bot, game, count)
        return guest.name, guest

    return tuple(seated(bot) for bot in many)


class Progress:
    """A line that says how many games are done, how fast, and how long it still takes."""

    def __init__(self, games: int, stream: Any = None) -> None:
        self.games = games
        self.stream = stream or sys.stderr
        self.started = time.monotonic()
        self.before = 0

    def __call__(self, done: int) -> None:
        passed = max(time.monotonic() - self.started, 1e-9)
        speed = (done - self.before) / passed
        left = f"{(self.games - done) / speed:.0f} s left" if speed > 0 else ""
        self.stream.write(f"\r{done}/{self.games} games  {speed:.1f}/s  {left}   ")
        self.stream.flush()

    def close(self) -> None:
        """Takes the line away."""
        self.stream.write("\r" + " " * 60 + "\r")
        self.stream.flush()


def _watched(progress: bool | Callable[[int], object], games: int) -> Callable[[int], object] | None:
    if progress is True:
        return Progress(games)
    return progress or None


def _close(progress: Callable[[int], object] | None) -> None:
    if isinstance(progress, Progress):
        progress.close()


def _write(path: PathLike, text: str) -> None:
    beside = f"{os.fspath(path)}.new"
    with open(beside, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(beside, path)


class Result:
    """Games that were played. `games` is a table with a row for each; `summary` is what the command's `sim --json` says of them."""

    def __init__(self, run: _engine.Run, parts: Sequence[Path] = (), keep: Any = None) -> None:
        self._run = run
        self._parts = tuple(parts)
        self._keep = keep
        told = run.told()
        #: What all games have in common: the game, its content, bots, seeds.
        self.header: dict[str, Any] = told["run"]
        self.summary: dict[str, Any] = told["summary"]

    def __len__(self) -> int:
        return self._run.games

    @property
    def stopped(self) -> bool:
        """Whether the run was ended before all its games were played."""
        return self._run.stopped

    @property
    def seconds(self) -> float:
        return self._run.seconds

    @property
    def parts(self) -> tuple[Path, ...]:
        """The files the games are in, if they are in files."""
        return self._parts

    @property
    def wins(self) -> list[dict[str, float]]:
        """Wins of each seat, each with its interval: `value`, `low`, `high`."""
        wins: list[dict[str, float]] = self.summary["wins"]
        return wins

    def measure(self, name: str) -> dict[str, Any]:
        """A measure by its name, such as `rounds`."""
        for found in self.summary["measures"]:
            if found["name"] == name:
                return dict(found)
        names = ", ".join(found["name"] for found in self.summary["measures"])
        raise KeyError(f"unknown metric `{name}`; there are {names}")

    @property
    def games(self) -> polars.DataFrame | pyarrow.Table:
        """A row for each game: a polars frame, or an arrow table where polars is not installed."""
        try:
            return self.polars()
        except ModuleNotFoundError:
            return self.arrow()

    def _tables(self) -> list[Any]:
        return [str(part) for part in self._parts] or [io.BytesIO(self._run.parquet())]

    def polars(self) -> polars.DataFrame:
        """The games as a polars frame."""
        import polars

        return polars.concat([polars.read_parquet(table) for table in self._tables()])

    def arrow(self) -> pyarrow.Table:
        """The games as an arrow table."""
        import pyarrow
        import pyarrow.parquet

        return pyarrow.concat_tables([pyarrow.parquet.read_table(table) for table in self._tables()])

    def write(self, path: PathLike) -> None:
        """Writes the games as one Parquet table, as the command's `--out` does."""
        data = self._run.parquet() if not self._parts else _engine.joined_table([str(p) for p in self._parts])
        beside = f"{os.fspath(path)}.new"
        with open(beside, "wb") as file:
            file.write(data)
        os.replace(beside, path)

    def report(self, path: PathLike, lang: str = "es") -> None:
        """Writes a page with pictures that opens offline."""
        _write(path, self._run.page(lang))

    def __repr__(self) -> str:
        seats = ", ".join(
            f"p{n} {w['value']:.3f} ({w['low']:.3f} .. {w['high']:.3f})" for n, w in enumerate(self.wins)
        )
        head = self.header
        cut = " (stopped)" if self.stopped else ""
        return f"<{head['game']}, {len(self)} games{cut}, bots {', '.join(head['bots'])}: wins {seats}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>p{n}</td><td>{w['value']:.3f}</td><td>{w['low']:.3f} .. {w['high']:.3f}</td></tr>"
            for n, w in enumerate(self.wins)
        )
        head = self.header
        title = f"{head['game']}: {len(self)} games, {', '.join(head['bots'])}"
        return f"<table><caption>{title}</caption><tr><th>seat</th><th>wins</th><th>95 %</th></tr>{rows}</table>"


class Comparison:
    """The same games on two sides. `differences` has every measure, those that differ most against their error first."""

    def __init__(self, compared: _engine.Compared, parts: Any = None) -> None:
        self._compared = compared
        self._parts = parts
        #: What the command's `compare --json` says.
        self.told: dict[str, Any] = compared.told()

    def __len__(self) -> int:
        return self._compared.games

    @property
    def stopped(self) -> bool:
        return self._compared.stopped

    @property
    def first(self) -> dict[str, Any]:
        """What the first side is like."""
        return dict(self.told["first"]["summary"])

    @property
    def second(self) -> dict[str, Any]:
        return dict(self.told["second"]["summary"])

    @property
    def differences(self) -> list[dict[str, Any]]:
        """Each measure on both sides, the difference with its interval, and whether it is a finding (`seen`)."""
        found: list[dict[str, Any]] = self.told["differences"]
        return found

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The differences that are findings, with all measures taken together."""
        return [one for one in self.differences if one["seen"]]

    def __getitem__(self, name: str) -> dict[str, Any]:
        for one in self.differences:
            if one["name"] == name:
                return one
        raise KeyError(f"unknown metric `{name}`; there are {', '.join(one['name'] for one in self.differences)}")

    @property
    def verdict(self) -> str | None:
        """What the sequential test says, if there was one."""
        until = self.told["until"]
        return None if until is None else until["verdict"]

    def report(self, path: PathLike, lang: str = "es") -> None:
        """Writes a page with pictures that opens offline."""
        _write(path, self._compared.page(lang))

    def __repr__(self) -> str:
        head = self.told["first"]["run"]
        lines = [f"<{head['game']}, {len(self)} games on each side"]
        for one in self.differences[:8]:
            change = one["difference"]
            mark = "*" if one["seen"] else " "
            lines.append(
                f" {mark} {one['name']}: {one['first']:.4g} -> {one['second']:.4g}"
                f" ({change['low']:+.3g} .. {change['high']:+.3g})"
            )
        return "\n".join(lines) + ">"


class Sweep:
    """Many games for each value of a parameter."""

    def __init__(self, swept: _engine.Swept) -> None:
        self._swept = swept
        #: What the command's `sweep --json` says.
        self.told: dict[str, Any] = swept.told()

    @property
    def stopped(self) -> bool:
        return self._swept.stopped

    @property
    def points(self) -> list[dict[str, Any]]:
        """The values at each point, and its summary."""
        points: list[dict[str, Any]] = self.told["points"]
        return points

    def curve(self, metric: str) -> list[dict[str, Any]]:
        """A measure along the parameter: `values`, `value`, `low`, `high`."""
        names = ("value", "low", "high")
        return [
            {"values": values, **dict(zip(names, found or (None, None, None)))}
            for values, found in self._swept.curve(metric)
        ]

    def report(self, path: PathLike, lang: str = "es") -> None:
        """Writes a page with pictures that opens offline."""
        _write(path, self._swept.page(lang))


class Tuning:
    """Settings that were searched for a goal, and what they do on fresh seeds."""

    def __init__(self, tuned: _engine.Tuned) -> None:
        self._tuned = tuned
        #: What the command's `tune --json` says.
        self.told: dict[str, Any] = tuned.told()

    @property
    def stopped(self) -> bool:
        return self._tuned.stopped

    @property
    def settings(self) -> list[dict[str, Any]]:
        """Each parameter: `key`, `before`, `after`."""
        found: list[dict[str, Any]] = self.told["settings"]
        return found

    @property
    def set(self) -> dict[str, int]:
        """What to set for the game as found: `ludoteca.new(game, set=tuning.set)`."""
        return {one["key"]: one["after"] for one in self.settings if one["before"] != one["after"]}

    def report(self, path: PathLike, lang: str = "es") -> None:
        """Writes a page with pictures that opens offline."""
        page = self._tuned.page(lang)
        if page is None:
            raise ValueError("the search was stopped before the goals were measured on fresh seeds")
        _write(path, page)


def simulate(
    name: str | Game,
    n: int = 1000,
    players: int | None = None,
    bots: Bots = "random",
    seed: int = 1,
    variant: Variant = None,
    set: Setting = None,
    content: Content = None,
    rotate: bool = False,
    close: int | None = None,
    jobs: int = 0,
    verify: bool = False,
    progress: bool | Callable[[int], object] = False,
    on: Any = None,
    out: PathLike | None = None,
    shard: int | None = None,
) -> Result:
    """Plays many games. Ctrl-C ends it with what is done.

    `on` is a Dask client or the module `ray`: the games are then played there, in shards of `shard` games, and put into `out` as Parquet
    parts; the same call goes on from the parts that are there.
    """
    chosen = game(name, variant, set, content)
    asking = Asking(players, _bots(bots, chosen, players), rotate, seed, n, None, close, jobs, verify)
    watching = _watched(progress, n)
    try:
        if on is None and out is None:
            return Result(_engine.run(chosen.rules, asking, watching))
        from ._cluster import Parts

        parts = Parts(chosen, asking, out)
        parts.play(on, shard, watching)
        return parts.result()
    finally:
        _close(watching)


def _sides(
    name: str | Game, variant: Variant, set: Setting, content: Content, pack: Content
) -> tuple[Game, Game]:
    """The two games that are compared. One variant, setting or pack is compared with the game without it."""
    named, settled = variants(variant), settings(set)
    if len(named) == 2 and not settled:
        chosen: tuple[tuple[list[str], Setting], tuple[list[str], Setting]] = ((named[:1], None), (named[1:], None))
    elif settled and len(named) < 2:
        chosen = ((named, None), (named, set))
    elif len(named) < 2:
        chosen = (([], None), (named, None))
    else:
        raise ValueError("name two variants, or one, or one and what `set` changes in it")
    where = source(content)
    packs = [] if pack is None else list(source(pack).named)
    other = replace(where, named=tuple(dict.fromkeys((*where.named, *packs))))
    if isinstance(name, Game):
        if content is None:
            where = name.source
            other = replace(where, named=tuple(dict.fromkeys((*where.named, *packs))))
        own = name.rules.variants, dict(name.rules.set)
        first = game(name.id, own[0] + chosen[0][0], {**own[1], **dict(chosen[0][1] or {})}, where)
        second = game(name.id, own[0] + chosen[1][0], {**own[1], **dict(chosen[1][1] or {})}, other)
        return first, second
    return game(name, *chosen[0], where), game(name, *chosen[1], other)


def compare(
    name: str | Game,
    variant: Variant = None,
    set: Setting = None,
    n: int = 1000,
    players: int | None = None,
    bots: Bots = "random",
    seed: int = 1,
    content: Content = None,
    pack: Content = None,
    size: float = 0.02,
    until: float | None = None,
    metric: str = "first_wins",
    close: int | None = None,
    jobs: int = 0,
    progress: bool | Callable[[int], object] = False,
    on: Any = None,
    out: PathLike | None = None,
    shard: int | None = None,
) -> Comparison:
    """Plays the same games on two sides: the game, and the game with a variant, a setting or a pack; or two variants."""
    first, second = _sides(name, variant, set, content, pack)
    asking = Asking(players, _bots(bots, first, players), True, seed, n, None, close, jobs)
    watching = _watched(progress, n)
    try:
        if on is None and out is None:
            compared = _engine.compare(first.rules, second.rules, asking, size, until, metric, watching)
            return Comparison(compared)
        if until is not None:
            raise ValueError("`until` stops at a game, and shards end where they end: leave it out with `on` or `out`")
        from ._cluster import Parts

        counted = _watched(progress, 2 * n)
        below = None if out is None else Path(out)
        sides = [
            Parts(one, asking, None if below is None else below / side)
            for one, side in ((first, "first"), (second, "second"))
        ]
        for done, side in enumerate(sides):
            side.play(on, shard, counted, done * n)
        _close(counted)
        paths = [[str(path) for path in side.paths()] for side in sides]
        return Comparison(_engine.compared(paths[0], paths[1], size), sides)
    finally:
        _close(watching)


def sweep(
    name: str | Game,
    param: str | Sequence[str],
    metric: str | Sequence[str] = (),
    n: int = 1000,
    players: int | None = None,
    bots: Bots = "random",
    seed: int = 1,
    variant: Variant = None,
    set: Setting = None,
    content: Content = None,
    close: int | None = None,
    jobs: int = 0,
    progress: bool | Callable[[int], object] = False,
) -> Sweep:
    """Plays `n` games for each value of one or several parameters: `param="prices.unit.resources=2..6"`."""
    chosen = game(name, variant, set, content)
    asking = Asking(players, _bots(bots, chosen, players), True, seed, n, None, close, jobs)
    params = [param] if isinstance(param, str) else list(param)
    metrics = [metric] if isinstance(metric, str) else list(metric)
    watching = _watched(progress, n)
    try:
        return Sweep(_engine.sweeps(opened(chosen.source), chosen.rules, params, metrics, asking, watching))
    finally:
        _close(watching)


def tune(
    name: str | Game,
    param: str | Sequence[str],
    goal: str,
    n: int = 1000,
    batch: int = 40,
    check: int | None = None,
    players: int | None = None,
    bots: Bots = "random",
    seed: int = 1,
    variant: Variant = None,
    set: Setting = None,
    content: Content = None,
    close: int | None = None,
    jobs: int = 0,
    progress: bool | Callable[[int], object] = False,
) -> Tuning | None:
    """Searches parameters for a goal such as `"seat_balance>=0.95, rounds in 8..12"`; nothing if it was stopped before any trial."""
    chosen = game(name, variant, set, content)
    asking = Asking(players, _bots(bots, chosen, players), True, seed, n, None, close, jobs)
    params = [param] if isinstance(param, str) else list(param)
    watching = _watched(progress, n)
    try:
        tuned = _engine.tune(opened(chosen.source), chosen.rules, params, goal, batch, check, asking, watching)
        return None if tuned is None else Tuning(tuned)
    finally:
        _close(watching)


def report(*paths: PathLike) -> Result:
    """The run whose games are in files: one table, or the parts of a run, by this package or by the command."""
    for path in paths:
        if not Path(path).exists():
            raise FileNotFoundError(errno.ENOENT, "there is no such file", str(path))
    # In the order of their games, however they are named.
    files = sorted((Path(path) for path in paths), key=lambda path: _engine.table_header(str(path))["part"])
    return Result(_engine.joined([str(path) for path in files]), files)

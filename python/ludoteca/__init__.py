"""Ludoteca: board and card games whose rules are text files.

    import ludoteca as lt

    m = lt.new("teg", players=4, seed=7)      # a match
    m.choice().options                        # what may be chosen
    m.choose(m.choice().options[0])           # by option, key or number

    env = lt.env("altered", seed=1)           # PettingZoo; lt.gym for Gymnasium, lt.vector for many at once
    r = lt.simulate("conquista", n=1000)      # the lab: also compare, sweep, tune
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._content import Diagnostic, Game, GameInfo, Place, VariantInfo, check, describe, game, games
from ._engine import BrokenRule, ContentError, Fault, IllegalChoice, __version__
from ._lab import Comparison, Result, Sweep, Tuning, compare, report, simulate, sweep, tune
from ._match import Choice, Match, Option, load, new, read

if TYPE_CHECKING:
    from ._gym import GymEnv as GymEnv
    from ._pettingzoo import AEC as AEC
    from ._vector import Vector as Vector


def _diagnostics(error: ContentError) -> list[Diagnostic]:
    """Everything that is wrong, as objects."""
    from ._content import diagnostic

    return [diagnostic(told) for told in getattr(error, "_found", [])]


setattr(ContentError, "diagnostics", property(_diagnostics))


def env(name: str | Game, players: int | None = None, seed: int | None = None, **options: Any) -> AEC:
    """A PettingZoo environment: every seat is an agent, asked in turn. Needs `ludoteca[rl]`."""
    from ._pettingzoo import AEC

    return AEC(name, players=players, seed=seed, **options)


def gym(name: str | Game, players: int | None = None, opponents: Any = "random", **options: Any) -> GymEnv:
    """A Gymnasium environment: one seat, the others are bots or functions. Needs `ludoteca[rl]`."""
    from ._gym import GymEnv

    return GymEnv(name, players=players, opponents=opponents, **options)


def vector(name: str | Game, n: int, players: int | None = None, **options: Any) -> Vector:
    """Many matches that are stepped by one call, in the engine, without holding other Python threads up."""
    from ._vector import Vector

    return Vector(name, n, players=players, **options)


__all__ = [
    "BrokenRule",
    "Choice",
    "Comparison",
    "ContentError",
    "Diagnostic",
    "Fault",
    "Game",
    "GameInfo",
    "IllegalChoice",
    "Match",
    "Option",
    "Place",
    "Result",
    "Sweep",
    "Tuning",
    "VariantInfo",
    "__version__",
    "check",
    "compare",
    "describe",
    "env",
    "game",
    "games",
    "gym",
    "load",
    "new",
    "read",
    "report",
    "simulate",
    "sweep",
    "tune",
    "vector",
]

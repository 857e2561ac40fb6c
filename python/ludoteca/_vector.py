"""Many matches at once, stepped by one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _engine
from ._content import Game, PathLike, Setting, Variant, game
from ._match import split
from ._spaces import Encoded, seed_of


class Vector:
    """`n` matches of one game. In each one seat is asked; a match that ends begins anew with the next seed.

    After `reset` and `step`, `seats` says who is asked in each match and `masks` what is open to them; `observations()` is what they see.
    `bots` names who answers by themselves: a bot for each seat, or `None` for a seat that is asked.
    """

    def __init__(
        self,
        name: str | Game,
        n: int,
        players: int | None = None,
        bots: Sequence[str | None] | None = None,
        seed: int = 0,
        variant: Variant = None,
        set: Setting = None,
        content: PathLike | list[PathLike] | None = None,
        returns: str = "win",
        threads: int = 1,
    ) -> None:
        if n < 1:
            raise ValueError(f"{n} matches are too few: at least 1")
        self.game = game(name, variant, set, content)
        self.n = n
        self.players = self.game.players[0] if players is None else players
        named, _ = split(bots, self.players)
        self.encoded = Encoded(self.game, self.players)
        self._many = _engine.Many(self.game.rules, named, n, returns, threads)
        self.reset(seed)

    def reset(self, seed: int = 0) -> NDArray[np.int8]:
        """Begins all matches: the first with this seed, each other with the next. Gives what is open."""
        self._many.begin(seed_of(seed))
        return self.masks

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_]]:
        """Takes an action in every match. Gives what is open next, what each seat got, and which matches ended."""
        done, rewards = self._many.step(np.ascontiguousarray(actions, dtype=np.int64))
        return self.masks, rewards, done

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat that is asked in each match."""
        return self._many.seats()

    @property
    def decisions(self) -> int:
        """Decisions of all matches so far, as the lab counts them: choices with a single answer too, several options at once as one."""
        return self._many.decisions

    @property
    def masks(self) -> NDArray[np.int8]:
        """What is open in each match."""
        return self._many.masks()

    def observations(self) -> NDArray[np.float32]:
        """What the seat that is asked sees, in each match; `blocks` shows it by block."""
        return self._many.observations()

    def blocks(self, observations: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Observations by block: game, players, spaces, zones, choice."""
        return self.encoded.blocks(observations)

    def sample(self) -> NDArray[np.int64]:
        """An open action for each match, each as likely as the other."""
        return self._many.sample()

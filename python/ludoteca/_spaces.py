"""What environments share: who sits where, and numbers in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._content import Game


class Encoded:
    """The sizes of a game's observations and actions with so many players."""

    def __init__(self, game: Game, players: int) -> None:
        self.size, self.actions = game.rules.sizes(players)
        self._blocks = game.rules.blocks(players)

    def blocks(self, flat: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """A flat observation by its blocks: the same numbers, not copies."""
        lead = flat.shape[:-1]
        return {
            name: flat[..., at : at + rows * columns].reshape(*lead, rows, columns)
            for name, at, rows, columns in self._blocks
        }

    def bounds(self, game: Game, players: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The lowest and the highest that each number can be."""
        low = np.full(self.size, -np.inf, np.float32)
        high = np.full(self.size, np.inf, np.float32)
        for block in game.rules.describe(players)["observation"]["blocks"]:
            rows, columns = block["shape"]
            for side, out, none in (("low", low, -np.inf), ("high", high, np.inf)):
                row = [none if column[side] is None else column[side] for column in block["columns"]]
                out[block["at"] : block["at"] + rows * columns] = np.tile(np.array(row, np.float32), rows)
        return low, high


def seed_of(seed: Any) -> int:
    """A seed for the engine: a number from 0."""
    return int(seed) & 0xFFFF_FFFF_FFFF_FFFF

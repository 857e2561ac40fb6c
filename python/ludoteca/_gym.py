"""Every game as a Gymnasium environment: one seat, the others are bots or functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _engine
from ._content import Game, PathLike, Setting, Variant, game
from ._spaces import Encoded, seed_of

#: Given an observation with its mask, an action.
Policy = Callable[[dict[str, Any]], int]
Opponent = Union[str, Policy]


class GymEnv(gymnasium.Env):  # type: ignore[misc]
    """One seat of a match.

    Observations and actions are those of `ludoteca.env`. An action that is not open loses the match at once (`info["illegal"]` says so),
    or raises `IllegalChoice` with `illegal="raise"`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        name: str | Game,
        players: int | None = None,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int = 0,
        variant: Variant = None,
        set: Setting = None,
        content: PathLike | list[PathLike] | None = None,
        returns: str = "win",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ("lose", "raise"):
            raise ValueError(f"unknown `illegal={illegal!r}`; it is 'lose' or 'raise'")
        self.game = game(name, variant, set, content)
        self.players = self.game.players[0] if players is None else players
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat}: {self.players} play")
        others = [opponents] * (self.players - 1) if isinstance(opponents, str) or callable(opponents) else opponents
        if len(others) == 1:
            others = list(others) * (self.players - 1)
        if len(others) != self.players - 1:
            raise ValueError(f"{len(others)} opponents are named for {self.players - 1} seats")
        seated: list[Opponent | None] = [*others[:seat], None, *others[seat:]]
        self.seat = seat
        self.illegal = illegal
        self.render_mode = render_mode
        self.encoded = Encoded(self.game, self.players)
        self._policies = {n: one for n, one in enumerate(seated) if callable(one)}
        named = [one if isinstance(one, str) else None for one in seated]
        self._env = _engine.Env(self.game.rules, named, returns)
        low, high = self.encoded.bounds(self.game, self.players)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (self.encoded.actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.encoded.actions)
        self._over = True

    def _see(self, seat: int) -> dict[str, Any]:
        return {"observation": self._env.observe(seat), "action_mask": self._env.mask(seat)}

    def _let_policies_answer(self, asked: int) -> int:
        while asked in self._policies:
            asked = self._env.step(int(self._policies[asked](self._see(asked))))
        return asked

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        # A match in which this seat is never asked is no episode.
        for _ in range(1000):
            match_seed = int(self.np_random.integers(2**63)) if seed is None else seed_of(seed)
            seed = None
            if self._let_policies_answer(self._env.begin(match_seed)) == self.seat:
                self._over = False
                return self._see(self.seat), {"seed": match_seed}
        raise RuntimeError(f"seat {self.seat} is never asked anything")

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self._over:
            raise gymnasium.error.ResetNeeded("the match is over: reset it")
        try:
            asked = self._let_policies_answer(self._env.step(int(action)))
        except _engine.IllegalChoice:
            if self.illegal == "raise":
                raise
            self._over = True
            return self._see(self.seat), -1.0, True, False, {"illegal": True}
        self._over = asked < 0
        reward = self._env.returns()[self.seat] if self._over else 0.0
        return self._see(self.seat), float(reward), self._over, False, {}

    def blocks(self, observation: dict[str, Any]) -> dict[str, Any]:
        """An observation's numbers by block: game, players, spaces, zones, choice."""
        return self.encoded.blocks(observation["observation"])

    def render(self) -> Any:
        """What can be told in a line."""
        return f"{self.game.id}: seat {self.seat}" if self.render_mode else None

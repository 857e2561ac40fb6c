"""Every game as a PettingZoo environment: agents are seats, `p0`, `p1`, .., each asked when the rules ask it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from . import _engine
from ._content import Game, PathLike, Setting, Variant, game
from ._spaces import Encoded, seed_of


class AEC(AECEnv):  # type: ignore[misc]
    """A match, one decision at a time.

    An observation is `{"observation": numbers, "action_mask": what is open}`; `blocks(observation)` shows the numbers by block, and
    `ludoteca.describe` says what each is. Where several options are wanted, it is first asked how many, then for one after the other.
    Rewards come at the end, from -1 to 1: by `returns="win"` or by `returns="place"`. After `max_cycles` decisions a match is cut off.
    """

    def __init__(
        self,
        name: str | Game,
        players: int | None = None,
        seed: int | None = None,
        variant: Variant = None,
        set: Setting = None,
        content: PathLike | list[PathLike] | None = None,
        returns: str = "win",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game(name, variant, set, content)
        self.players = self.game.players[0] if players is None else players
        self.encoded = Encoded(self.game, self.players)
        self._env = _engine.Env(self.game.rules, [None] * self.players, returns)
        self._seed = seed
        self._rng: np.random.Generator | None = None
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.metadata = {"name": f"ludoteca/{self.game.id}", "is_parallelizable": False, "render_modes": ["ansi"]}
        self.possible_agents = [f"p{seat}" for seat in range(self.players)]
        self.agents: list[str] = []
        low, high = self.encoded.bounds(self.game, self.players)
        one = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (self.encoded.actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: one for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.encoded.actions) for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is None:
            seed, self._seed = self._seed, None
        if seed is not None:
            self._rng, _ = seeding.np_random(seed_of(seed))
            match_seed = seed_of(seed)
        else:
            if self._rng is None:
                self._rng, _ = seeding.np_random(None)
            match_seed = int(self._rng.integers(2**63))
        self.match_seed = match_seed
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.cycles = 0
        self._ended = False
        self.agent_selection = self.agents[0]
        self._select(self._env.begin(match_seed))

    def _select(self, seat: int) -> None:
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
        else:
            self._end(self.terminations)
            for agent, worth in zip(self.possible_agents, self._env.returns()):
                self.rewards[agent] = worth
                self._cumulative_rewards[agent] += worth

    def _end(self, how: dict[str, bool]) -> None:
        self._ended = True
        for agent in self.agents:
            how[agent] = True

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        return {"observation": self._env.observe(seat), "action_mask": self._env.mask(seat)}

    def blocks(self, observation: dict[str, Any]) -> dict[str, Any]:
        """An observation's numbers by block: game, players, spaces, zones, choice."""
        return self.encoded.blocks(observation["observation"])

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self._ended:
            self._was_dead_step(action)
            return
        if action is None:
            raise _engine.IllegalChoice(f"{agent} must choose")
        # Rewards come at the end alone, so until then there is nothing to add up.
        self._cumulative_rewards[agent] = 0.0
        seat = self._env.step(int(action))
        self.cycles += 1
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
            if self.max_cycles is not None and self.cycles >= self.max_cycles:
                self._end(self.truncations)
        else:
            self._select(seat)

    def render(self) -> str | None:
        """The numbers of the seat that is asked, as text."""
        if self.render_mode is None:
            return None
        return f"{self.game.id}: {self.agent_selection} is asked, decision {self.cycles}"

    def close(self) -> None:
        """Nothing is held open."""

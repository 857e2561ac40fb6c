#!/usr/bin/env python3
"""Learns to play by winning and losing against bots that play at random: a small network, in numpy alone.

    python learn.py                          # four in a row, about two minutes on two cores
    python learn.py --games 3000             # shorter

It plays many matches at once (`ludoteca.vector`), takes each decision with the odds its network gives, and after each batch makes what
was done in won matches likelier and what was done in lost ones less so. At the end it plays in the lab as a bot like any other.
"""

from __future__ import annotations

import argparse

import numpy as np

import ludoteca as lt


class Network:
    """Two layers: what is seen goes in, the odds of each action come out. Learns by Adam."""

    def __init__(self, inputs: int, actions: int, hidden: int = 128, seed: int = 0) -> None:
        luck = np.random.default_rng(seed)
        self.weights = [
            luck.normal(0, np.sqrt(2 / inputs), (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, actions), np.float32),
            np.zeros(actions, np.float32),
        ]
        self.first = [np.zeros_like(w) for w in self.weights]
        self.second = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def odds(self, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The odds of what is open, and the hidden layer."""
        w1, b1, w2, b2 = self.weights
        hidden = np.maximum(seen @ w1 + b1, 0)
        worth = np.where(mask > 0, hidden @ w2 + b2, -np.inf)
        worth = np.exp(worth - worth.max(axis=1, keepdims=True))
        return worth / worth.sum(axis=1, keepdims=True), hidden

    def learn(self, seen: np.ndarray, mask: np.ndarray, taken: np.ndarray, worth: np.ndarray, rate: float) -> None:
        """Makes what was taken likelier, as far as it was worth more than the mean."""
        odds, hidden = self.odds(seen, mask)
        push = -odds
        push[np.arange(len(taken)), taken] += 1
        push += 0.02 * odds * np.where(mask > 0, -np.log(odds + 1e-9) - 1, 0)  # stay curious
        push *= (worth / len(taken))[:, None]
        back = (push @ self.weights[2].T) * (hidden > 0)
        slopes = [seen.T @ back, back.sum(axis=0), hidden.T @ push, push.sum(axis=0)]
        self.steps += 1
        for n, slope in enumerate(slopes):
            self.first[n] = 0.9 * self.first[n] + 0.1 * slope
            self.second[n] = 0.999 * self.second[n] + 0.001 * slope**2
            mean = self.first[n] / (1 - 0.9**self.steps)
            size = np.sqrt(self.second[n] / (1 - 0.999**self.steps)) + 1e-8
            self.weights[n] += (rate * mean / size).astype(np.float32)


class Learner:
    """A network that sees the spaces of a game's map and answers with one of them."""

    def __init__(self, game: str) -> None:
        told = lt.describe(game)
        self.game = game
        block = next(block for block in told["observation"]["blocks"] if block["name"] == "spaces")
        group = next(group for group in told["actions"]["groups"] if group["name"] == "spaces")
        self.inputs = slice(block["at"], block["at"] + block["shape"][0] * block["shape"][1])
        self.actions = slice(group["at"], group["at"] + group["size"])
        self.network = Network(self.inputs.stop - self.inputs.start, group["size"])

    def train(self, games: int, at_once: int = 64, rate: float = 0.003) -> None:
        """Plays so many matches, half of them from each seat, and learns from each batch."""
        luck = np.random.default_rng(1)
        tables = [
            lt.vector(self.game, at_once, bots=bots, seed=1_000_000 * n)
            for n, bots in enumerate(([None, "random"], ["random", None]))
        ]
        open_now: list[list[list[tuple[np.ndarray, np.ndarray, int]]]] = [[[] for _ in range(at_once)] for _ in tables]
        played, batch, mean = 0, [], 0.0
        while played < games:
            for seat, table in enumerate(tables):
                seen, mask = table.observations()[:, self.inputs], table.masks[:, self.actions]
                odds, _ = self.network.odds(seen, mask)
                taken = (odds.cumsum(axis=1) > luck.random((at_once, 1))).argmax(axis=1)
                for n in range(at_once):
                    open_now[seat][n].append((seen[n], mask[n], int(taken[n])))
                _, rewards, done = table.step(taken + self.actions.start)
                for n in np.flatnonzero(done):
                    worth = float(rewards[n, seat])
                    mean += 0.01 * (worth - mean)
                    batch += [(*moment, worth - mean) for moment in open_now[seat][n]]
                    open_now[seat][n] = []
                    played += 1
            if len(batch) >= 1024:
                seen, mask, taken, worth = (np.array(column) for column in zip(*batch))
                self.network.learn(seen, mask, taken, worth.astype(np.float32), rate)
                batch = []

    def policy(self, choice: lt.Choice) -> int:
        """The likeliest answer: a function like this can sit at any table, and play in the lab."""
        odds, _ = self.network.odds(choice.observation[None, self.inputs], choice.mask[None, self.actions])
        return choice.option(int(odds[0].argmax()) + self.actions.start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="four-in-a-row")
    parser.add_argument("--games", type=int, default=20_000, help="matches to learn from")
    parser.add_argument("--check", type=int, default=400, help="matches against random bots at the end")
    asked = parser.parse_args()
    learner = Learner(asked.game)
    learner.train(asked.games)
    result = lt.simulate(asked.game, n=asked.check, bots=[learner.policy, "random"], rotate=True, seed=77)
    won = result.measure("wins_python:policy")["mean"]
    print(f"wins against random: {won['value']:.3f} ({won['low']:.3f} .. {won['high']:.3f}) in {asked.check} games")


if __name__ == "__main__":
    main()

"""Environments, by their peers' own tests, for every game at every number of players."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import GAMES, TABLES
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import ludoteca as lt


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_pettingzoo(name: str, players: int) -> None:
    api_test(lt.env(name, players=players, seed=1), num_cycles=120)
    seed_test(lambda: lt.env(name, players=players), num_cycles=40)


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(lt.gym(name, opponents="random"), skip_render_check=True)


@pytest.mark.parametrize("name", GAMES)
def test_max_cycles_cut_a_match_off(name: str) -> None:
    env = lt.env(name, seed=1, max_cycles=5)
    env.reset()
    steps = 0
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
        steps += not (terminated or truncated)
    assert steps <= 5 and (steps == 5 or not env.agents)


@pytest.mark.parametrize("name", GAMES)
def test_numbers_are_what_describe_says(name: str) -> None:
    players = lt.game(name).players[1]
    told = lt.describe(name, players)
    assert told["content"] == lt.game(name).content
    env = lt.env(name, players=players, seed=2)
    env.reset()
    seen = env.observe(env.agent_selection)
    blocks = env.blocks(seen)
    assert seen["observation"].shape == (told["observation"]["size"],)
    assert seen["action_mask"].shape == (told["actions"]["size"],)
    assert sum(block.size for block in blocks.values()) == told["observation"]["size"]
    for block in told["observation"]["blocks"]:
        assert blocks[block["name"]].shape == tuple(block["shape"])
    asked = [column["name"] for column in told["observation"]["blocks"][-1]["columns"]].index("asked")
    assert blocks["choice"][0, asked] == 1
    assert seen["action_mask"].any()
    # Whoever is not asked is told nothing of the question.
    other = env.possible_agents[(int(env.agent_selection[1:]) + 1) % players]
    if players > 1:
        assert not env.blocks(env.observe(other))["choice"].any()
        assert not env.observe(other)["action_mask"].any()


def test_an_action_that_is_not_open_loses_or_raises() -> None:
    env = lt.gym("teg", opponents="random")
    seen, _ = env.reset(seed=1)
    closed = int((seen["action_mask"] == 0).argmax())
    _, reward, over, _, info = env.step(closed)
    assert (reward, over, info) == (-1.0, True, {"illegal": True})
    strict = lt.gym("teg", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(lt.IllegalChoice):
        strict.step(closed)


def test_opponents_may_be_functions() -> None:
    asked = []

    def first(seen: dict[str, np.ndarray]) -> int:
        asked.append(seen["observation"].shape)
        return int(seen["action_mask"].argmax())

    env = lt.gym("altered", opponents=first, seat=1)
    seen, _ = env.reset(seed=3)
    over = False
    while not over:
        seen, reward, over, _, _ = env.step(int(seen["action_mask"].argmax()))
    assert asked and reward in (-1.0, 0.0, 1.0)


@pytest.mark.parametrize("returns", ["win", "place"])
def test_returns_add_up_to_nothing(returns: str) -> None:
    # Everybody's place is worth as much above the middle as others' are below.
    venv = lt.vector("alta-tension", 16, players=4, returns=returns)
    ended = []
    while len(ended) < 20:
        _, rewards, done = venv.step(venv.sample())
        ended.extend(rewards[done])
    worth = np.array(ended)
    if returns == "place":
        assert np.allclose(worth.sum(axis=1), 0, atol=1e-5)
    assert (worth.max(axis=1) <= 1).all() and (worth.min(axis=1) >= -1).all()
    assert (worth.max(axis=1) > worth.min(axis=1)).all()


@pytest.mark.parametrize("name", GAMES)
def test_many_matches_are_the_single_ones(name: str) -> None:
    venv = lt.vector(name, 3, seed=5)
    single = lt.env(name)
    single.reset(seed=6)  # the second of them
    for _ in range(30):
        seen = single.observe(single.agent_selection)
        seat = int(single.agent_selection[1:])
        assert venv.seats[1] == seat
        assert (venv.masks[1] == seen["action_mask"]).all()
        assert (venv.observations()[1] == seen["observation"]).all()
        actions = venv.sample()
        _, rewards, done = venv.step(actions)
        single.step(int(actions[1]))
        if done[1]:
            assert rewards[1].tolist() == [single.rewards[agent] for agent in single.possible_agents]
            break


def test_threads_change_nothing() -> None:
    one, two = (lt.vector("teg", 8, players=3, seed=2, threads=threads) for threads in (1, 3))
    for _ in range(50):
        actions = one.sample()
        assert (actions == two.sample()).all()
        a, b = one.step(actions), two.step(actions)
        assert all((x == y).all() for x, y in zip(a, b))


@pytest.mark.parametrize("name", ["alta-tension", "altered", "conquista"])
def test_a_uniform_policy_wins_as_often_as_random_bots(name: str) -> None:
    games = 600
    venv = lt.vector(name, 64, seed=10_000)
    players = venv.players
    won = np.zeros(players)
    ended = 0
    while ended < games:
        _, rewards, done = venv.step(venv.sample())
        won += ((rewards[done] + 1) / 2).sum(axis=0)
        ended += int(done.sum())
    shares = won / ended
    result = lt.simulate(name, n=games, players=players, seed=1)
    for seat, share in enumerate(shares):
        spread = 4 * np.sqrt(0.25 / games + 0.25 / ended)
        assert abs(share - result.wins[seat]["value"]) < spread, (seat, share, result.wins[seat])


@pytest.mark.skipif("tic-tac-toe" not in GAMES, reason="the shelf of classics is not in this library")
def test_tic_tac_toe_is_a_draw() -> None:
    known: dict[tuple[bytes, int], float] = {}

    def worth(match: lt.Match) -> float:
        """What the match is worth to seat 0, if both play as well as can be."""
        if match.over:
            won = match.winners
            return 0.0 if len(won) != 1 else (1.0 if won == [0] else -1.0)
        choice = match.choice()
        key = (choice.observation.tobytes(), choice.seat)
        if key not in known:
            tried = [worth(match.fork().choose(option)) for option in choice.options]
            known[key] = max(tried) if choice.seat == 0 else min(tried)
        return known[key]

    assert worth(lt.new("tic-tac-toe")) == 0
    assert 2000 < len(known) < 6000

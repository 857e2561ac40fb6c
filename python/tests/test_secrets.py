"""Twins: tables that look the same to a seat are the same in its numbers, its actions and its picture, whatever is hidden from it."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from pathlib import Path

import pytest
from conftest import GAMES, ROOT
from test_match import anything

import ludoteca as lt

#: Small games beside those of the library, and where tables that differ only in what is hidden must be met.
GENRES = ROOT / "examples" / "packs" / "genres"
SMALL = [info.id for info in lt.games(content=[GENRES]) if info.id not in GAMES]
SECRETS = ["alta-tension", "altered", "conquista", "euphoria", "teg", "roles"]
MOMENTS = 8
#: Seeds from which matches begin, and options of each choice that are tried.
SEEDS = 5
TRIED = 3

#: What a seat is told in words, and what it is told in numbers and pictures at tables that are told so.
Twins = dict[str, dict[str, tuple[bytes, bytes, str, str]]]


def look(match: lt.Match, seat: int, met: Twins) -> None:
    choice = match.choice(seat)
    options = choice.options if seat in match.asked else []
    asked = [(option.key, option.label) for option in options]
    told = json.dumps([match.view(seat), match.asked, match.events(seat=seat), asked])
    notes = repr([option.note for option in options])
    met[told][match.transcript] = (choice.observation.tobytes(), choice.mask.tobytes(), notes, match.picture(seat))


def twins(name: str, content: Path | None) -> int:
    """How many tables that differ looked the same to some seat."""
    met: Twins = defaultdict(dict)
    for seed in range(SEEDS):
        luck = random.Random(seed)
        match = lt.new(name, seed=seed, content=content)
        for _ in range(MOMENTS):
            if match.over:
                break
            choice = match.choice()
            for answer in [anything(choice, luck) for _ in range(TRIED)]:
                fork = match.fork().choose(answer, choice.seat)
                for seat in range(match.players):
                    look(fork, seat, met)
            match.choose(anything(choice, luck), choice.seat)
    for tables in met.values():
        assert len(set(tables.values())) == 1
    return sum(len(tables) - 1 for tables in met.values())


@pytest.mark.parametrize("name", GAMES + SMALL)
def test_what_a_seat_cannot_see_is_not_in_its_numbers(name: str) -> None:
    assert twins(name, GENRES if name in SMALL else None) >= (name in SECRETS)

"""What the tests share: the games there are, a small game of our own, and the command."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import ludoteca as lt

ROOT = Path(__file__).resolve().parents[2]
#: Every game of the library, with every number of players it allows.
GAMES = [info.id for info in lt.games(content=[])]
TABLES = [(info.id, n) for info in lt.games(content=[]) for n in range(info.players[0], info.players[1] + 1)]

MANIFEST = """
title = { es = "Tres en raya", en = "Three in a row" }
summary = { es = "Tres iguales en línea.", en = "Three of a kind in a line." }
version = "1"
players = [2, 2]
round_limit = 20
map = "board"

[space]
owner = { type = "player" }

[[phases]]
step = "turn"
each_player = true
"""

RULES = """
/// Three squares in a line.
fn lines() {
    [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"], ["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"],
     ["a1", "b2", "c3"], ["a3", "b2", "c1"]]
}

/// A player marks a free square; three in a line win.
fn turn(p) {
    let square = choose(p, "mark", spaces() - owned(0_player()) - owned(1_player()));
}
"""


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests stand in no pack: the games are those built into the package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LUDOTECA_CONTENT", raising=False)


@pytest.fixture(scope="session")
def command() -> str:
    """The command, to compare with."""
    named = os.environ.get("LUDOTECA_COMMAND") or shutil.which("ludoteca")
    if named is None or not Path(named).is_file():
        pytest.fail("the command `ludoteca` is not there: LUDOTECA_COMMAND says where it is")
    return named

"""What the tests share: the games there are, a place outside of any pack, and the command."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import ludoteca as lt
from ludoteca._content import Source

ROOT = Path(__file__).resolve().parents[2]
BUILT_IN = Source()
#: Every game of the library, and every number of players each allows.
GAMES = [info.id for info in lt.games(content=BUILT_IN)]
TABLES = [(info.id, n) for info in lt.games(content=BUILT_IN) for n in range(info.players[0], info.players[1] + 1)]


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests stand in no pack: the games are those built into the package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDOTECA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LUDOTECA_CONTENT", raising=False)


@pytest.fixture(scope="session")
def command() -> str:
    """The command, to compare with."""
    named = os.environ.get("LUDOTECA_COMMAND") or shutil.which("ludoteca")
    if named is None or not Path(named).is_file():
        pytest.fail("the command `ludoteca` is not there: LUDOTECA_COMMAND says where it is")
    return named


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of somebody's own: T.E.G. with a cheaper reserve, as an overlay of one parameter."""
    folder = tmp_path / "mine"
    (folder / "variants" / "conquista").mkdir(parents=True)
    (folder / "pack.toml").write_text(
        'name = "mine"\nversion = "1.0.0"\nauthors = ["us"]\nlicence = "CC0-1.0"\nkernel = ">=0.1, <0.2"\n'
    )
    (folder / "variants" / "conquista" / "dear.toml").write_text(
        'title = { es = "Cara", en = "Dear" }\nsummary = { es = "Flotas a 9.", en = "Fleets at 9." }\n\n'
        '[set]\n"prices.unit.resources" = 9\n'
    )
    return folder

"""OpenSpiel plays along on the classics both have: the same moves at every choice, and the same end."""

from __future__ import annotations

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests"))
import openspiel  # noqa: E402

sys.path.remove(str(ROOT / "tests"))


@pytest.mark.parametrize("name", openspiel.GAMES)
def test_open_spiel_plays_along(name: str) -> None:
    assert openspiel.play_along(name, 200).endswith("the same")

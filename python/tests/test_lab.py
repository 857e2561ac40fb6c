"""The lab says what the command says, to the digit."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ludoteca as lt


def said(command: str, *words: str) -> dict[str, Any]:
    """What the command says with the bots that play here if none are named; what was typed is left out."""
    bots = [] if "--bots" in words else ["--bots", "random"]
    done = subprocess.run([command, *words, *bots, "--json"], capture_output=True, text=True, check=False)
    # A search ends with 3 if it did not find what was wanted.
    assert done.returncode in (0, 3), done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    told.pop("seconds", None)
    for run in (told.get("run"), told.get("first", {}).get("run"), told.get("second", {}).get("run")):
        if run:
            run["made"]["command"] = ""
    return told


def test_sim(command: str) -> None:
    result = lt.simulate("alta-tension", n=60, players=3, seed=5, bots="random", close=3)
    words = ["sim", "alta-tension", "-n", "60", "--players", "3", "--seed", "5", "--close", "3"]
    assert {"run": result.header, "summary": result.summary} == said(command, *words)


def test_sim_with_other_bots_in_turn(command: str) -> None:
    result = lt.simulate("altered", n=6, bots=["greedy", "random"], rotate=True)
    words = ["sim", "altered", "-n", "6", "--bots", "greedy,random", "--rotate"]
    assert {"run": result.header, "summary": result.summary} == said(command, *words)


def test_compare(command: str) -> None:
    compared = lt.compare("conquista", set={"prices.unit.resources": 3}, n=25, players=2)
    words = ["compare", "conquista", "-n", "25", "--players", "2", "--set", "prices.unit.resources=3"]
    assert compared.told == said(command, *words)
    assert compared["rounds"]["pairs"] == 25 and len(compared) == 25


def test_compare_until(command: str) -> None:
    compared = lt.compare("conquista", variant="cheap-fleet", n=60, until=0.3, metric="first_wins")
    words = ["compare", "conquista", "-n", "60", "--variant", "cheap-fleet", "--until", "0.3"]
    assert compared.told == said(command, *words)
    assert compared.verdict is not None


def test_sweep(command: str) -> None:
    swept = lt.sweep("conquista", "prices.unit.resources=3..5", n=6)
    assert swept.told == said(command, "sweep", "conquista", "-n", "6", "--param", "prices.unit.resources=3..5")
    assert [point["values"] for point in swept.curve("rounds")] == [[3], [4], [5]]


def test_tune(command: str) -> None:
    tuned = lt.tune("conquista", "prices.unit.resources=3..5", "rounds in 8..9", n=12, batch=4, check=4)
    assert tuned is not None
    words = ["--param", "prices.unit.resources=3..5", "--goal", "rounds in 8..9", "--batch", "4", "--check", "4"]
    assert tuned.told == said(command, "tune", "conquista", "-n", "12", *words)
    assert set(tuned.set) <= {"prices.unit.resources"}


def test_games_are_a_table(command: str, tmp_path: Path) -> None:
    import polars

    result = lt.simulate("teg", n=5, players=2)
    frame = result.games
    assert isinstance(frame, polars.DataFrame) and frame["game"].to_list() == list(range(5))
    table = tmp_path / "games.parquet"
    words = ["sim", "teg", "-n", "5", "--players", "2", "--bots", "random", "--out", table]
    subprocess.run([command, *words], check=True, capture_output=True)
    assert polars.read_parquet(table).equals(frame)
    assert result.arrow().num_rows == 5
    again = lt.report(table)
    assert again.summary == result.summary and again.games.equals(frame)
    result.write(tmp_path / "mine.parquet")
    assert polars.read_parquet(tmp_path / "mine.parquet").equals(frame)


def test_pages_and_progress(tmp_path: Path) -> None:
    told: list[int] = []
    result = lt.simulate("alta-tension", n=300, players=4, progress=told.append)
    assert told == sorted(told) and all(0 <= done <= 300 for done in told)
    result.report(tmp_path / "page.html", lang="en")
    assert (tmp_path / "page.html").read_text().lower().startswith("<!doctype html")
    assert "wins" in repr(result) and "<table>" in result._repr_html_()
    with pytest.raises(KeyError, match="unknown metric `nope`"):
        result.measure("nope")


def test_a_function_plays_in_a_run() -> None:
    def first(choice: lt.Choice) -> list[lt.Option]:
        return choice.options[: max(1, choice.bounds[0])]

    result = lt.simulate("tic-tac-toe" if "tic-tac-toe" in [g.id for g in lt.games()] else "altered", n=8, bots=[first, "random"], rotate=True)
    assert result.header["bots"] == ["python:first", "random"]
    frame = result.games
    assert frame["p0_bot"].to_list() == ["python:first", "random"] * 4
    assert result.measure("wins_python:first")["games"] == 8

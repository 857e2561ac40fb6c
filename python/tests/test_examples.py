"""The examples do what they say: the notebook runs, the learner learns, shards under a shell join."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import GAMES, ROOT

import ludoteca as lt

EXAMPLES = ROOT / "examples" / "python"


def test_the_notebook_runs(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [data for cell in book.cells for output in cell.get("outputs", []) for data in output.get("data", {})]
    assert "image/svg+xml" in shown and "text/html" in shown


@pytest.mark.skipif("four-in-a-row" not in GAMES, reason="the shelf of classics is not in this library")
def test_the_learner_beats_chance() -> None:
    sys.path.insert(0, str(EXAMPLES))
    try:
        import learn
    finally:
        sys.path.remove(str(EXAMPLES))
    learner = learn.Learner("four-in-a-row")
    learner.train(2500)
    result = lt.simulate("four-in-a-row", n=200, bots=[learner.policy, "random"], rotate=True, seed=77)
    assert result.measure("wins_python:policy")["mean"]["low"] > 0.5


def test_shards_in_the_shell(command: str, tmp_path: Path) -> None:
    words = ["alta-tension", "40", "3", str(tmp_path / "runs"), "--players", "3", "--bots", "random"]
    done = subprocess.run(
        [EXAMPLES / "shards.sh", *words],
        env={**os.environ, "LUDOTECA_COMMAND": command},
        capture_output=True,
        text=True,
        check=True,
    )
    alone = subprocess.run(
        [command, "sim", "alta-tension", "-n", "40", "--players", "3", "--bots", "random"],
        capture_output=True,
        text=True,
        check=True,
    )
    # All but the last lines: what it was made with, and how fast it was.
    told, wanted = (run.stdout.split("\ncontent ")[0] for run in (done, alone))
    assert told.strip() and told.strip() == wanted.strip()

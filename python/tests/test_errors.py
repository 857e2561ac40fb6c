"""Mistakes are exceptions of the right kind, with the command's words; nothing ends the process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludoteca as lt
from ludoteca import _engine


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: lt.new("tegg"), KeyError, "there is no game `tegg`; did you mean `teg`?"),
        (lambda: lt.new("teg", variant="nope"), KeyError, "`teg` has no variant `nope`"),
        (lambda: lt.new("teg", players=9), ValueError, "teg is for 2 to 6 players, not 9"),
        (lambda: lt.new("teg", set={"nope": 1}), lt.ContentError, "nope"),
        (lambda: lt.new("teg", seats=["nobody", "random"]), ValueError, "unknown bot `nobody`"),
        (lambda: lt.new("teg").choose("nope"), lt.IllegalChoice, "`nope` is not among the options"),
        (lambda: lt.new("teg").choose(999), lt.IllegalChoice, "not among the options"),
        (lambda: lt.new("teg").choose(-1), lt.IllegalChoice, "count from 0"),
        (lambda: lt.new("teg").choose([0, 1]), lt.IllegalChoice, "expected one of the options, found 2"),
        (lambda: lt.new("teg").choice(1).text, lt.IllegalChoice, "seat 1 has nothing to choose now"),
        (lambda: lt.new("teg").choice(77), ValueError, "there is no seat 77"),
        (lambda: lt.new("teg").view(lang="fr"), ValueError, "there is no language `fr`"),
        (lambda: lt.new("teg", content=["/nowhere"]), ValueError, "/nowhere"),
        (lambda: lt.read("hello\n"), ValueError, "this is not a transcript"),
        (lambda: lt.simulate("teg", n=0), ValueError, "at least one game"),
        (lambda: lt.simulate("teg", bots="random,random,random"), ValueError, "3 bots are named for 2 players"),
        (lambda: lt.compare("teg", n=1), ValueError, "both sides are the same content"),
        (lambda: lt.vector("teg", 0), ValueError, "too few"),
        (lambda: lt.vector("teg", 2).step([0]), ValueError, "1 actions were given for 2 matches"),
        (lambda: lt.vector("teg", 1).step([-1]), lt.IllegalChoice, "not among the options"),
        (lambda: lt.env("teg", returns="money"), ValueError, "unknown returns `money`"),
        (lambda: lt.report("/nowhere.parquet"), (ValueError, OSError), "nowhere"),
    ],
)
def test_a_mistake_is_an_exception_of_its_kind(call: object, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind) as raised:
        call()  # type: ignore[operator]
    assert said in str(raised.value).replace("\\'", "'")


def test_content_that_is_wrong_says_where(pack: Path) -> None:
    (pack / "variants" / "conquista" / "dear.toml").write_text(
        'title = { es = "x", en = "x" }\nsummary = { es = "x", en = "x" }\n[set]\nnope = 3\n'
    )
    with pytest.raises(lt.ContentError) as raised:
        lt.new("conquista", variant="dear", content=[pack])
    (found,) = [one for one in raised.value.diagnostics if one.is_error]
    assert found.file and found.file.endswith("dear.toml") and found.line == 4 and found.code.startswith("E")
    listed = [one for one in lt.check(pack) if one.is_error]
    assert found.message in [one.message for one in listed]
    assert "dear.toml" in str(listed[0])


def test_a_clean_pack_has_nothing_wrong(pack: Path) -> None:
    assert lt.check(pack) == []


def test_a_rule_that_breaks_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    (folder / "scripts" / "odd").mkdir(parents=True)
    (folder / "scripts" / "odd" / "game.toml").write_text(
        'version = "1.0.0"\ntitle = { es = "Rara", en = "Odd" }\nsummary = { es = "Rota.", en = "Broken." }\n'
        'players = [2, 2]\n\n[[phases]]\nstep = "turn"\neach = "player"\ntext = { es = "Turno", en = "Turn" }\n'
    )
    (folder / "scripts" / "odd" / "rules.rhai").write_text(
        "/// Divides by nothing.\nfn turn(p) {\n    let n = 0;\n    if 7 / n == 1 { end_game(); }\n}\n\nfn score(p) { 0 }\n"
    )
    with pytest.raises(lt.BrokenRule, match="rules.rhai:4"):
        lt.new("odd", content=[folder])
    with pytest.raises(lt.BrokenRule, match="game with seed 1"):
        lt.simulate("odd", n=3, content=[folder])


@pytest.mark.parametrize("released", [False, True])
def test_a_fault_of_the_engine_is_an_exception_like_others(released: bool) -> None:
    with pytest.raises(lt.Fault, match="a rehearsal"):
        _engine.rehearse_fault(released)


def test_what_a_function_on_a_seat_raises_comes_back() -> None:
    def odd(choice: lt.Choice) -> int:
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        lt.new("teg", seats=odd)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        lt.simulate("teg", n=5, bots=odd)
    with pytest.raises(lt.IllegalChoice):
        lt.simulate("teg", n=5, bots=lambda choice: 999)


@pytest.fixture
def listening() -> Iterator[None]:
    """Whoever runs the tests in the background has told Python not to listen for Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_returns_what_is_done(listening: None) -> None:
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    result = lt.simulate("alta-tension", n=100_000_000, players=2)
    assert result.stopped and 0 < len(result) < 100_000_000
    assert len(result.games) == len(result)


def test_other_threads_run_while_games_are_played() -> None:
    counted = []

    def count() -> None:
        while not done.is_set():
            counted.append(time.monotonic())
            time.sleep(0.005)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    lt.simulate("alta-tension", n=400, players=4, jobs=1)
    done.set()
    thread.join()
    assert len(counted) > 10

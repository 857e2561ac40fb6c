"""What documents show runs as it is written there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import ludoteca as lt

GUIDE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
#: What needs a cluster elsewhere runs in `test_cluster.py`.
BLOCKS = [block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "Client(" not in block]


def shorter(code: str) -> str:
    """The same with fewer games."""
    return re.sub(r"\bn=\d+", "n=12", code)


def test_the_guide_runs_from_top_to_bottom() -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(compile(shorter(block), "docs/python.md", "exec"), names)
    assert len(BLOCKS) >= 4 and Path("page.html").is_file() and Path("a.transcript").is_file()
    assert names["r"].games.height == 12 and names["masks"].shape[0] == 256


@pytest.fixture
def my_pack() -> None:
    """T.E.G. with at most so many attacks in a turn: one parameter, and the function it changes."""
    folder = Path("my-pack/scripts/teg")
    folder.mkdir(parents=True)
    Path("my-pack/pack.toml").write_text(
        'name = "my-pack"\nversion = "1.0.0"\nauthors = ["us"]\nlicence = "CC0-1.0"\nkernel = ">=0.1, <0.2"\n'
        '[builds_on]\nbase = "*"\n'
    )
    (folder / "game.toml").write_text(
        '[parameters]\nmax_attacks = { value = 3, min = 1, max = 9, text = { es = "Ataques", en = "Attacks" } }\n'
    )
    (folder / "attack.rhai").write_text(
        "/// At most so many attacks.\nfn attack(p) {\n    open_zone_duty(p);\n    for i in 0..MAX_ATTACKS {\n"
        '        let move = choose_or(p, "attack", fronts(p), "stop");\n        if move == () { return; }\n'
        "        battle(p, move.from, move.to);\n        if game_over() { return; }\n    }\n}\n"
    )


@pytest.mark.usefixtures("my_pack")
def test_the_package_at_a_glance() -> None:
    m = lt.new("teg", players=4, seed=7, variant=None, set={"max_attacks": 5}, content=["my-pack"])
    assert m.asked == [0]
    c = m.choice(0)
    assert c.prompt and c.text and all(option.key and option.label and option.about for option in c.options)
    m.choose(c.options[2])
    while m.choice().prompt != "attack":
        m.choose(list(range(m.choice().bounds[0])), m.asked[0])
    borders = [option.key for option in m.choice().options if ">" in option.key]
    m.choose(borders[0])
    m.choose(0)
    assert m.view(0)["you"] == 0 and m.events(since=0)
    assert m.log(lang="es") != m.log(lang="en")
    f = m.fork()
    m.undo()
    assert f.transcript != m.transcript
    m.save("a.transcript")
    assert lt.load("a.transcript").transcript == m.transcript
    assert m._repr_svg_().startswith("<svg") and m.choice().text in m._repr_html_()

    env = lt.env("altered", seed=1)
    env.reset()
    assert set(env.observe("p0")) == {"observation", "action_mask"}
    penv = lt.gym("alta-tension", opponents="greedy")
    seen, _ = penv.reset(seed=1)
    penv.step(int(seen["action_mask"].argmax()))
    venv = lt.vector("teg", n=256, players=2)
    assert venv.step(venv.sample())[0].shape[0] == 256

    r = lt.simulate("conquista", n=4, players=3, bots="greedy", progress=True)
    assert r.games.height == 4
    d = lt.compare("conquista", set={"prices.unit.resources": 3}, n=6)
    assert d.differences
    t = lt.tune("conquista", "prices.unit.resources=3..4", "rounds in 5..12", n=8, batch=4, check=4)
    assert t is not None and t.settings
    assert lt.sweep("conquista", "prices.unit.resources=3..4", n=4).points
    r.report("page.html")
    assert Path("page.html").stat().st_size > 1000
    assert lt.check("my-pack") == []

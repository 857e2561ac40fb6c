"""Matches: every game, from its first choice to its end; taken back, forked, kept, pickled, shown."""

from __future__ import annotations

import copy
import pickle
import random
import xml.etree.ElementTree as ET
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from conftest import GAMES

import ludoteca as lt


def anything(choice: lt.Choice, luck: random.Random) -> list[int]:
    """Some answer that is offered."""
    low, high = choice.bounds
    if choice.amount:
        return [luck.randrange(choice.amount[1] - choice.amount[0] + 1)]
    return [option.number for option in luck.sample(choice.options, max(low, min(1, high)))]


#: Games that may be over after a few answers.
SHORT = {"tic-tac-toe", "beacons"}


def play(match: lt.Match, answers: int, seed: int = 1) -> lt.Match:
    luck = random.Random(seed)
    for _ in range(answers):
        if match.over:
            break
        choice = match.choice()
        match.choose(anything(choice, luck), choice.seat)
    return match


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_asked_answered_taken_back_and_forked(name: str) -> None:
    match = play(lt.new(name, seed=7), 2 if name in SHORT else 12)
    before = (match.transcript, match.view(match.asked[0]), len(match.events()))
    fork = match.fork()
    play(match, 3, seed=2)
    assert match.transcript != before[0]
    assert (fork.transcript, fork.view(fork.asked[0]), len(fork.events())) == before
    for _ in range(3):
        assert match.undo()
    assert (match.transcript, match.view(match.asked[0]), len(match.events())) == before


@pytest.mark.parametrize("name", GAMES)
def test_a_match_goes_on_the_same_wherever_it_is_sent(name: str, tmp_path: Path) -> None:
    match = play(lt.new(name, seed=3), 20)
    match.save(tmp_path / "a.transcript")
    again = [lt.load(tmp_path / "a.transcript"), pickle.loads(pickle.dumps(match)), copy.deepcopy(match)]
    for other in again:
        assert other.transcript == match.transcript
        assert play(other, 10, seed=5).transcript == play(match.fork(), 10, seed=5).transcript


def remote(match: lt.Match) -> str:
    return play(match, 10, seed=5).transcript


def test_a_match_with_a_pack_of_ones_own_goes_to_another_process(pack: Path) -> None:
    match = play(lt.new("conquista", variant="dear", content=[pack], seed=1), 5)
    assert match.game.content != lt.game("conquista").content
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(remote, match).result() == remote(match.fork())


def test_an_answer_is_an_option_a_key_or_a_number() -> None:
    def first() -> lt.Match:
        return lt.new("teg", players=4, seed=7)

    choice = first().choice(lang="en")
    option = choice.options[2]
    assert choice[option.key] == option
    assert choice.text and choice.prompt and option.label and option.about["kind"]
    answered = {first().choose(answer).transcript for answer in (option, option.key, option.number, [option])}
    assert len(answered) == 1


def test_bots_and_functions_sit_together() -> None:
    asked = []
    size = lt.describe("altered")["observation"]["size"]

    def first(choice: lt.Choice) -> lt.Option | int:
        asked.append(choice.seat)
        assert choice.view["you"] == choice.seat
        assert choice.observation.shape == (size,)
        action = int(choice.mask.argmax())
        assert 0 <= choice.option(action) < len(choice.options)
        return choice.options[0] if choice.bounds == (1, 1) else choice.options[: choice.bounds[0]]  # type: ignore[return-value]

    match = lt.new("altered", seed=1, seats=[first, "random"])
    assert match.over and set(asked) == {0}
    assert match.seats == ["python", "random"]
    assert sorted(place["place"] for place in match.ranking)[0] == 1
    assert match.reason("en") is not None and match.log(lang="en")


@pytest.mark.parametrize("name", GAMES)
def test_a_notebook_shows_the_table_and_the_question(name: str) -> None:
    match = play(lt.new(name, seed=2), 3 if name in SHORT else 15)
    drawn = ET.fromstring(match._repr_svg_())
    assert drawn.tag.endswith("svg")
    spaces = match.view()["spaces"]
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}title"))) >= len(spaces)
    assert "script" not in {element.tag.rpartition("}")[2] for element in drawn.iter()}
    assert match.choice().text.split()[0] in match._repr_html_()


def test_hidden_cards_are_not_in_the_picture() -> None:
    match = play(lt.new("altered", seed=4), 12)
    hand = [piece["name"] for piece in match.view(1)["players"][1]["zones"]["hand"]["pieces"]]
    told = str(match.view(0))
    hidden = [name for name in hand if name not in told]
    assert hidden and all(name in match.picture(1) and name not in match.picture(0) for name in hidden)

"""Matches: asked, answered, taken back, forked, kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _engine
from ._content import Game, PathLike, Setting, Source, Variant, archived, game, source


@dataclass(frozen=True)
class Option:
    """One option of a choice."""

    number: int
    key: str
    label: str
    note: str | None
    #: What on the table it is about: its `kind` says what else is there.
    about: dict[str, Any]

    def __str__(self) -> str:
        return self.label if self.note is None else f"{self.label} ({self.note})"


class Choice:
    """What a seat is asked, and what it sees while it is asked. It stays as it was when the match goes on."""

    def __init__(self, asked: _engine.Asked, game: Game, players: int, lang: str = "es") -> None:
        self._asked = asked
        self._game = game
        self._players = players
        self._offer: dict[str, Any] | None = None
        self.lang = lang

    @property
    def _told(self) -> dict[str, Any]:
        if self._offer is None:
            offer = self._asked.offer(self.lang)
            if offer is None:
                raise _engine.IllegalChoice(f"seat {self.seat} has nothing to choose now")
            self._offer = offer
        return self._offer

    @property
    def seat(self) -> int:
        return self._asked.seat

    @property
    def prompt(self) -> str:
        """The key of the question."""
        return str(self._told["prompt"])

    @property
    def text(self) -> str:
        """The question."""
        return str(self._told["text"])

    @property
    def options(self) -> list[Option]:
        """All options; of a very long row of numbers (see `amount`) only the words beside it."""
        return [Option(**told) for told in self._told["options"]]

    @property
    def amount(self) -> tuple[int, int] | None:
        """The lowest and the highest, when numbers in a row are offered."""
        amount = self._told["amount"]
        return None if amount is None else (amount[0], amount[1])

    @property
    def bounds(self) -> tuple[int, int]:
        """How many options are wanted, at least and at most."""
        return self._told["min"], self._told["max"]

    @property
    def together(self) -> bool:
        """Whether several seats answer in secret."""
        return bool(self._told["together"])

    @property
    def view(self) -> dict[str, Any]:
        """What the seat sees."""
        seen: dict[str, Any] = self._asked.view(self.lang)
        return seen

    @property
    def observation(self) -> NDArray[np.float32]:
        """What the seat sees, in numbers (`ludoteca.describe` says which)."""
        return self._asked.observation()

    @property
    def mask(self) -> NDArray[np.int8]:
        """The actions of the fixed list that are open."""
        return self._asked.mask()

    def option(self, action: int) -> int:
        """The number of the option an action of the fixed list stands for."""
        found = self._asked.option(action)
        if found is None:
            raise _engine.IllegalChoice(f"action {action} is not open")
        return found

    def __getitem__(self, key: str) -> Option:
        for option in self.options:
            if option.key == key:
                return option
        raise KeyError(key)

    def __repr__(self) -> str:
        if self._asked.offer(self.lang) is None:
            return f"<seat {self.seat} has nothing to choose>"
        keys = ", ".join(option.key for option in self.options[:6])
        more = ", .." if len(self.options) > 6 else ""
        return f"<choice of seat {self.seat}: {self.text} [{keys}{more}]>"

    def _repr_html_(self) -> str:
        from ._picture import question

        return question(self)


One = Union[Option, str, int, np.integer]
Answer = Union[One, Iterable[One]]
#: Who sits on a seat: the name of a bot, a function that answers a choice, or nobody (`None`), who is asked.
Seat = Union[str, Callable[[Choice], Answer], None]


def picked(choice: Choice, answer: Answer) -> list[int] | list[str]:
    """An answer as numbers of options, or as keys."""
    if isinstance(answer, (Option, str, int, np.integer)):
        answer = [answer]
    many = list(answer)
    if any(isinstance(one, str) for one in many):
        return [one if isinstance(one, str) else _key(choice, one) for one in many]
    numbers = [one.number if isinstance(one, Option) else int(one) for one in many]
    if any(number < 0 for number in numbers):
        raise _engine.IllegalChoice(f"options count from 0, not {min(numbers)}")
    return numbers


def _key(choice: Choice, one: Any) -> str:
    number = one.number if isinstance(one, Option) else int(one)
    for option in choice.options:
        if option.number == number:
            return option.key
    raise _engine.IllegalChoice(f"there is no option {number}")


#: Games of matches that were saved here, by the hash of their content: they are loaded again with the packs they were played with.
_saved: dict[str, Game] = {}


class Match:
    """One match. Bots and functions on its seats answer by themselves; the others are asked."""

    def __init__(self, game: Game, table: _engine.SeatedMatch, guests: dict[int, Callable[[Choice], Answer]]) -> None:
        self.game = game
        self._table = table
        self._guests = guests
        self._let_guests_answer()

    # What is asked

    @property
    def asked(self) -> list[int]:
        """The seats that must choose."""
        return self._table.asked

    @property
    def over(self) -> bool:
        return self._table.over

    @property
    def players(self) -> int:
        return self._table.players

    @property
    def seed(self) -> int:
        return self._table.seed

    @property
    def round(self) -> int:
        return self._table.round

    @property
    def seats(self) -> list[str]:
        """Who sits where."""
        return self._table.seats

    def choice(self, seat: int | None = None, lang: str = "es") -> Choice:
        """What a seat is asked; without a seat, the first that is."""
        if seat is None:
            if not self.asked:
                raise _engine.IllegalChoice("nobody is asked anything: the match is over")
            seat = self.asked[0]
        return Choice(self._table.ask(seat), self.game, self.players, lang)

    # What is answered

    def choose(self, answer: Answer, seat: int | None = None) -> Match:
        """Answers by an option, its key or its number; or by several of them where several are wanted."""
        self._answer(answer, self.choice(seat))
        self._let_guests_answer()
        return self

    def _answer(self, answer: Answer, choice: Choice) -> None:
        named = picked(choice, answer)
        if named and isinstance(named[0], str):
            self._table.answer_keys(choice.seat, named)
        else:
            self._table.answer(choice.seat, named)  # type: ignore[arg-type]

    def _let_guests_answer(self) -> None:
        while self._guests:
            waiting = [seat for seat in self.asked if seat in self._guests]
            if not waiting:
                return
            choice = self.choice(waiting[0])
            self._answer(self._guests[waiting[0]](choice), choice)

    def undo(self, seat: int | None = None) -> bool:
        """Back to the former choice of a seat, or to the last one that anybody was asked; `False` if there is none."""
        undone = self._table.undo(seat)
        while undone and self.asked and all(one in self._guests for one in self.asked):
            undone = self._table.undo(None)
        return undone

    def fork(self) -> Match:
        """The same match once more: whatever is tried there changes nothing here."""
        return Match(self.game, self._table.fork(), dict(self._guests))

    # What is seen

    def view(self, seat: int | None = None, lang: str = "es") -> dict[str, Any]:
        """What a seat sees; without a seat, what everybody sees."""
        seen: dict[str, Any] = self._table.view(seat, lang)
        return seen

    def events(self, since: int = 0, seat: int | None = None, lang: str = "es") -> list[dict[str, Any]]:
        """What a seat heard from event `since` on, or somebody who watches. Each event has its `number`."""
        told: list[dict[str, Any]] = self._table.events(since, seat, lang)
        return told

    def log(self, seat: int | None = None, lang: str = "es") -> list[str]:
        """The lines people read."""
        return self._table.log(seat, lang)

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """Everybody's place, best first, once the match is over."""
        return [{"seat": seat, "place": place, "score": score} for seat, place, score in self._table.ranking()]

    @property
    def winners(self) -> list[int]:
        """The seats that share the first place."""
        return [one["seat"] for one in self.ranking if one["place"] == 1]

    def reason(self, lang: str = "es") -> str:
        """Why it ended."""
        return self._table.reason(lang)

    # How it is kept

    @property
    def transcript(self) -> str:
        """The match as text: enough to play it again."""
        return self._table.transcript()

    def save(self, path: PathLike) -> None:
        """Writes the match down, whole or not at all."""
        self._table.save(os.fspath(path))
        _saved[self.game.content] = self.game

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.game, self.transcript, [self._guests.get(seat) for seat in range(self.players)])

    def __repr__(self) -> str:
        stands = "over" if self.over else f"round {self.round}, {', '.join(f'p{s}' for s in self.asked)} asked"
        return f"<{self.game.id}, {self.players} players, seed {self.seed}: {stands}>"

    def _repr_svg_(self) -> str:
        return self.picture()

    def _repr_html_(self) -> str:
        from ._picture import page

        return page(self)

    def picture(self, seat: int | None = None, lang: str = "es") -> str:
        """The table as an SVG picture, as a seat sees it, or whoever is asked, or somebody who watches."""
        if seat is None and len(self.asked) == 1:
            seat = self.asked[0]
        return self._table.picture(seat, lang)


def split(seats: Sequence[Seat] | Seat, players: int) -> tuple[list[str | None], dict[int, Callable[[Choice], Answer]]]:
    """Names of bots for the engine, and the functions that answer for other seats."""
    if seats is None or isinstance(seats, str) or callable(seats):
        seats = [seats] * players
    if len(seats) == 1:
        seats = list(seats) * players
    if len(seats) != players:
        raise ValueError(f"{len(seats)} seats are named for {players} players; name one for all, or one for each")
    named = [seat if isinstance(seat, str) else None for seat in seats]
    return named, {n: seat for n, seat in enumerate(seats) if callable(seat)}


def _players(game: Game, players: int | None, seats: Sequence[Seat] | Seat) -> int:
    if players is None and isinstance(seats, Sequence) and not isinstance(seats, str) and len(seats) > 1:
        return len(seats)
    return game.players[0] if players is None else players


def new(
    name: str | Game,
    players: int | None = None,
    seed: int = 0,
    variant: Variant = None,
    set: Setting = None,
    content: PathLike | Sequence[PathLike] | Source | None = None,
    seats: Sequence[Seat] | Seat = None,
) -> Match:
    """A new match. Seats nobody is named for are asked."""
    chosen = game(name, variant, set, content)
    players = _players(chosen, players, seats)
    named, guests = split(seats, players)
    return Match(chosen, _engine.SeatedMatch(chosen.rules, named, seed), guests)


def load(
    path: PathLike,
    content: PathLike | Sequence[PathLike] | Source | None = None,
    seats: Sequence[Seat] | Seat = None,
    anyway: bool = False,
) -> Match:
    """A match that was saved, by this package or by the command.

    Without `content`, one that was saved by this process has its packs; `anyway` plays it on other content, as far as it goes.
    """
    with open(path, encoding="utf-8", newline="") as file:
        written = file.read()
    return read(written, content=content, seats=seats, anyway=anyway)


def read(
    written: str,
    content: PathLike | Sequence[PathLike] | Source | None = None,
    seats: Sequence[Seat] | Seat = None,
    anyway: bool = False,
) -> Match:
    """A match from its transcript."""
    header = _engine.header(written)
    known = _saved.get(header["content"]) if content is None and not anyway else None
    chosen = known or game(header["game"], header["variants"], dict(header["set"]), source(content))
    if seats is None:
        seats = [name if _engine.is_bot(name) else None for name in header["seats"]] or None
    named, guests = split(seats, header["players"])
    return Match(chosen, _engine.SeatedMatch.read(chosen.rules, named, written, anyway), guests)


def _again(game: Game, written: str, guests: list[Callable[[Choice], Answer] | None]) -> Match:
    header = _engine.header(written)
    named = [name if _engine.is_bot(name) else None for name in header["seats"]]
    table = _engine.SeatedMatch.read(game.rules, named, written, False)
    return Match(game, table, {n: guest for n, guest in enumerate(guests) if guest is not None})


__all__ = ["Answer", "Choice", "Match", "Option", "Seat", "archived", "load", "new", "read"]

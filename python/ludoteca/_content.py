"""Where games come from: the pack one stands in, the one built in, and those that are named."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Union

from . import _engine

PathLike = Union[str, "os.PathLike[str]"]
Variant = Union[str, Sequence[str], None]
Setting = Union[Mapping[str, object], None]

#: Folders of packs for whoever names none, as the command has it.
CONTENT = "LUDOTECA_CONTENT"
#: The file that says which packs a folder plays with.
LOCK = "ludoteca.lock"


@dataclass(frozen=True)
class VariantInfo:
    """A variant of a game."""

    id: str
    title: str
    summary: str


@dataclass(frozen=True)
class GameInfo:
    """What the list of games says of one."""

    id: str
    title: str
    summary: str
    players: tuple[int, int]
    variants: tuple[VariantInfo, ...] = ()


@dataclass(frozen=True)
class Place:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    label: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong with content."""

    code: str
    name: str
    severity: str
    message: str
    help: str | None = None
    at: Place | None = None
    related: tuple[Place, ...] = ()
    text: str = field(default="", repr=False, compare=False)

    @property
    def file(self) -> str | None:
        """The file it is in, if it is in one."""
        return self.at.file if self.at else None

    @property
    def line(self) -> int | None:
        return self.at.line if self.at else None

    @property
    def column(self) -> int | None:
        return self.at.column if self.at else None

    @property
    def is_error(self) -> bool:
        """Whether the content cannot be used; else it is a warning."""
        return self.severity == "error"

    def __str__(self) -> str:
        """The diagnostic as a terminal shows it."""
        return self.text or self.message


def diagnostic(told: Mapping[str, Any]) -> Diagnostic:
    """A diagnostic from what the engine says."""
    at = told.get("at")
    return Diagnostic(
        code=told["code"],
        name=told["name"],
        severity=told["severity"],
        message=told["message"],
        help=told.get("help"),
        at=Place(**at) if at else None,
        related=tuple(Place(**place) for place in told.get("related", ())),
        text=told.get("text", ""),
    )


@dataclass(frozen=True)
class Archive:
    """A pack on its way to another machine: the bytes of a pack file (`.ludo`), and the hash of what is in it."""

    name: str
    hash: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Source:
    """Which packs are meant: a checkout or what is built in, the pack one stands in, those installed and named; or archives of all."""

    base: str | None = None
    own: str | None = None
    installed: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    archives: tuple[Archive, ...] = ()

    def is_built_in(self) -> bool:
        """Whether everybody who has this package has these packs."""
        return self == Source()

    @property
    def hash(self) -> str:
        """What tells these archives from any others; empty where there are none."""
        told = "".join(f"{pack.name} {pack.hash}\n" for pack in self.archives)
        return hashlib.sha256(told.encode()).hexdigest() if told else ""


def home() -> tuple[str | None, str | None]:
    """The checkout one stands in, as the base; or the pack one stands in, over the base that is built in."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "pack.toml").is_file():
            return None, str(folder)
        if (folder / "core" / "ARCHITECTURE.md").is_file() and (folder / "scripts").is_dir():
            return str(folder), None
    return None, None


def installed(base: str | None) -> list[str]:
    """The packs installed for this user, as the command sees them: those of the lock of this folder, or all; none over a checkout."""
    here = Path.cwd()
    lock = next((str(folder / LOCK) for folder in (here, *here.parents) if (folder / LOCK).is_file()), None)
    if lock is None and base is not None:
        return []
    return _engine.installed(lock)


def source(content: PathLike | Sequence[PathLike] | Source | None = None) -> Source:
    """The packs somebody means: the base, the pack one stands in, those installed, then those named here or in LUDOTECA_CONTENT."""
    if isinstance(content, Source):
        return content
    base, own = home()
    if content is None:
        wanted = [part for part in os.environ.get(CONTENT, "").split(os.pathsep) if part]
    elif isinstance(content, (str, os.PathLike)):
        wanted = [os.fspath(content)]
    else:
        wanted = [os.fspath(one) for one in content]
    paths = dict.fromkeys(str(Path(one).resolve()) for one in wanted)
    named = tuple(path for path in paths if path not in (base, own))
    return Source(base, own, tuple(installed(base)), named)


_opened: dict[str, _engine.Content] = {}


def opened(source: Source) -> _engine.Content:
    """The packs, read. Folders are read anew each time, so that an edit counts; archives and what is built in are not."""
    if source.archives or source.is_built_in():
        known = _opened.get(source.hash)
        if known is None:
            packed = [(pack.name, pack.hash, pack.data) for pack in source.archives]
            known = _engine.Content.unpacked(packed) if packed else _engine.Content(None, None, [], [])
            _opened[source.hash] = known
        return known
    return _engine.Content(source.base, source.own, list(source.installed), list(source.named))


def archived(source: Source) -> Source:
    """The same packs as archives, for another machine."""
    if source.archives:
        return source
    return Source(archives=tuple(Archive(*packed) for packed in opened(source).packed()))


def variants(variant: Variant) -> list[str]:
    """Names of variants, in their order."""
    if variant is None:
        return []
    return [variant] if isinstance(variant, str) else list(variant)


def settings(set: Setting) -> list[tuple[str, str]]:
    """What is set, as the command's `--set` writes it."""
    return [(key, written(value)) for key, value in (set or {}).items()]


def written(value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(json.dumps(v) if isinstance(v, str) else written(v) for v in value) + "]"
    return str(value)


class Game:
    """A game with its variants and settings, ready to be played. Everything that takes a game by name takes one of these too."""

    def __init__(self, source: Source, rules: _engine.Rules) -> None:
        self.source = source
        self.rules = rules

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def content(self) -> str:
        """The hash of the content, as transcripts and tables of results have it."""
        return self.rules.content

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players."""
        return self.rules.fewest, self.rules.most

    def __repr__(self) -> str:
        return f"<ludoteca game {self.id} {self.content}>"

    def __reduce__(self) -> tuple[Any, ...]:
        source = self.source if self.source.is_built_in() else archived(self.source)
        return _again, (source, self.id, self.rules.variants, self.rules.set, self.content)


def _again(source: Source, id: str, variants: list[str], set: list[tuple[str, str]], content: str) -> Game:
    """A game that came from another process; it must be the same there and here."""
    game = Game(source, opened(source).load(id, variants, set))
    if game.content != content:
        raise ValueError(f"{id} is another game here: its content is {game.content}, not {content}")
    return game


def game(
    name: str | Game,
    variant: Variant = None,
    set: Setting = None,
    content: PathLike | Sequence[PathLike] | Source | None = None,
) -> Game:
    """A game by its name, with variants and settings."""
    if isinstance(name, Game):
        if variant is None and not set and content is None:
            return name
        chosen = name.rules.variants + variants(variant)
        merged = name.rules.set + settings(set)
        where = name.source if content is None else source(content)
        return Game(where, opened(where).load(name.id, chosen, merged))
    where = source(content)
    return Game(where, opened(where).load(name, variants(variant), settings(set)))


def games(content: PathLike | Sequence[PathLike] | Source | None = None, lang: str = "en") -> list[GameInfo]:
    """The games there are."""

    def info(told: Mapping[str, Any]) -> GameInfo:
        listed = tuple(VariantInfo(v["id"], v["title"][lang], v["summary"][lang]) for v in told["variants"])
        players = (told["players"][0], told["players"][1])
        return GameInfo(told["id"], told["title"][lang], told["summary"][lang], players, listed)

    return [info(told) for told in opened(source(content)).games()]


def check(
    target: PathLike | None = None, content: PathLike | Sequence[PathLike] | Source | None = None
) -> list[Diagnostic]:
    """Everything that is wrong with a pack (a folder), a game (its name), or all there is. An empty list is a clean bill."""
    where = source(content)
    only: str | None = None
    if target is not None:
        known = {info["id"] for info in opened(where).games()}
        if os.fspath(target) not in known and Path(target).is_dir():
            folder = str(Path(target).resolve())
            if folder not in (where.base, where.own, *where.named):
                where = replace(where, named=(*where.named, folder))
        else:
            only = os.fspath(target)
    return [diagnostic(told) for told in opened(where).check(only)]


def describe(name: str | Game, players: int | None = None, **game_options: Any) -> dict[str, Any]:
    """What each number of an observation and each action is."""
    described: dict[str, Any] = game(name, **game_options).rules.describe(players)
    return described

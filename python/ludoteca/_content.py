"""Where games come from: the pack one stands in, the one built in, and those that are named."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from . import _engine

PathLike = Union[str, "os.PathLike[str]"]
Variant = Union[str, Sequence[str], None]
Setting = Union[Mapping[str, object], None]

#: Folders of packs for whoever names none, as the command has it.
CONTENT = "LUDOTECA_CONTENT"


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
    """Packs on their way to another machine: all their files, and the hash by which they are known there."""

    hash: str
    data: bytes


@dataclass(frozen=True)
class Source:
    """Which packs are meant: folders, or an archive."""

    base: str | None = None
    folders: tuple[str, ...] = ()
    archive: Archive | None = None

    def is_built_in(self) -> bool:
        """Whether everybody who has this package has these packs."""
        return self.base is None and not self.folders and self.archive is None


def home() -> tuple[str | None, list[str]]:
    """The checkout one stands in, as the base; or the pack one stands in, over the base that is built in."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "pack.toml").is_file():
            return None, [str(folder)]
        if (folder / "core" / "ARCHITECTURE.md").is_file() and (folder / "scripts").is_dir():
            return str(folder), []
    return None, []


def source(content: PathLike | Sequence[PathLike] | Source | None = None) -> Source:
    """The packs somebody means: the base, the pack one stands in, then those named here or in LUDOTECA_CONTENT."""
    if isinstance(content, Source):
        return content
    base, folders = home()
    if content is None:
        named = [part for part in os.environ.get(CONTENT, "").split(os.pathsep) if part]
    elif isinstance(content, (str, os.PathLike)):
        named = [os.fspath(content)]
    else:
        named = [os.fspath(one) for one in content]
    for one in named:
        path = str(Path(one).resolve())
        if path not in folders and path != base:
            folders.append(path)
    return Source(base, tuple(folders))


_opened: dict[str, _engine.Content] = {}


def opened(source: Source) -> _engine.Content:
    """The packs, read. Folders are read anew each time, so that an edit counts; archives and what is built in are not."""
    if source.archive is not None:
        known = _opened.get(source.archive.hash)
        if known is None:
            data = zlib.decompress(source.archive.data)
            if hashlib.sha256(data).hexdigest() != source.archive.hash:
                raise ValueError("the archive of content is not what its hash says")
            known = _opened[source.archive.hash] = _engine.Content.unpacked(data.decode())
        return known
    if source.is_built_in():
        known = _opened.get("")
        if known is None:
            known = _opened[""] = _engine.Content(None, [])
        return known
    return _engine.Content(source.base, list(source.folders))


def archived(source: Source) -> Source:
    """The same packs as an archive, for another machine."""
    if source.archive is not None:
        return source
    data = opened(source).packed().encode()
    hash = hashlib.sha256(data).hexdigest()
    return Source(archive=Archive(hash, zlib.compress(data)))


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
            more = (str(Path(target).resolve()),)
            where = Source(where.base, tuple(dict.fromkeys(where.folders + more)), where.archive)
            if where.base == more[0]:
                where = Source(where.base)
        else:
            only = os.fspath(target)
    return [diagnostic(told) for told in opened(where).check(only)]


def describe(name: str | Game, players: int | None = None, **game_options: Any) -> dict[str, Any]:
    """What each number of an observation and each action is."""
    described: dict[str, Any] = game(name, **game_options).rules.describe(players)
    return described

"""`python -m ludoteca`: runs on clusters, from the shell. Everything else is the command `ludoteca`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from . import ContentError, Fault, IllegalChoice, __version__
from ._lab import Comparison, Result, compare, report, simulate


def arguments() -> argparse.ArgumentParser:
    """What one types."""
    parser = argparse.ArgumentParser(prog="python -m ludoteca", description=__doc__)
    parser.add_argument("--version", action="version", version=f"ludoteca {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help in (("sim", "many games"), ("compare", "the same games on two sides")):
        sub = commands.add_parser(name, help=help)
        sub.add_argument("game")
        sub.add_argument("-n", "--games", type=int, default=1000, help="how many games")
        sub.add_argument("--players", type=int, help="the fewest the game allows if left out")
        sub.add_argument("--bots", default="random", help="a bot for each seat, or one for all")
        sub.add_argument("--seed", type=int, default=1, help="the first game's seed; the others follow")
        sub.add_argument("--variant", action="append", default=[])
        sub.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
        sub.add_argument("--content", action="append", metavar="DIR", help="a pack")
        sub.add_argument("--close", type=int, metavar="N", help="looks closely at every Nth game")
        where = sub.add_mutually_exclusive_group()
        where.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster, or `local`")
        where.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster: `auto` or its address, or `local`")
        sub.add_argument("--out", metavar="DIR", help="where the parts go, and from where the same command goes on")
        sub.add_argument("--shard", type=int, metavar="N", help="games in a part; about two seconds' worth if left out")
        _reporting(sub)
    commands.choices["sim"].add_argument("--rotate", action="store_true", help="bots move on from game to game")
    joined = commands.add_parser("report", help="what parts on disk say")
    joined.add_argument("files", nargs="+")
    _reporting(joined)
    return parser


def _reporting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--report", metavar="FILE.html", help="a page with pictures")
    parser.add_argument("--lang", choices=("es", "en"), default="es")


def cluster(asked: argparse.Namespace) -> Any:
    """What the games are played on."""
    if asked.dask:
        from distributed import Client

        return Client() if asked.dask == "local" else Client(asked.dask)
    if asked.ray:
        import ray

        ray.init(address=None if asked.ray == "local" else asked.ray, log_to_driver=False)
        return ray
    return None


def run(asked: argparse.Namespace) -> Result | Comparison:
    """Does what was typed."""
    if asked.command == "report":
        return report(*asked.files)
    common: dict[str, Any] = {
        "n": asked.games,
        "players": asked.players,
        "bots": asked.bots,
        "seed": asked.seed,
        "variant": asked.variant,
        "set": dict(_setting(written) for written in asked.set),
        "content": asked.content,
        "close": asked.close,
        "progress": sys.stderr.isatty(),
        "on": cluster(asked),
        "out": asked.out,
        "shard": asked.shard,
    }
    if asked.command == "compare":
        return compare(asked.game, **common)
    return simulate(asked.game, rotate=asked.rotate, **common)


def _setting(written: str) -> tuple[str, str]:
    key, found, value = written.partition("=")
    if not found:
        raise ValueError(f"`--set {written}`: expected key=value")
    return key.strip(), value.strip()


def main() -> int:
    """0 fine, 1 the content or the game is at fault, 2 what was typed is."""
    asked = arguments().parse_args()
    try:
        found = run(asked)
    except KeyboardInterrupt:
        print("stopped before any game was played", file=sys.stderr)
        return 1
    except (KeyError, IllegalChoice, ValueError, TypeError, OSError) as error:
        said = error.args[0] if isinstance(error, KeyError) and error.args else error
        print(said, file=sys.stderr)
        return 1 if isinstance(error, KeyError) else 2
    except (ContentError, RuntimeError, Fault) as error:
        print(error, file=sys.stderr)
        return 1
    if found.stopped:
        print(f"stopped after {len(found)} games", file=sys.stderr)
    if asked.report:
        found.report(asked.report, asked.lang)
        print(f"the page is {asked.report}", file=sys.stderr)
    if asked.json:
        told = found.told if isinstance(found, Comparison) else {"run": found.header, "summary": found.summary}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(repr(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

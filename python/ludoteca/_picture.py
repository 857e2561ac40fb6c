"""What a notebook shows of a match: the table, and the question beside it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._match import Choice, Match

#: Options shown of a long list.
SHOWN = 24


def question(choice: Choice) -> str:
    """A question with its options."""
    rows = "".join(
        f"<li><code>{escape(option.key)}</code> {escape(str(option))}</li>" for option in choice.options[:SHOWN]
    )
    more = len(choice.options) - SHOWN
    rest = f"<li>.. {more}</li>" if more > 0 else ""
    amount = f" <code>{choice.amount[0]}..{choice.amount[1]}</code>" if choice.amount else ""
    return f"<div><b>p{choice.seat}: {escape(choice.text)}</b>{amount}<ol start='0'>{rows}{rest}</ol></div>"


def page(match: Match, lang: str = "es") -> str:
    """The table, and what is asked or how it ended beside it."""
    if match.over:
        places = "".join(f"<li value='{one['place']}'>p{one['seat']}: {one['score']}</li>" for one in match.ranking)
        beside = f"<b>{escape(match.reason(lang))}</b><ol>{places}</ol>"
    else:
        beside = "".join(question(match.choice(seat, lang)) for seat in match.asked)
    return (
        "<div style='display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start'>"
        f"<div>{match.picture(lang=lang)}</div><div style='max-width:28em'>{beside}</div></div>"
    )

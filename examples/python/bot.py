#!/usr/bin/env python3
"""A bot in ten lines: takes whatever the rules say most about, and plays a thousand games in the lab."""

from __future__ import annotations

import ludoteca as lt


def talker(choice: lt.Choice) -> lt.Option | list[lt.Option]:
    """The options with the longest labels, as many as must be."""
    if choice.amount:
        return [choice.options[-1]] if choice.options else []
    by_length = sorted(choice.options, key=lambda option: -len(option.label))
    return by_length[: max(1, choice.bounds[0])]


if __name__ == "__main__":
    result = lt.simulate("altered", n=100, bots=[talker, "random"], rotate=True, progress=True)
    print(result.measure("wins_python:talker")["mean"])

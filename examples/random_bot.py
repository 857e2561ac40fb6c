#!/usr/bin/env python3
"""Plays one seat of any game at random, against our bots: examples/random_bot.py GAME [more arguments of `ludoteca play`]."""
import json
import random
import subprocess
import sys


def choose(choice):
    """An answer to a choice: here anything that is allowed. A better bot looks at choice["view"]."""
    keys = [option["key"] for option in choice["options"]] or list(range(*choice["amount"]))
    if choice["max"] == 1 and choice["min"] == 1:
        return random.choice(keys)
    return random.sample(keys, random.randint(choice["min"], choice["max"]))


def main():
    command = ["ludoteca", "play", *sys.argv[1:], "--stdio"]
    game = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    for line in game.stdout:
        message = json.loads(line)
        if message["type"] == "choice":
            answer = {"seat": message["seat"], "choose": choose(message)}
            print(json.dumps(answer), file=game.stdin, flush=True)
        elif message["type"] == "end":
            print("ranking:", message["ranking"])
        elif message["type"] == "error":
            sys.exit(message["message"])
    return game.wait()


if __name__ == "__main__":
    sys.exit(main())

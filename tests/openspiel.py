#!/usr/bin/env python3
"""OpenSpiel plays along: random games of the shelf, move by move, with the same legal moves and the same result.

    tests/openspiel.py [--games N] [--command PATH] [GAME ...]

Needs `pip install open_spiel`; without it the script says so and ends.
"""

import argparse
import json
import os
import random
import subprocess
import sys

try:
    import pyspiel
except ImportError:
    print("open_spiel is not installed: nothing compared")
    sys.exit(0)


def place(key):
    """Column and row of a space such as e4, from 0."""
    return ord(key[0]) - ord("a"), int(key[1:]) - 1


PROMOTIONS = ["queen", "rook", "bishop", "knight"]


class Game:
    """How keys of ours and actions of theirs name the same move."""

    def __init__(self, ours, theirs, action, first=0):
        self.ours, self.theirs, self.action = ours, theirs, action
        # The number they give to whoever begins.
        self.first = first


def square(size, flip):
    def action(state, seat, key):
        column, row = place(key)
        return [(size - 1 - row if flip else row) * size + column]

    return action


def piece_at(state, key):
    """The letter of a chess piece, from their notation of the position."""
    column, row = place(key)
    line = str(state).split(" ")[0].split("/")[7 - row]
    for letter in line:
        if column == 0 and not letter.isdigit():
            return letter
        column -= int(letter) if letter.isdigit() else 1
    return ""


def chess(state, seat, key):
    if key in PROMOTIONS:
        # The pawn's step was the only move, so that only what it becomes was asked.
        letter = "=" + {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N"}[key]
        return [a for a in state.legal_actions() if letter in state.action_to_string(a)]
    start, end = key.split(">")
    if piece_at(state, start) in "pP" and end[1] in "18":
        return [state.parse_move_to_action(start + end + piece) for piece in "qrbn"]
    return [state.parse_move_to_action(start + end)]


def go(state, seat, key):
    if key == "pass":
        return [81]
    column, row = place(key)
    return [row * 9 + column]


def oware(state, seat, key):
    column, row = place(key)
    return [column if row == 0 else 5 - column]


def named(state, seat, key):
    wanted = key.replace(">", "")
    return [a for a in state.legal_actions() if state.action_to_string(seat, a) == wanted]


GAMES = {
    "tic-tac-toe": Game("tic-tac-toe", "tic_tac_toe", square(3, True)),
    "four-in-a-row": Game("four-in-a-row", "connect_four", lambda s, p, key: [place(key)[0]]),
    "chess": Game("chess", "chess", chess, first=1),
    "go": Game("go", "go(board_size=9,komi=7.5,max_game_length=100000)", go),
    "hex": Game("hex", "hex(board_size=11)", square(11, False)),
    "oware": Game("oware", "oware", oware),
    "draughts": Game("draughts", "checkers", named),
}



def drawn_by_them(game, state):
    """They call draughts a draw after forty moves without a capture, we after eighty without progress."""
    return game.ours == "draughts" and state.is_terminal() and state.returns()[0] == 0


class Difference(Exception):
    pass


def forced(state):
    """We do not ask where there is nothing to choose."""
    while not state.is_terminal() and len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])


def compare(game, state, seat, keys):
    """The actions of each key; both sides must offer the same."""
    actions = {key: game.action(state, seat, key) for key in keys}
    ours = {action for found in actions.values() for action in found}
    theirs = set(state.legal_actions())
    if game.ours == "go":
        # They let an old board come back and end the game there; we do not offer it.
        back = {a for a in theirs - ours if state.child(a).is_terminal()}
        theirs -= back
    if ours != theirs:
        names = lambda found: sorted(state.action_to_string(seat, a) for a in found if a is not None)
        raise Difference(f"{game.ours}: only ours {names(ours - theirs)}, only theirs {names(theirs - ours)}\n{state}")
    return actions


def play(command, game, seed):
    luck = random.Random(seed)
    ours = subprocess.Popen(
        [command, "play", game.ours, "--stdio", "--seats", "remote", "--seed", str(seed), "--lang", "en"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    state = pyspiel.load_game(game.theirs).new_initial_state()
    promoting = None
    moves = 0
    try:
        for line in ours.stdout:
            said = json.loads(line)
            if said["type"] == "error":
                raise Difference(f"{game.ours}: {said}")
            if said["type"] in ("end", "choice") and not promoting:
                forced(state)
                if drawn_by_them(game, state):
                    return 0.0, moves
            if said["type"] == "end":
                return finish(game, state, said), moves
            if said["type"] != "choice":
                continue
            keys = [option["key"] for option in said["options"]]
            if promoting:
                key = luck.choice(keys)
                state.apply_action(promoting[PROMOTIONS.index(key)])
                promoting = None
            else:
                actions = compare(game, state, said["seat"], keys)
                key = luck.choice(keys)
                if len(actions[key]) == 1:
                    state.apply_action(actions[key][0])
                else:
                    promoting = actions[key]
            moves += 1
            ours.stdin.write(json.dumps({"choose": key}) + "\n")
            ours.stdin.flush()
        raise Difference(f"{game.ours}: no end")
    finally:
        ours.kill()
        ours.wait()


def finish(game, state, said):
    if not state.is_terminal():
        raise Difference(f"{game.ours}: over for us ({said['reason']}), not for them\n{state}")
    winners = said["winners"]
    result = {(0,): 1.0, (1,): -1.0}.get(tuple(winners), 0.0)
    theirs = state.returns()[game.first]
    theirs = (theirs > 0) - (theirs < 0)
    if result != theirs:
        raise Difference(f"{game.ours}: {winners} won for us ({said['reason']}), {state.returns()} for them\n{state}")
    return result


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    asked = argparse.ArgumentParser()
    asked.add_argument("games", nargs="*", default=list(GAMES))
    asked.add_argument("--games", dest="count", type=int, default=200)
    asked.add_argument("--command", default=os.path.join(here, "target/debug/ludoteca"))
    asked = asked.parse_args()
    failed = 0
    for name in asked.games:
        game, results, moves = GAMES[name], [], 0
        try:
            for seed in range(asked.count):
                result, made = play(asked.command, game, seed)
                results.append(result)
                moves += made
            first, second = results.count(1.0), results.count(-1.0)
            print(f"{name}: {len(results)} games, {moves} choices, {first} won by the first, {second} by the second: the same")
        except Difference as difference:
            failed += 1
            print(f"{name}, game {len(results)}: {difference}")
    sys.exit(1 if failed else 0)


main()

#!/usr/bin/env python3
"""OpenSpiel plays along: random games of the shelf, move by move, with the same legal moves and the same result.

    tests/openspiel.py [--games N] [GAME ...]

Needs the Python package (`pip install ./python`) and `pip install open_spiel`.
"""

import argparse
import random
import sys

import pyspiel

import ludoteca


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
    "backgammon": Game("backgammon", "backgammon", None),
}


class Backgammon:
    """Their turn is one action with both checkers, ours a choice for each: theirs is followed checker by checker."""

    def __init__(self):
        self.state = pyspiel.load_game("backgammon(scoring_type=winloss_scoring)").new_initial_state()
        self.thrown, self.done, self.opening = [], (), True

    def throw(self, shown):
        self.thrown.append(shown)

    def dice(self):
        """The chance outcome of the next two dice; equal ones at the opening are thrown again."""
        while len(self.thrown) >= 2:
            first, second = self.thrown[:2]
            del self.thrown[:2]
            if self.opening and first == second:
                continue
            name = f"roll: {min(first, second)}{max(first, second)}"
            if self.opening and first < second:
                name = f"roll: {second}{first}"
            self.opening = False
            outcomes = [a for a, _ in self.state.chance_outcomes()]
            return next(a for a in outcomes if name in self.state.action_to_string(-1, a))
        return None

    def sequences(self):
        """Every action as the checkers it moves, one after the other: (place, die)."""
        seat = self.state.current_player()
        moves = lambda a: self.state.spiel_move_to_checker_moves(seat, a)
        return {tuple((m.pos, m.num) for m in moves(a) if m.num > 0): a for a in self.state.legal_actions()}

    def ask(self):
        """What may come next, once everything that is forced has been done."""
        while not self.state.is_terminal():
            if self.state.is_chance_node():
                outcome = self.dice()
                if outcome is None:
                    return set()
                self.state.apply_action(outcome)
                continue
            found, at = self.sequences(), len(self.done)
            following = {s[at] for s in found if s[:at] == self.done and len(s) > at}
            if not following:
                self.state.apply_action(found[self.done])
                self.done = ()
            elif len(following) == 1:
                self.done += tuple(following)
            else:
                return following
        return set()

    def key(self, move, options):
        """A checker's move as one of our keys."""
        place, die = move
        distance = 25 if place == 100 else 24 - place if self.state.current_player() == 0 else place + 1
        bar = "bar_a" if self.state.current_player() == 0 else "bar_b"
        number = distance if self.state.current_player() == 0 else 25 - distance
        space = bar if distance == 25 else f"p{number}"
        return f"{die}+{space}" if any("+" in key for key in options) else space

    def choose(self, move):
        self.done += (move,)


def play_backgammon(rules, seed):
    luck, theirs, moves, heard = random.Random(seed), Backgammon(), 0, 0
    ours = ludoteca.new(rules, seed=seed)
    while True:
        told = ours.events(since=heard)
        heard = told[-1]["number"] + 1 if told else heard
        for event in told:
            if event["event"] == "rolled":
                theirs.throw(event["shown"][0])
        if ours.over:
            theirs.ask()
            return finish(GAMES["backgammon"], theirs.state, ours), moves
        choice = ours.choice()
        keys = [option.key for option in choice.options]
        named = {theirs.key(move, keys): move for move in theirs.ask()}
        if set(named) != set(keys) or theirs.state.current_player() != choice.seat:
            raise Difference(f"backgammon: ours {sorted(keys)}, theirs {sorted(named)}\n{theirs.state}")
        key = luck.choice(keys)
        theirs.choose(named[key])
        moves += 1
        ours.choose(key)


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


def play(rules, game, seed):
    luck, moves, promoting = random.Random(seed), 0, None
    ours = ludoteca.new(rules, seed=seed)
    state = pyspiel.load_game(game.theirs).new_initial_state()
    while True:
        if not promoting:
            forced(state)
            if drawn_by_them(game, state):
                return 0.0, moves
        if ours.over:
            return finish(game, state, ours), moves
        choice = ours.choice()
        keys = [option.key for option in choice.options]
        if promoting:
            key = luck.choice(keys)
            state.apply_action(promoting[PROMOTIONS.index(key)])
            promoting = None
        else:
            actions = compare(game, state, choice.seat, keys)
            key = luck.choice(keys)
            if len(actions[key]) == 1:
                state.apply_action(actions[key][0])
            else:
                promoting = actions[key]
        moves += 1
        ours.choose(key)


def finish(game, state, ours):
    if not state.is_terminal():
        raise Difference(f"{game.ours}: over for us ({ours.reason('en')}), not for them\n{state}")
    winners = ours.winners
    result = {(0,): 1.0, (1,): -1.0}.get(tuple(winners), 0.0)
    theirs = state.returns()[game.first]
    theirs = (theirs > 0) - (theirs < 0)
    if result != theirs:
        said = f"{winners} won for us ({ours.reason('en')}), {state.returns()} for them"
        raise Difference(f"{game.ours}: {said}\n{state}")
    return result


def play_along(name, games):
    """So many games of one name; says what became of them."""
    game, rules, results, moves = GAMES[name], ludoteca.game(name), [], 0
    for seed in range(games):
        try:
            played = play_backgammon(rules, seed) if name == "backgammon" else play(rules, game, seed)
        except Difference as difference:
            raise Difference(f"game {seed}: {difference}") from None
        results.append(played[0])
        moves += played[1]
    first, second = results.count(1.0), results.count(-1.0)
    return f"{name}: {games} games, {moves} choices, {first} won by the first, {second} by the second: the same"


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("names", nargs="*", default=list(GAMES), metavar="GAME")
    asked.add_argument("--games", type=int, default=200)
    asked = asked.parse_args()
    failed = 0
    for name in asked.names:
        try:
            print(play_along(name, asked.games))
        except Difference as difference:
            failed += 1
            print(difference)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Risk mini in plain Python. `risk.py verify N` prints totals, `risk.py bench SECONDS` prints games and CPU seconds as JSON."""
import json
import random
import sys
import time

COLUMNS, ROWS, SIDES, ROUNDS, ATTACKS = 7, 6, 3, 30, 10
SQUARES = COLUMNS * ROWS
MASK = 0xFFFFFFFF


def neighbours(square):
    row, column = divmod(square, COLUMNS)
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [r * COLUMNS + c for r, c in around if 0 <= r < ROWS and 0 <= c < COLUMNS]


NEIGHBOURS = [neighbours(square) for square in range(SQUARES)]


def sfc32(seed):
    """A draw below n from the stream with this seed."""
    a, b, c, counter = 0x9E3779B9, 0x243F6A88, seed & MASK, 1

    def below(n):
        nonlocal a, b, c, counter
        drawn = (a + b + counter) & MASK
        counter = (counter + 1) & MASK
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & MASK
        c = ((((c << 21) & MASK) | (c >> 11)) + drawn) & MASK
        return (drawn * n) >> 32

    for _ in range(12):
        below(1)
    return below


class Game:
    def __init__(self, below):
        self.below = below
        self.decisions = self.attacks = self.conquests = 0
        self.armies = [2] * SQUARES
        self.owner = [0] * SQUARES
        dealt = list(range(SQUARES))
        for i in range(SQUARES - 1, 0, -1):
            j = below(i + 1)
            dealt[i], dealt[j] = dealt[j], dealt[i]
        for k, square in enumerate(dealt):
            self.owner[square] = k % SIDES

    def choose(self, options):
        self.decisions += 1
        return options[self.below(len(options))]

    def borders(self, side, wanted):
        owner, armies = self.owner, self.armies
        return [
            (a, b)
            for a in range(SQUARES)
            if owner[a] == side and armies[a] >= 2
            for b in NEIGHBOURS[a]
            if (owner[b] == side) == wanted
        ]

    def roll(self, dice):
        return sorted((1 + self.below(6) for _ in range(dice)), reverse=True)

    def battle(self, side, a, b):
        """Whether the side has everything after it."""
        self.attacks += 1
        strike = self.roll(min(3, self.armies[a] - 1))
        guard = self.roll(min(3, self.armies[b]))
        for x, y in zip(strike, guard):
            self.armies[b if x > y else a] -= 1
        if self.armies[b] > 0:
            return False
        self.conquests += 1
        self.owner[b] = side
        moved = self.choose(range(1, min(3, self.armies[a] - 1) + 1))
        self.armies[a] -= moved
        self.armies[b] = moved
        return self.owner.count(side) == SQUARES

    def turn(self, side):
        count = self.owner.count(side)
        if count == 0:
            return False
        for _ in range(max(3, count // 2)):
            self.armies[self.choose([s for s in range(SQUARES) if self.owner[s] == side])] += 1
        for _ in range(ATTACKS):
            move = self.choose(self.borders(side, False) + [None])
            if move is None:
                break
            if self.battle(side, *move):
                return True
        move = self.choose(self.borders(side, True) + [None])
        if move is not None:
            a, b = move
            moved = self.choose(range(1, self.armies[a]))
            self.armies[a] -= moved
            self.armies[b] += moved
        return False

    def play(self):
        for self.round in range(1, ROUNDS + 1):
            for side in range(SIDES):
                if self.turn(side):
                    return

    def winner(self):
        def strength(side):
            mine = [s for s in range(SQUARES) if self.owner[s] == side]
            return len(mine), sum(self.armies[s] for s in mine), -side

        return max(range(SIDES), key=strength)


def verify(games):
    digest = decisions = 0
    for seed in range(1, games + 1):
        game = Game(sfc32(seed))
        game.play()
        decisions += game.decisions
        for square in range(SQUARES):
            digest = (digest * 31 + game.owner[square] * 1000 + game.armies[square]) & MASK
        digest = (digest * 31 + game.winner()) & MASK
        digest = (digest * 31 + game.decisions) & MASK
    print(json.dumps({"games": games, "decisions": decisions, "hash": f"{digest:08x}"}))


def bench(seconds):
    draw = random.Random(1).random
    games, decisions, start = 0, 0, time.process_time()
    while time.process_time() - start < seconds:
        game = Game(lambda n: int(draw() * n))
        game.play()
        game.winner()
        games += 1
        decisions += game.decisions
    print(json.dumps({"games": games, "decisions": decisions, "cpu": time.process_time() - start}))


if __name__ == "__main__":
    verify(int(sys.argv[2])) if sys.argv[1] == "verify" else bench(float(sys.argv[2]))

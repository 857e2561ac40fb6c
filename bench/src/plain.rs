//! Risk mini in plain Rust: arrays, and the full list of options built at every decision.

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const SIDES: u8 = 3;
const ROUNDS: u32 = 30;
const ATTACKS: u32 = 10;
const SQUARES: usize = COLUMNS * ROWS;

/// Draws below a number, all in one stream.
pub struct Sfc32 {
    a: u32,
    b: u32,
    c: u32,
    counter: u32,
}

impl Sfc32 {
    pub fn new(seed: u32) -> Sfc32 {
        let mut stream = Sfc32 {
            a: 0x9e37_79b9,
            b: 0x243f_6a88,
            c: seed,
            counter: 1,
        };
        for _ in 0..12 {
            stream.below(1);
        }
        stream
    }

    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        let drawn = self.a.wrapping_add(self.b).wrapping_add(self.counter);
        self.counter = self.counter.wrapping_add(1);
        self.a = self.b ^ (self.b >> 9);
        self.b = self.c.wrapping_add(self.c << 3);
        self.c = self.c.rotate_left(21).wrapping_add(drawn);
        ((drawn as u64 * n as u64) >> 32) as u32
    }
}

/// Neighbours of each square in ascending order, and how many there are.
struct Board {
    around: [[u8; 4]; SQUARES],
    count: [u8; SQUARES],
}

const fn board() -> Board {
    let mut board = Board {
        around: [[0; 4]; SQUARES],
        count: [0; SQUARES],
    };
    let mut square = 0;
    while square < SQUARES {
        let (row, column) = (square / COLUMNS, square % COLUMNS);
        let mut count = 0;
        if row > 0 {
            board.around[square][count] = (square - COLUMNS) as u8;
            count += 1;
        }
        if column > 0 {
            board.around[square][count] = (square - 1) as u8;
            count += 1;
        }
        if column + 1 < COLUMNS {
            board.around[square][count] = (square + 1) as u8;
            count += 1;
        }
        if row + 1 < ROWS {
            board.around[square][count] = (square + COLUMNS) as u8;
            count += 1;
        }
        board.count[square] = count as u8;
        square += 1;
    }
    board
}

static BOARD: Board = board();

/// One game and what was counted in it.
pub struct Game {
    stream: Sfc32,
    owner: [u8; SQUARES],
    armies: [u32; SQUARES],
    options: [(u8, u8); 168],
    pub decisions: u64,
    pub round: u32,
}

impl Game {
    /// Plays a whole game.
    pub fn play(seed: u32) -> Game {
        let mut game = Game {
            stream: Sfc32::new(seed),
            owner: [0; SQUARES],
            armies: [2; SQUARES],
            options: [(0, 0); 168],
            decisions: 0,
            round: 1,
        };
        let mut dealt: [u8; SQUARES] = std::array::from_fn(|square| square as u8);
        for i in (1..SQUARES).rev() {
            let j = game.stream.below(i as u32 + 1) as usize;
            dealt.swap(i, j);
        }
        for (k, &square) in dealt.iter().enumerate() {
            game.owner[square as usize] = (k % SIDES as usize) as u8;
        }
        'rounds: loop {
            for side in 0..SIDES {
                if game.turn(side) {
                    break 'rounds;
                }
            }
            if game.round == ROUNDS {
                break;
            }
            game.round += 1;
        }
        game
    }

    fn choose(&mut self, count: u32) -> usize {
        self.decisions += 1;
        self.stream.below(count) as usize
    }

    fn count(&self, side: u8) -> usize {
        self.owner.iter().filter(|&&owner| owner == side).count()
    }

    /// Lists the borders from squares that can spare an army, to others or to own squares.
    fn borders(&mut self, side: u8, own: bool) -> usize {
        let mut count = 0;
        for a in 0..SQUARES {
            if self.owner[a] != side || self.armies[a] < 2 {
                continue;
            }
            for &b in &BOARD.around[a][..BOARD.count[a] as usize] {
                if (self.owner[b as usize] == side) == own {
                    self.options[count] = (a as u8, b);
                    count += 1;
                }
            }
        }
        count
    }

    fn roll(&mut self, dice: usize) -> [u32; 3] {
        let mut hand = [0; 3];
        for die in hand.iter_mut().take(dice) {
            *die = 1 + self.stream.below(6);
        }
        hand.sort_unstable_by(|a, b| b.cmp(a));
        hand
    }

    /// Whether the side has everything after it.
    fn battle(&mut self, side: u8, a: usize, b: usize) -> bool {
        let attackers = (self.armies[a] - 1).min(3) as usize;
        let defenders = self.armies[b].min(3) as usize;
        let strike = self.roll(attackers);
        let guard = self.roll(defenders);
        for i in 0..attackers.min(defenders) {
            self.armies[if strike[i] > guard[i] { b } else { a }] -= 1;
        }
        if self.armies[b] > 0 {
            return false;
        }
        self.owner[b] = side;
        let most = (self.armies[a] - 1).min(3);
        let moved = 1 + self.choose(most) as u32;
        self.armies[a] -= moved;
        self.armies[b] = moved;
        self.count(side) == SQUARES
    }

    fn turn(&mut self, side: u8) -> bool {
        let count = self.count(side);
        if count == 0 {
            return false;
        }
        for _ in 0..(count / 2).max(3) {
            let mut listed = 0;
            for square in 0..SQUARES {
                if self.owner[square] == side {
                    self.options[listed].0 = square as u8;
                    listed += 1;
                }
            }
            let picked = self.choose(listed as u32);
            self.armies[self.options[picked].0 as usize] += 1;
        }
        for _ in 0..ATTACKS {
            let listed = self.borders(side, false);
            let picked = self.choose(listed as u32 + 1);
            if picked == listed {
                break;
            }
            let (a, b) = self.options[picked];
            if self.battle(side, a as usize, b as usize) {
                return true;
            }
        }
        let listed = self.borders(side, true);
        let picked = self.choose(listed as u32 + 1);
        if picked < listed {
            let (a, b) = self.options[picked];
            let moved = 1 + self.choose(self.armies[a as usize] - 1) as u32;
            self.armies[a as usize] -= moved;
            self.armies[b as usize] += moved;
        }
        false
    }

    pub fn winner(&self) -> u8 {
        let strength = |side: u8| {
            let mine = (0..SQUARES).filter(|&s| self.owner[s] == side);
            (
                self.count(side),
                mine.map(|s| self.armies[s]).sum::<u32>(),
                u8::MAX - side,
            )
        };
        (0..SIDES).max_by_key(|&side| strength(side)).unwrap_or(0)
    }
}

/// Games per second of wall time, so many on each of some threads.
pub fn parallel(games: u32, threads: u32) -> f64 {
    let started = std::time::Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                for seed in 0..games {
                    std::hint::black_box(Game::play(thread * games + seed).winner());
                }
            });
        }
    });
    (games * threads) as f64 / started.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Game {
        /// Adds this game to the hash over final positions.
        pub fn digest(&self, mut hash: u32) -> u32 {
            let mut mix = |n: u32| hash = hash.wrapping_mul(31).wrapping_add(n);
            for square in 0..SQUARES {
                mix(self.owner[square] as u32 * 1000 + self.armies[square]);
            }
            mix(self.winner() as u32);
            mix(self.decisions as u32);
            hash
        }
    }

    /// The totals every implementation of these rules must give.
    #[test]
    fn gives_the_reference_totals() {
        for (first, last, decisions, hash) in [
            (1, 20, 26_844, 0x97d6_f8e6),
            (556, 556, 1204, 0x9f6a_775b),
            (1207, 1207, 766, 0x1ce6_a1ac),
            (1, 1000, 1_331_850, 0xf518_ed04),
        ] {
            let (mut total, mut digest) = (0, 0);
            for seed in first..=last {
                let game = Game::play(seed);
                total += game.decisions;
                digest = game.digest(digest);
            }
            assert_eq!(
                (total, digest),
                (decisions, hash),
                "seeds {first} to {last}"
            );
        }
    }
}

//! Made-up games: numbers whose true mean is known, drawn without a board.

use ludoteca::Stream;
use ludoteca_lab::statistics::Paired;

/// Both sides of a pair, the second with so much more.
type DrawnTogether = fn(&mut Luck, f64) -> (f64, f64);

/// Luck as fractions.
pub struct Luck(Stream);

impl Luck {
    pub fn new(run: u64, name: &str) -> Luck {
        Luck(Stream::new(run, name))
    }

    /// Above 0, up to 1.
    pub fn fraction(&mut self) -> f64 {
        (f64::from(self.0.below(1 << 30)) + 1.0) / f64::from(1 << 30)
    }

    pub fn comes(&mut self, chance: f64) -> bool {
        self.fraction() <= chance
    }

    pub fn normal(&mut self) -> f64 {
        let turn = std::f64::consts::TAU * self.fraction();
        (-2.0 * self.fraction().ln()).sqrt() * turn.cos()
    }

    /// Any of some seats.
    pub fn seat(&mut self, seats: u32) -> u8 {
        self.0.below(seats) as u8
    }

    pub fn exponential(&mut self) -> f64 {
        -self.fraction().ln()
    }

    /// Student's t with so many degrees of freedom (Bailey's way).
    fn student(&mut self, freedom: f64) -> f64 {
        let turn = std::f64::consts::TAU * self.fraction();
        (freedom * (self.fraction().powf(-2.0 / freedom) - 1.0)).sqrt() * turn.cos()
    }

    /// Things that happen so often on average.
    fn poisson(&mut self, mean: f64) -> f64 {
        let mut happened = 0.0;
        let mut at = self.exponential();
        while at < mean {
            happened += 1.0;
            at += self.exponential();
        }
        happened
    }
}

/// A kind of number a game may give, and its true mean.
pub struct Numbers {
    pub name: &'static str,
    pub draw: fn(&mut Luck) -> f64,
    pub mean: f64,
}

pub const NUMBERS: [Numbers; 7] = [
    Numbers {
        name: "even",
        draw: |luck| 10.0 + 2.0 * luck.normal(),
        mean: 10.0,
    },
    Numbers {
        name: "whole, even",
        draw: |luck| (10.0 + luck.normal()).round(),
        mean: 10.0,
    },
    Numbers {
        name: "lopsided (exponential)",
        draw: |luck| -luck.fraction().ln(),
        mean: 1.0,
    },
    Numbers {
        name: "very lopsided (log-normal)",
        draw: |luck| luck.normal().exp(),
        mean: 1.648_721_270_7,
    },
    Numbers {
        name: "long tails on both sides (t, 3)",
        draw: |luck| {
            let squares: f64 = (0..3).map(|_| luck.normal().powi(2)).sum();
            10.0 + luck.normal() / (squares / 3.0).sqrt()
        },
        mean: 10.0,
    },
    Numbers {
        name: "mostly none",
        draw: |luck| match luck.comes(0.8) {
            true => 0.0,
            false => (luck.fraction() * 10.0).ceil(),
        },
        mean: 1.1,
    },
    Numbers {
        name: "a tail without a fourth moment (Pareto, 3)",
        draw: |luck| luck.fraction().powf(-1.0 / 3.0),
        mean: 1.5,
    },
];

/// Numbers nobody had in mind when the lab was written.
pub const OTHERS: [Numbers; 8] = [
    Numbers {
        name: "two lengths (5 or 50, and a little)",
        draw: |luck| {
            let length = if luck.comes(0.3) { 50.0 } else { 5.0 };
            length + luck.normal()
        },
        mean: 18.5,
    },
    Numbers {
        name: "a long tail downwards (20 less exponential)",
        draw: |luck| 20.0 + 3.0 * luck.fraction().ln(),
        mean: 17.0,
    },
    Numbers {
        name: "none in nine of ten, else exponential",
        draw: |luck| match luck.comes(0.9) {
            true => 0.0,
            false => -20.0 * luck.fraction().ln(),
        },
        mean: 2.0,
    },
    Numbers {
        name: "small counts (0 to 3)",
        draw: |luck| (0..3).map(|_| f64::from(u8::from(luck.comes(0.2)))).sum(),
        mean: 0.6,
    },
    Numbers {
        name: "parts of a win (0, a half, 1)",
        draw: |luck| match luck.fraction() {
            part if part <= 0.3 => 1.0,
            part if part <= 0.5 => 0.5,
            _ => 0.0,
        },
        mean: 0.4,
    },
    Numbers {
        name: "nearly always 15, else fewer",
        draw: |luck| match luck.comes(0.9) {
            true => 15.0,
            false => 15.0 - (luck.fraction() * 10.0).ceil(),
        },
        mean: 14.45,
    },
    Numbers {
        name: "always the same",
        draw: |_| 7.0,
        mean: 7.0,
    },
    Numbers {
        name: "a spread of its own in every game",
        draw: |luck| {
            let spread = (luck.normal() * 0.8).exp();
            30.0 + 5.0 * spread * luck.normal()
        },
        mean: 30.0,
    },
];

/// What a sceptic would ask: lengths that end at a limit, counts, and numbers that are mostly nothing.
pub const SCEPTICS: [Numbers; 7] = [
    Numbers {
        name: "a length with a cap (8 to 15 rounds)",
        draw: |luck| (8.0 - 4.0 * luck.fraction().ln()).floor().min(15.0),
        mean: 10.9089863372,
    },
    Numbers {
        name: "a length that ends by chance (geometric)",
        draw: |luck| 1.0 + (luck.fraction().ln() / 0.9f64.ln()).floor(),
        mean: 10.0,
    },
    Numbers {
        name: "counts of rare things (Poisson, 0.3)",
        draw: |luck| luck.poisson(0.3),
        mean: 0.3,
    },
    Numbers {
        name: "none in half, else 10 and a little",
        draw: |luck| match luck.comes(0.5) {
            true => 0.0,
            false => 10.0 + 3.0 * luck.normal(),
        },
        mean: 5.0,
    },
    Numbers {
        name: "none in four of five, else log-normal",
        draw: |luck| match luck.comes(0.8) {
            true => 0.0,
            false => luck.normal().exp(),
        },
        mean: 1.648_721_270_7 / 5.0,
    },
    Numbers {
        name: "none in 19 of 20, else about 20",
        draw: |luck| match luck.comes(0.95) {
            true => 0.0,
            false => 20.0 + luck.normal(),
        },
        mean: 1.0,
    },
    Numbers {
        name: "the same in nine of ten, else to both sides",
        draw: |luck| match luck.comes(0.9) {
            true => 4.0,
            false => 4.0 + 5.0 * luck.normal(),
        },
        mean: 4.0,
    },
];

/// What another sceptic asked: dice, tails of tails, counts that cluster, and numbers that pile up at both ends.
pub const STRANGERS: [Numbers; 8] = [
    Numbers {
        name: "two dice",
        draw: |luck| f64::from(luck.seat(6) + luck.seat(6)) + 2.0,
        mean: 7.0,
    },
    Numbers {
        name: "a die",
        draw: |luck| f64::from(luck.seat(6)) + 1.0,
        mean: 3.5,
    },
    Numbers {
        name: "waits that stretch (Weibull, 0.7)",
        draw: |luck| luck.exponential().powf(1.0 / 0.7),
        mean: 1.265_823_506,
    },
    Numbers {
        name: "long tails on both sides (t, 2.5)",
        draw: |luck| luck.student(2.5),
        mean: 0.0,
    },
    Numbers {
        name: "piled up at both ends (0 to 1)",
        draw: |luck| (luck.fraction() * std::f64::consts::PI).cos() / 2.0 + 0.5,
        mean: 0.5,
    },
    Numbers {
        name: "counts that cluster (negative binomial)",
        draw: |luck| {
            let mean = 1.5 * luck.exponential() + 1.5 * luck.exponential();
            luck.poisson(mean)
        },
        mean: 3.0,
    },
    Numbers {
        name: "margins of wins and losses (gamma, either sign)",
        draw: |luck| {
            let size = 4.0 * (luck.exponential() + luck.exponential());
            if luck.comes(0.7) { size } else { -size }
        },
        mean: 3.2,
    },
    Numbers {
        name: "steps of a hundred (0 to 400)",
        draw: |luck| 100.0 * luck.poisson(1.0).min(4.0),
        mean: 99.565_123_0,
    },
];

/// Numbers with a second heap that few games reach: of what a run has not seen it knows nothing.
pub const SELDOM: [Numbers; 2] = [
    Numbers {
        name: "none, one, or thirty in one of twenty",
        draw: |luck| match luck.fraction() {
            part if part <= 0.05 => 30.0,
            part if part <= 0.45 => 1.0,
            _ => 0.0,
        },
        mean: 1.9,
    },
    Numbers {
        name: "20 rounds, a few games fewer, one in fifty 200",
        draw: |luck| match luck.fraction() {
            part if part <= 0.02 => 200.0,
            part if part <= 0.32 => 12.0 + f64::from(luck.seat(8)),
            _ => 20.0,
        },
        mean: 4.0 + 0.3 * 15.5 + 0.68 * 20.0,
    },
];

/// A number on both sides of a comparison, and how much more it is on the second.
pub struct Pairs {
    pub name: &'static str,
    /// Whether a few pairs that are seldom seen make up for all the others.
    pub hides: bool,
    draw: Draw,
}

#[derive(Clone, Copy)]
enum Draw {
    /// Both sides by themselves, the second more.
    Apart(fn(&mut Luck) -> f64),
    /// However the second comes about.
    Together(DrawnTogether),
}

impl Pairs {
    /// All kinds of numbers on both sides, pairs that mostly agree, and sides that are unlike though their means are the same.
    pub fn all() -> Vec<Pairs> {
        let apart = NUMBERS.iter().map(|numbers| Pairs {
            name: numbers.name,
            hides: false,
            draw: Draw::Apart(numbers.draw),
        });
        let together = [
            Pairs {
                name: "the same in five pairs of six",
                hides: false,
                draw: Draw::Together(|luck, more| {
                    let first = 10.0 + 2.0 * luck.normal();
                    match luck.comes(1.0 / 6.0) {
                        true => (first, 10.0 + 2.0 * luck.normal() + 6.0 * more),
                        false => (first, first),
                    }
                }),
            },
            Pairs {
                name: "even on one side, lopsided (exponential) on the other",
                hides: false,
                draw: Draw::Together(|luck, more| {
                    (1.0 + 0.2 * luck.normal(), more - luck.fraction().ln())
                }),
            },
            Pairs {
                name: "even on one side, very lopsided (log-normal) on the other",
                hides: false,
                draw: Draw::Together(|luck, more| {
                    let mean = 1.648_721_270_7;
                    (mean + 0.2 * luck.normal(), luck.normal().exp() + more)
                }),
            },
        ];
        apart.chain(together).collect()
    }

    /// Numbers nobody had in mind on both sides, and pairs that agree but for a few.
    pub fn others() -> Vec<Pairs> {
        let varies = |numbers: &&Numbers| numbers.name != "always the same";
        let apart = OTHERS.iter().filter(varies).map(|numbers| Pairs {
            name: numbers.name,
            hides: false,
            draw: Draw::Apart(numbers.draw),
        });
        let together = [
            Pairs {
                name: "the same but for one pair in thirty",
                hides: false,
                draw: Draw::Together(|luck, more| match luck.comes(1.0 / 30.0) {
                    true => (20.0, 20.0 + 5.0 * luck.normal() + 30.0 * more),
                    false => (20.0, 20.0),
                }),
            },
            Pairs {
                name: "a tail downwards on one side, upwards on the other",
                hides: false,
                draw: Draw::Together(|luck, more| {
                    let (down, up) = (luck.fraction().ln(), -luck.fraction().ln());
                    (10.0 + down, 8.0 + up + more)
                }),
            },
        ];
        apart.chain(together).collect()
    }

    /// What a sceptic would ask: changes that touch few games, rare things on one side only, outliers that make up for all the rest.
    pub fn sceptics() -> Vec<Pairs> {
        let together: [(&str, DrawnTogether); 6] = [
            ("the same but for one pair in a hundred", |luck, more| {
                let apart = 5.0 * luck.normal() + 100.0 * more;
                (20.0, 20.0 + if luck.comes(0.01) { apart } else { 0.0 })
            }),
            (
                "one pair in thirty, by exponential steps either way",
                |luck, more| {
                    let step = luck.exponential() - luck.exponential() + 30.0 * more;
                    (3.0, 3.0 + if luck.comes(1.0 / 30.0) { step } else { 0.0 })
                },
            ),
            (
                "a little more, but for one pair in thirty much less",
                |luck, more| {
                    let apart = if luck.comes(1.0 / 30.0) { -29.0 } else { 1.0 };
                    (50.0, 50.0 + apart + more)
                },
            ),
            (
                "much more in one pair of thirty, else a little less",
                |luck, more| {
                    let apart = if luck.comes(1.0 / 30.0) { 29.0 } else { -1.0 };
                    (50.0, 50.0 + apart + more)
                },
            ),
            (
                "noise, and in one pair of ten a fall without end",
                |luck, more| {
                    let fall = if luck.comes(0.1) {
                        -10.0 * luck.exponential()
                    } else {
                        0.0
                    };
                    (7.0, 8.0 + 0.2 * luck.normal() + fall + more)
                },
            ),
            (
                "lengths with a cap, half of the luck shared",
                |luck, more| {
                    let length = |luck: &mut Luck| 4.0 * luck.exponential();
                    let shared = length(luck);
                    let side = |own: f64| (8.0 + (shared + own) / 2.0).min(15.0);
                    let [first, second] = [length(luck), length(luck)].map(side);
                    (first, second + more)
                },
            ),
        ];
        together
            .map(|(name, draw)| Pairs {
                name,
                hides: name.contains("much") || name.contains("without end"),
                draw: Draw::Together(draw),
            })
            .into()
    }

    /// What another sceptic asked: the other numbers on both sides, and pairs that share most of their luck.
    pub fn strangers() -> Vec<Pairs> {
        let of = |hides: bool| {
            move |numbers: &Numbers| Pairs {
                name: numbers.name,
                hides,
                draw: Draw::Apart(numbers.draw),
            }
        };
        let apart = STRANGERS
            .iter()
            .map(of(false))
            .chain(SELDOM.iter().map(of(true)));
        let together: [(&str, DrawnTogether); 4] = [
            (
                "log-normal, nine tenths of the luck shared",
                |luck, more| {
                    let shared = luck.normal();
                    let side = |own: f64| (0.95 * shared + 0.31 * own).exp();
                    let [first, second] = [luck.normal(), luck.normal()].map(side);
                    (first, second + more)
                },
            ),
            (
                "the same in half, else a step up or down",
                |luck, more| match luck.fraction() {
                    part if part <= 0.25 => (5.0, 6.0 + more),
                    part if part <= 0.5 => (5.0, 4.0 + more),
                    _ => (5.0, 5.0 + more),
                },
            ),
            (
                "counts, of which the second takes some from the first",
                |luck, more| {
                    let all = luck.poisson(3.0);
                    let taken = (0..all as u32).filter(|_| luck.comes(0.5)).count() as f64;
                    (taken, all - taken + more)
                },
            ),
            (
                "a game that ends early in one pair of five, on either side",
                |luck, more| {
                    let length = |luck: &mut Luck| if luck.comes(0.2) { 4.0 } else { 30.0 };
                    let shared = luck.normal();
                    (length(luck) + shared, length(luck) + shared + more)
                },
            ),
        ];
        let together = together.map(|(name, draw)| Pairs {
            name,
            hides: false,
            draw: Draw::Together(draw),
        });
        apart.chain(together).collect()
    }

    pub fn draw(&self, luck: &mut Luck, more: f64) -> (f64, f64) {
        match self.draw {
            Draw::Apart(draw) => (draw(luck), draw(luck) + more),
            Draw::Together(draw) => draw(luck, more),
        }
    }

    pub fn played(&self, more: f64, pairs: u64, run: u64) -> Paired {
        let mut luck = Luck::new(run, self.name);
        let mut paired = Paired::new(false);
        for _ in 0..pairs {
            let (first, second) = self.draw(&mut luck, more);
            paired.add(first, second);
        }
        paired
    }
}

/// A question of yes and no on both sides of a comparison: how often yes on the first, by how much more on the second, and how much luck both
/// sides share.
#[derive(Clone, Copy)]
pub struct YesOrNo {
    pub chance: f64,
    pub more: f64,
    pub shared: f64,
}

impl YesOrNo {
    pub fn draw(&self, luck: &mut Luck) -> (f64, f64) {
        let first = luck.fraction();
        let second = match luck.comes(self.shared) {
            true => first,
            false => luck.fraction(),
        };
        let yes = |fraction: f64, chance: f64| f64::from(u8::from(fraction <= chance));
        (
            yes(first, self.chance),
            yes(second, self.chance + self.more),
        )
    }

    pub fn name(&self) -> String {
        format!(
            "{} %, {:+} pp, {} % of the luck shared",
            self.chance * 100.0,
            self.more * 100.0,
            self.shared * 100.0
        )
    }
}

/// How often something happens in so many runs.
pub fn rate(runs: u64, mut happens: impl FnMut(u64) -> bool) -> f64 {
    (0..runs).filter(|&run| happens(run)).count() as f64 / runs as f64
}

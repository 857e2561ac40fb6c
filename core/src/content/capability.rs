//! What a kernel can do, by name: a pack says what it needs, and an older kernel says in one sentence that it cannot.

/// Names a pack may write under `needs`. A new ability of the kernel that packs depend on gets a row; none is ever taken out.
pub const CAPABILITIES: &[(&str, &str)] = &[
    (
        "maps",
        "boards of spaces and borders, fixed or assembled of sections",
    ),
    ("decks", "decks made of cards"),
    ("variants", "variants in one file or in a folder"),
    ("phrases", "effects and conditions of cards in words"),
    ("scenarios", "scenarios as content"),
    ("imagine", "rules that put right what a seat imagines"),
    ("costs", "every function of the rules is paid for"),
    ("packs", "packs in one file, signed, locked and installed"),
];

pub fn is_known(name: &str) -> bool {
    CAPABILITIES.iter().any(|(known, _)| *known == name)
}

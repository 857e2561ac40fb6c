//! Whatever the files hold, loading ends with a definition or a message.

use crate::fixture::*;
use ludoteca::{
    Library, Match, PackSource, Selection, Status, examine, explain, render_all,
    setting::known_keys,
};

/// A small generator, so that a failure can be repeated.
struct Luck(u64);

impl Luck {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

const PIECES: [&str; 32] = [
    "\n",
    "=",
    "[",
    "]",
    "{",
    "}",
    "\"",
    ".",
    ",",
    "#",
    " - ",
    "add",
    "delete",
    "extend",
    "mul",
    "type",
    "es",
    "0",
    "-1",
    "1.5",
    "true",
    "[[phases]]",
    "99999999999999999999",
    "ñ",
    "\u{1F3B2}",
    "\r\n",
    "\0",
    "rows = [\"..\"]",
    "[legend]",
    "{ add = 1 }",
    "1979-05-27",
    "'''",
];

const PACK: &str = "name = \"extra\"\nversion = \"1.0.0\"\nauthors = []\nlicence = \"\"\nkernel = \">=0.1\"\n[builds_on]\nbase = \"*\"\n";

/// Cuts, repeats and inserts at character boundaries, up to so many times.
fn spoil(text: &str, most: usize, luck: &mut Luck) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=luck.below(most) {
        let at = luck.below(letters.len() + 1);
        let end = (at + luck.below(12)).min(letters.len());
        match luck.below(4) {
            0 => drop(letters.drain(at..end)),
            1 => {
                let piece: Vec<char> = letters[at..end].to_vec();
                let to = luck.below(letters.len() + 1);
                letters.splice(to..to, piece);
            }
            2 => letters.truncate(letters.len() - luck.below(letters.len() / 8 + 1)),
            _ => {
                let piece = PIECES[luck.below(PIECES.len())];
                letters.splice(at..at, piece.chars());
            }
        }
    }
    letters.into_iter().collect()
}

#[test]
fn spoiled_files_are_reported_and_never_crash() {
    let rounds = std::env::var("LUDOTECA_FUZZ").ok();
    let rounds = rounds.and_then(|text| text.parse().ok()).unwrap_or(1_000);
    let mut luck = Luck(7);
    let mut played = 0;
    for _ in 0..rounds {
        let mut files: Vec<(String, String)> = FILES
            .iter()
            .chain(&[("maps/fair/board.toml", BOARD)])
            .map(|(path, text)| (path.to_string(), text.to_string()))
            .collect();
        // Every other fair has a single flaw and no pack over it, so that some are still sound and their spoiled rules are played.
        let flawed = luck.below(2) == 0;
        let most = if flawed { 1 } else { 4 };
        let victim = luck.below(files.len());
        files[victim].1 = spoil(&files[victim].1, most, &mut luck);
        let base = files.iter().map(|(path, text)| (&**path, &**text));
        let base = PackSource::memory("base", base);
        let (path, text) = FILES[luck.below(FILES.len())];
        let patch = spoil(text, most, &mut luck);
        let pack = spoil(PACK, most, &mut luck);
        let extra = over("extra", &[(path, &patch), ("pack.toml", &pack)]);
        let packs = if flawed {
            vec![base]
        } else {
            vec![base, extra]
        };
        let (library, problems) = Library::open(&packs);
        render_all(&problems, luck.below(2) == 0);
        let mut selection = Selection::variant("cheap");
        let value = PIECES[luck.below(PIECES.len())].to_string();
        if !flawed {
            selection.set.push(("prices.stall.coins".into(), value));
        }
        if let Ok(loaded) = library.load("fair", &selection) {
            render_all(&loaded.diagnostics, true);
            loaded.diagnostics.iter().for_each(|d| drop(d.json()));
            for key in known_keys(&loaded.root).iter().take(20) {
                let _ = explain(&loaded, key);
            }
        }
        let (game, problems) = examine(&library, "fair", &selection);
        render_all(&problems, true);
        if let Some(game) = game.filter(|_| !problems.iter().any(|p| p.is_error())) {
            played += 1;
            let players = game.definition.players.0;
            let mut fair = Match::new(game, players, 1);
            for seat in 0..players {
                fair.seat_random(seat, ludoteca::Luck::new(seat, 1));
            }
            // Rules that were spoiled may break, but only with a message.
            match fair.advance() {
                Ok(status) => assert_eq!(status, Status::Over),
                Err(broken) => assert!(!broken.to_string().is_empty()),
            }
        }
    }
    // Of a thousand spoilt fairs a few are still sound: else nothing was played.
    assert!(
        played > rounds / 100,
        "{played} of {rounds} could be played"
    );
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("[", "]"), ("{ a = ", " }")] {
        let text = format!("a = {}1{}", open.repeat(50_000), close.repeat(50_000));
        let (_, problems) = load(
            &[fair(&[("cards/fair/tables.toml", &text)])],
            &Selection::default(),
        );
        assert!(!problems.is_empty());
    }
    let many = "a.".repeat(100_000);
    for text in [
        format!("{many}b = 1"),
        format!("[{many}b]\nc = 1"),
        format!("[[{many}b]]\nc = 1"),
        format!("x = {{ {many}b = 1 }}"),
    ] {
        let files = [("cards/fair/tables.toml", &*text)];
        load(&[fair(&files)], &Selection::default());
    }
    load(&[fair(&[])], &settings(&[(&format!("{many}b"), "1")]));
}

#[test]
fn long_files_load() {
    let mut cards = String::from("kind = \"stall\"\n");
    for i in 0..5_000 {
        cards += &format!(
            "[cards.stall_{i}]\nname = {{ es = \"P\", en = \"S\" }}\ncost = {i}\ntags = []\n"
        );
    }
    let loaded = clean(
        &[fair(&[("cards/fair/many.toml", &cards)])],
        &Selection::default(),
    );
    assert_eq!(loaded.definition.cards.len(), 5_002);
}

//! The report of what cards are worth at the same position.

use super::colophon;
use super::sentences::{duration, many};
use crate::compare::Verdict;
use crate::document::{Document, Tabular, Words};
use crate::fork::Worth;
use crate::names::ItemNames;
use crate::numbers::{signed, signed_interval, value};
use crate::record::Header;
use ludoteca::Language;

/// `pace` is what a game on both sides takes here, in seconds.
pub fn forks(header: &Header, found: &[Worth], pace: Option<f64>, language: Language) -> Document {
    let words = Words(language);
    let title = match language {
        Language::Es => format!("{}: con y sin", words.0.of(&header.title)),
        Language::En => format!("{}: with and without", words.0.of(&header.title)),
    };
    let mut document = Document::new(title, language);
    let (players, games, bots) = (header.players, header.games, header.bots_named(language));
    document.paragraph(match language {
        Language::Es => format!(
            "{players} jugadores, bots: {bots}, {games} partidas por carta, cada una jugada dos veces"
        ),
        Language::En => {
            format!("{players} players, bots: {bots}, {games} games a card, each played twice")
        }
    });
    let names = ItemNames::of(&header.items, language);
    let named = |worth: &Worth| names.name(&worth.kind, &worth.id, &worth.name);
    document.verdict(verdicts(words, found, named));
    let mut table = Tabular::new([
        words.say("Carta", "Card"),
        words.say("Partidas", "Games"),
        words.say("Gana con", "Wins with"),
        words.say("Gana sin", "Wins without"),
        words.say("Vale", "Worth"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Veredicto", "Verdict"),
        words.say("Partidas que mirar", "Games to look at"),
    ]);
    for worth in found {
        let shown: Vec<String> = worth.shown.iter().map(u64::to_string).collect();
        let row = [
            named(worth),
            worth.games.to_string(),
            value(worth.with, true),
            value(worth.without, true),
            signed(worth.difference.value, true),
            signed_interval(&worth.difference, true, words.0),
            verdict(words, worth, header.games, pace),
            shown.join(", "),
        ];
        match worth.verdict == Verdict::Differs {
            true => table.strong_row(row),
            false => table.row(row),
        }
    }
    document.table(table);
    document.small(words.say(
        "Cada partida se juega dos veces con la misma semilla, y en cada una le toca a otro asiento. La primera vez que ese asiento puede tomar la carta, una vez la toma; la otra no, ni entonces ni después, y elige lo mejor que haya en su lugar. Cuentan las partidas en que llegó a poder. Difiere: con todas las cartas juntas (Holm, 5 %).",
        "Each game is played twice on the same seed, and it is the turn of another seat from game to game. When that seat may first take the card, it does so once; the other time it goes without, then and later, and takes the best of what else there is. Games in which it came to that count. Differs: with all cards together (Holm, 5 %).",
    ));
    let commands = found.iter().filter_map(|worth| {
        let game = worth.shown.first()?;
        let fork = format!("--take {}.{} --only {game}", worth.kind, worth.id);
        Some(header.replayed("compare", "", &fork))
    });
    let commands: Vec<String> = commands.collect();
    if !commands.is_empty() {
        document.heading(words.say("Ver una partida de las dos maneras", "See a game both ways"));
        document.commands(commands);
    }
    colophon(&mut document, header);
    document
}

fn verdicts(words: Words, found: &[Worth], named: impl Fn(&Worth) -> String) -> Vec<String> {
    let seen: Vec<String> = found
        .iter()
        .filter(|worth| worth.verdict == Verdict::Differs)
        .map(|worth| {
            let (name, by) = (named(worth), signed(worth.difference.value, true));
            match words.0 {
                Language::Es => {
                    format!("Con {name} se gana {by} de las partidas respecto a pasar sin ella.")
                }
                Language::En => {
                    format!("With {name} one wins {by} of the games, compared with going without.")
                }
            }
        })
        .collect();
    match seen.is_empty() {
        true => vec![
            words
                .say(
                    "No se ve que ninguna cambie quién gana.",
                    "None is seen to change who wins.",
                )
                .into(),
        ],
        false => seen,
    }
}

fn verdict(words: Words, worth: &Worth, played: u64, pace: Option<f64>) -> String {
    match (worth.verdict, worth.needed) {
        (Verdict::Differs, _) => words.say("difiere", "differs").into(),
        (Verdict::No, _) => "no".into(),
        (Verdict::TooFew, _) => words.say("muy pocas", "too few").into(),
        (Verdict::Needs, None) => words.say("no se sabe", "unknown").into(),
        (Verdict::Needs, Some(needed)) => {
            // Not every game comes to a fork.
            let games = needed as f64 * played as f64 / worth.games.max(1) as f64;
            let time = pace.map_or_else(String::new, |pace| {
                format!(", {}", duration(games * pace, words))
            });
            format!(
                "{} {}{time}",
                words.say("pide", "needs"),
                many(games.ceil() as u64)
            )
        }
    }
}

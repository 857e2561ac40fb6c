//! What the lab found, as a report: the verdict in words first, then pictures, then tables. In Spanish or English.

mod climbed;
mod content;
mod figures;
mod forked;
mod run;
mod sentences;
mod sides;
mod skilled;
mod sweeps;
mod tunings;

pub use climbed::ladder;
pub use figures::chances;
pub use forked::forks;
pub use run::run;
pub use sentences::duration;
pub use sides::{AskedSides, comparison};
pub use skilled::{AskedSkills, skills};
pub use sweeps::sweep;
pub use tunings::tuned;

use crate::document::{Document, Words};
use crate::made::Differing;
use crate::record::Header;

/// Whether pictures are drawn: a terminal shows none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pictures {
    Drawn,
    Left,
}

/// Who played what, how often. The bots are in it: what they do is not what people do.
fn headline(document: &mut Document, header: &Header, games: u64) {
    let words = document.words;
    let (players, bots) = (header.players, header.bots_named(words.0));
    document.paragraph(match words.0 {
        ludoteca::Language::Es => {
            format!("Bots: {bots}, {players} jugadores, {games} partidas")
        }
        ludoteca::Language::En => format!("Bots: {bots}, {players} players, {games} games"),
    });
}

/// Where the numbers come from, for whoever wants to make them again.
fn colophon(document: &mut Document, header: &Header) {
    let words = document.words;
    let made = &header.made;
    let mut said = vec![
        format!("{} {}", words.say("contenido", "content"), header.content),
        format!(
            "{} {}",
            words.say("primera semilla", "first seed"),
            header.seed
        ),
    ];
    if !made.program.is_empty() {
        said.push(format!(
            "ludoteca {}, {} {}",
            made.program, header.game, made.version
        ));
        said.push(made.machine.clone());
    }
    said.extend(made.packs.iter().cloned());
    document.small(said.join("; "));
    document.small(words.say(
        "Lo que hacen los bots no es lo que hace la gente. Los intervalos contienen el valor verdadero en 95 de cada 100 muestras así; los de los asientos, todos a la vez.",
        "What bots do is not what people do. Intervals hold the true value in 95 of 100 such samples; those of the seats all at once.",
    ));
    if !made.command.is_empty() {
        document.commands(vec![made.command.clone()]);
    }
}

/// What was changed, a line each: `prices.unit.resources: 4 → 2`.
pub fn changes(differing: &Differing, words: Words) -> Vec<String> {
    let said = |value: Option<i64>| value.map_or_else(|| "-".to_string(), |v| v.to_string());
    let numbers = differing
        .values
        .iter()
        .map(|(key, before, after)| format!("{key}: {} → {}", said(*before), said(*after)));
    let named = |what: &str, names: &[String]| {
        (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
    };
    numbers
        .chain(named(words.say("reglas", "rules"), &differing.scripts))
        .chain(named(words.say("cartas", "cards"), &differing.cards))
        .collect()
}

/// How one of the games is played again.
fn again(document: &mut Document, commands: Vec<String>) {
    let words = document.words;
    document.heading(words.say("Ver una partida", "See a game"));
    document.small(words.say(
        "Los números de partida de este informe se juegan otra vez, jugada a jugada, con:",
        "The numbers of games in this report can be played again, move by move, with:",
    ));
    document.commands(commands);
}

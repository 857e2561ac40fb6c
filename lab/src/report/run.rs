//! The report of one run.

use super::{Pictures, again, colophon, content, figures, headline, sentences};
use crate::chart::ChartError;
use crate::document::{Document, Tabular, Words};
use crate::findings::{Extreme, Finding, Findings};
use crate::numbers::{interval, signed, signed_interval, value};
use crate::record::Header;
use crate::statistics::FEWEST_OF_A_MEAN;
use ludoteca::Language;

/// What one run says about a game.
pub fn run(
    header: &Header,
    found: &Findings,
    pictures: Pictures,
    language: Language,
) -> Result<Document, ChartError> {
    let words = Words(language);
    let title = format!(
        "{}: {}",
        words.0.of(&header.title),
        header.selection_named()
    );
    let mut document = Document::new(title, language);
    headline(&mut document, header, found.games);
    document.verdict(sentences::of_run(words, header, found));
    if pictures == Pictures::Drawn {
        document.figures(figures::run(words, header, found)?);
    }
    document.table(seats(words, header, found));
    document.heading(words.say("Medidas", "Measures"));
    document.table(measures(words, found));
    document.table(reasons(words, header, found));
    lead(&mut document, found);
    chances(&mut document, found);
    waits(&mut document, found);
    content::tables(&mut document, header, found);
    again(
        &mut document,
        vec![header.replay(words.say("PARTIDA", "GAME"))],
    );
    colophon(&mut document, header);
    Ok(document)
}

/// Who won how often: each side, or each seat where seats compete.
fn seats(words: Words, header: &Header, found: &Findings) -> Tabular {
    let between = words.say("Intervalo del 95 %", "95 % interval");
    if !header.seats_compete() {
        let mut table = Tabular::new([
            words.say("Bando", "Side"),
            words.say("Gana", "Wins"),
            between,
        ]);
        let sides = found.sides.iter();
        let sides = sides.map(|side| (words.0.of(&side.text).to_string(), side.wins));
        let won = found.won.iter();
        let won = won.map(|won| (words.say("Ganadas", "Won").to_string(), *won));
        for (name, wins) in sides.chain(won) {
            table.row([
                name,
                value(wins.value, true),
                interval(&wins, true, words.0),
            ]);
        }
        return table;
    }
    let mut table = Tabular::new([
        words.say("Asiento", "Seat"),
        "Bot",
        words.say("Gana", "Wins"),
        between,
        words.say("Puntos", "Score"),
    ]);
    for (seat, wins) in found.wins.iter().enumerate() {
        let bot = match header.rotate {
            true => words.say("por turno", "in turn"),
            false => &header.bots[seat],
        };
        let row = [
            format!("p{seat}"),
            bot.to_string(),
            value(wins.value, true),
            interval(wins, true, words.0),
            format!("{:.1}", found.scores[seat].value),
        ];
        match found.uneven_seats.contains(&(seat as u8)) {
            true => table.strong_row(row),
            false => table.row(row),
        }
    }
    table
}

fn measures(words: Words, found: &Findings) -> Tabular {
    let extreme = |extreme: Option<Extreme>, share: bool| {
        extreme.map_or_else(String::new, |extreme| {
            format!("{} ({})", value(extreme.value, share), extreme.game)
        })
    };
    let mut table = Tabular::new([
        words.say("Medida", "Measure"),
        words.say("Media", "Mean"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Mínimo (partida)", "Least (game)"),
        words.say("Máximo (partida)", "Most (game)"),
        words.say("Nombre", "Name"),
    ]);
    if let Some(balance) = &found.seat_balance {
        table.row([
            of_run(words, "seat_balance"),
            value(balance.value, true),
            interval(balance, true, words.0),
            String::new(),
            String::new(),
            "seat_balance".to_string(),
        ]);
    }
    if let Some(advantage) = &found.first_player_advantage {
        table.row([
            of_run(words, "first_player_advantage"),
            signed(advantage.value, true),
            signed_interval(advantage, true, words.0),
            String::new(),
            String::new(),
            "first_player_advantage".to_string(),
        ]);
    }
    let shown = found.measures.iter().filter(|finding| finding.games > 0);
    // Seats have a table of their own.
    let of_seat = |finding: &&Finding| {
        let seat = finding.name.strip_prefix("wins_p");
        seat.is_some_and(|seat| seat.parse::<u8>().is_ok())
    };
    for finding in shown.filter(|finding| !of_seat(finding)) {
        table.row([
            words.0.of(&finding.text).to_string(),
            value(finding.mean.value, finding.share),
            between(words, finding),
            extreme(finding.least, finding.share),
            extreme(finding.most, finding.share),
            finding.name.clone(),
        ]);
    }
    table
}

/// What a measure of a run is called, that no single game has.
pub(super) fn of_run(words: Words, metric: &str) -> String {
    match metric {
        "seat_balance" => words
            .say("Equilibrio entre asientos", "Seat balance")
            .into(),
        "first_player_advantage" => words
            .say("Ventaja de empezar", "First-player advantage")
            .into(),
        other => match other
            .strip_prefix("unused(")
            .and_then(|o| o.strip_suffix(')'))
        {
            Some("cards") => words.say("Cartas sin usar", "Unused cards").into(),
            Some(kind) => format!("{}: {kind}", words.say("Sin usar", "Unused")),
            None => other.into(),
        },
    }
}

/// The interval of a measure; a number that was the same in every game has none.
pub(super) fn between(words: Words, finding: &Finding) -> String {
    let same = finding.least.map(|least| least.value) == finding.most.map(|most| most.value);
    match finding.mean.is_of_too_few() && finding.games >= FEWEST_OF_A_MEAN && same {
        true => words.say("siempre", "always").to_string(),
        false => interval(&finding.mean, finding.share, words.0),
    }
}

fn reasons(words: Words, header: &Header, found: &Findings) -> Tabular {
    let mut table = Tabular::new([
        words.say("Acaban por", "Ended by"),
        words.say("Partidas", "Games"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("Primera", "First"),
    ]);
    for reason in &found.reasons {
        table.row([
            header.names.reason(&reason.reason, words.0).to_string(),
            value(reason.share.value, true),
            interval(&reason.share, true, words.0),
            reason.example.to_string(),
        ]);
    }
    table
}

/// Along the game: how often whoever leads wins, and the chance whoever won had.
fn lead(document: &mut Document, found: &Findings) {
    if found.lead.is_empty() {
        return;
    }
    let words = document.words;
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let heads = found.lead.iter().map(|lead| percent(lead.at));
    let mut table = Tabular::new(
        std::iter::once(words.say("Jugado", "Played so far").to_string()).chain(heads),
    );
    let wins = found.lead.iter().map(|lead| percent(lead.wins.value));
    let named = words
        .say("Gana quien va primero", "The leader wins")
        .to_string();
    table.row(std::iter::once(named).chain(wins));
    document.table(table);
}

/// Where chances are from, if the games had to tell it themselves.
pub(super) fn chances(document: &mut Document, found: &Findings) {
    let words = document.words;
    if let Some(scale) = &found.scale {
        document.small(format!(
            "{} {} {} {:.0} {}",
            words.say(
                "Las probabilidades son de una escala hallada en",
                "Chances are by a scale found in"
            ),
            scale.games,
            words.say(
                "de estas partidas; en ellas se desvían a lo sumo",
                "of these games; in them they are off by at most"
            ),
            scale.off_by.ceil(),
            words.say("puntos.", "points.")
        ));
    }
}

/// How long each seat waits for others, and its longest wait.
fn waits(document: &mut Document, found: &Findings) {
    let words = document.words;
    let mut table = Tabular::new([
        words.say("Asiento", "Seat"),
        words.say("Espera de media", "Wait on average"),
        words.say("Intervalo del 95 %", "95 % interval"),
        words.say("La más larga (partida)", "Longest (game)"),
    ]);
    for (seat, wait) in found.waits.iter().enumerate() {
        let Some(longest) = wait.longest else {
            continue;
        };
        table.row([
            format!("p{seat}"),
            value(wait.choices.value, false),
            interval(&wait.choices, false, words.0),
            format!("{:.0} ({})", longest.value, longest.game),
        ]);
    }
    if table.rows.is_empty() {
        return;
    }
    document.heading(words.say("Esperas", "Waits"));
    document.small(words.say(
        "Decisiones ajenas entre dos propias, asiento por asiento.",
        "Choices of others between two of one's own, seat by seat.",
    ));
    document.table(table);
}

//! Findings as sentences that a designer can bet on.

use crate::compare::{Difference, Verdict};
use crate::document::Words;
use crate::findings::Findings;
use crate::names::ItemNames;
use crate::numbers::{interval, signed, signed_interval, size, value};
use crate::record::Header;
use crate::statistics::{Estimate, FEWEST_PAIRS, Z, normal_above};
use ludoteca::Language;

/// Findings of a comparison that are said in words; the table has them all.
pub(super) const SAID: usize = 6;
/// Things of the content whose impact is said in words.
const IMPACTS: usize = 3;

fn with_interval(found: &Estimate, share: bool, words: Words) -> String {
    let between = interval(found, share, words.0);
    format!("{} ({between})", value(found.value, share))
}

/// What one run says.
pub fn of_run(words: Words, header: &Header, found: &Findings) -> Vec<String> {
    let mut said = Vec::new();
    // What differs between seats may be the bots': only if these change seats can it be told from theirs.
    let mixed = header.has_different_bots();
    let of_seats = header.rotate || !mixed;
    if header.seats_compete() && header.players > 1 {
        if mixed {
            said.push(bots(words, header, found));
        }
        said.push(match of_seats {
            true => seats(words, found),
            false => words
                .say(
                    "Cada bot tuvo siempre los mismos asientos: lo que es suyo y lo que es del asiento no se puede separar (--rotate).",
                    "Every bot kept its seats: what is theirs and what is the seat's cannot be told apart (--rotate).",
                )
                .to_string(),
        });
    }
    if let Some(advantage) = found
        .first_player_advantage
        .filter(|advantage| of_seats && !advantage.holds(0.0))
    {
        let by = signed(advantage.value, true);
        let between = signed_interval(&advantage, true, words.0);
        said.push(match words.0 {
            Language::Es => format!("Quien empieza gana {by} respecto a su parte ({between})."),
            Language::En => format!("Whoever begins wins {by} against an even share ({between})."),
        });
    }
    let [least, quarter, half, three_quarters, most] = found.round_quantiles;
    let rounds = match (half, words.0) {
        (1, Language::Es) => "ronda",
        (1, Language::En) => "round",
        (_, Language::Es) => "rondas",
        (_, Language::En) => "rounds",
    };
    said.push(match words.0 {
        Language::Es if quarter == three_quarters => format!(
            "La mitad de las partidas, o más, dura {half} {rounds}; la más corta {least}, la más larga {most}."
        ),
        Language::En if quarter == three_quarters => format!(
            "Half of the games or more last {half} {rounds}; the shortest {least}, the longest {most}."
        ),
        Language::Es => format!(
            "La mitad de las partidas dura de {quarter} a {three_quarters} rondas; la del medio {half}, la más corta {least}, la más larga {most}."
        ),
        Language::En => format!(
            "Half of the games last {quarter} to {three_quarters} rounds; the middle one {half}, the shortest {least}, the longest {most}."
        ),
    });
    let of = |name: &str| found.measure(name).filter(|f| f.games > 0).map(|f| &f.mean);
    if let Some(limit) = of("limit").filter(|limit| limit.value > 0.0) {
        let share = with_interval(limit, true, words);
        said.push(match words.0 {
            Language::Es => format!("El límite de rondas acaba con {share} de las partidas."),
            Language::En => format!("The round limit ends {share} of the games."),
        });
    }
    if let Some(lead) = of("lead_half") {
        let share = with_interval(lead, true, words);
        said.push(match words.0 {
            Language::Es => format!("Quien va primero a la mitad gana {share} de las veces."),
            Language::En => format!("Whoever leads at half-time wins {share} of the time."),
        });
    }
    if let (Some(back), Some(away)) = (of("comebacks"), of("runaways")) {
        let (back, away) = (
            with_interval(back, true, words),
            with_interval(away, true, words),
        );
        said.push(match words.0 {
            Language::Es => {
                format!("Remontadas: {back}; escapadas desde el primer cuarto: {away}.")
            }
            Language::En => {
                format!("Comebacks: {back}; runaways from the first quarter on: {away}.")
            }
        });
    }
    if let Some(worth) = found.worth {
        let parts = [worth.skill, worth.seat, worth.luck];
        let [skill, seat, luck] = parts.map(|part| with_interval(&part, true, words));
        said.push(match words.0 {
            Language::Es => format!(
                "De lo que separa a quien gana, la destreza explica {skill}, el asiento {seat} y la suerte {luck}."
            ),
            Language::En => format!(
                "Of what sets winners apart skill explains {skill}, the seat {seat}, luck {luck}."
            ),
        });
    }
    said.extend(impacts(words, header, found));
    said
}

/// What of the content does most to whoever uses it, and whether that is beyond doubt with everything that was looked at.
fn impacts(words: Words, header: &Header, found: &Findings) -> Option<String> {
    let names = ItemNames::of(&header.items, words.0);
    let known = found.content.iter();
    let mut known: Vec<(String, Estimate)> = known
        .filter_map(|item| {
            let name = names.name(&item.kind, &item.id, &item.name);
            Some((name, item.impact?))
        })
        .collect();
    let count = known.len();
    // How much wider an interval is that holds together with all the others.
    let wider = normal_above(0.025 / count.max(1) as f64) / Z;
    let is_seen = |impact: &Estimate| {
        let toward = if impact.value > 0.0 {
            impact.low
        } else {
            impact.high
        };
        impact.value.abs() > wider * (impact.value - toward).abs()
    };
    let size = |impact: &Estimate| impact.value.abs();
    known.sort_by(|(_, one), (_, other)| {
        let by_size = || size(other).total_cmp(&size(one));
        is_seen(other).cmp(&is_seen(one)).then_with(by_size)
    });
    let seen = known.iter().filter(|(_, impact)| is_seen(impact)).count();
    let told = |(name, impact): &(String, Estimate)| {
        let between = signed_interval(impact, true, words.0);
        format!("{name} {} ({between})", signed(impact.value, true))
    };
    let shown = known.iter().take(IMPACTS.min(seen.max(1))).map(told);
    let shown = shown.collect::<Vec<_>>().join("; ");
    match (count, seen, words.0) {
        (0, ..) => None,
        (_, 0, Language::Es) => Some(format!(
            "De lo que se usa (mirado: {count}) no se ve que nada vaya unido a ganar; lo que más: {shown}."
        )),
        (_, 0, Language::En) => Some(format!(
            "Nothing that is used ({count} looked at) is seen to go with winning; what does most: {shown}."
        )),
        (_, _, Language::Es) => Some(format!(
            "Lo que más va unido a ganar, que no es decir que lo cause (eso lo dice `compare --take`): {shown}."
        )),
        (_, _, Language::En) => Some(format!(
            "What goes most with winning, which is not to say that it brings it about (`compare --take` tells that): {shown}."
        )),
    }
}

/// How much a seat of each bot wins.
fn bots(words: Words, header: &Header, found: &Findings) -> String {
    let mut names: Vec<&String> = header.bots.iter().collect();
    names.sort();
    names.dedup();
    let wins = |bot: &&String| found.measure(&format!("wins_{bot}")).map(|f| f.mean);
    let mut won: Vec<(&String, Estimate)> = names
        .into_iter()
        .filter_map(|bot| Some((bot, wins(&bot)?)))
        .collect();
    won.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
    let won: Vec<String> = won
        .iter()
        .map(|(bot, wins)| format!("{bot} {}", with_interval(wins, true, words)))
        .collect();
    let even = value(1.0 / f64::from(header.players), true);
    match words.0 {
        Language::Es => format!(
            "Un asiento de cada bot gana: {}; a partes iguales sería {even}.",
            won.join("; ")
        ),
        Language::En => format!(
            "A seat of each bot wins: {}; an even share is {even}.",
            won.join("; ")
        ),
    }
}

fn seats(words: Words, found: &Findings) -> String {
    if found.uneven_seats.is_empty() {
        return words
            .say(
                "No se ve que ningún asiento gane más ni menos que su parte.",
                "No seat is seen to win more or less than its even share.",
            )
            .to_string();
    }
    let of_seat = |&seat: &u8| {
        let wins = with_interval(&found.wins[seat as usize], true, words);
        format!("p{seat} {} {wins}", words.say("gana", "wins"))
    };
    let named: Vec<String> = found.uneven_seats.iter().map(of_seat).collect();
    match words.0 {
        Language::Es => format!("Los asientos no son iguales: {}.", named.join("; ")),
        Language::En => format!("Seats are not alike: {}.", named.join("; ")),
    }
}

/// What a comparison says.
pub fn of_comparison(words: Words, differences: &[Difference]) -> Vec<String> {
    let seen: Vec<&Difference> = differences.iter().filter(|d| d.seen).collect();
    let mut said: Vec<String> = seen
        .iter()
        .take(SAID)
        .map(|d| {
            format!(
                "{}: {} → {} ({}; {})",
                words.0.of(&d.text),
                value(d.first, d.share),
                value(d.second, d.share),
                signed(d.difference.value, d.share),
                between(words, d)
            )
        })
        .collect();
    match seen.len() {
        0 => said.push(
            words
                .say("No se ve que nada difiera.", "Nothing is seen to differ.")
                .into(),
        ),
        all if all > SAID => said.push(match words.0 {
            Language::Es => format!("Otras {} medidas difieren también.", all - SAID),
            Language::En => format!("Another {} measures differ as well.", all - SAID),
        }),
        _ => {}
    }
    let named = |verdict: Verdict| {
        let names = differences.iter().filter(|d| d.verdict == verdict);
        listed(words, names.map(|d| words.0.of(&d.text)).collect())
    };
    let shown = |d: &Difference| {
        let size = d.shown.map(|shown| format!(" ({})", size(shown, d.share)));
        format!("{}{}", words.0.of(&d.text), size.unwrap_or_default())
    };
    let no = named(Verdict::No);
    if !no.is_empty() {
        said.push(format!(
            "{}: {}",
            words.say(
                "Sin diferencia del tamaño pedido",
                "No difference of the size asked for"
            ),
            no
        ));
    }
    let needs = differences.iter().filter(|d| d.verdict == Verdict::Needs);
    let needs: Vec<String> = needs.map(shown).collect();
    if !needs.is_empty() {
        said.push(format!(
            "{}: {}",
            words.say(
                "No se ve que difieran (entre paréntesis, la diferencia que estas partidas habrían mostrado nueve de cada diez veces)",
                "Not seen to differ (in brackets, the difference these games would have shown nine times in ten)"
            ),
            listed(words, needs.iter().map(String::as_str).collect())
        ));
    }
    let few = named(Verdict::TooFew);
    if !few.is_empty() {
        said.push(format!(
            "{}: {}",
            words.say("Muy pocas partidas", "Too few games"),
            few
        ));
    }
    said
}

/// The interval of a difference, or what is known of one that has none: no pair differs, or all do and by as much.
pub fn between(words: Words, d: &Difference) -> String {
    let alike = d.difference.is_of_too_few() && d.pairs >= FEWEST_PAIRS;
    match d.difference.value == 0.0 {
        true if alike => words.say("ningún par difiere", "no pair differs").into(),
        false if alike && d.seen => words.say("todos los pares", "all pairs").into(),
        _ => signed_interval(&d.difference, d.share, words.0),
    }
}

/// The first of some names, and how many more there are.
pub(super) fn listed(words: Words, names: Vec<&str>) -> String {
    let shown = names
        .iter()
        .take(SAID)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    match (names.len().saturating_sub(SAID), words.0) {
        (0, _) => shown,
        (more, Language::Es) => format!("{shown} y {more} más"),
        (more, Language::En) => format!("{shown} and {more} more"),
    }
}

/// A number of games in few letters.
pub fn many(games: u64) -> String {
    match games {
        0..10_000 => games.to_string(),
        10_000..1_000_000 => format!("{}k", games.div_ceil(1000)),
        _ => format!("{}M", games.div_ceil(1_000_000)),
    }
}

/// How long an answer takes.
pub fn latency(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// How long something takes here.
pub fn duration(seconds: f64, words: Words) -> String {
    let about = words.say("unos", "about");
    let here = words.say("aquí", "here");
    match seconds {
        s if s < 90.0 => format!("{about} {:.0} s {here}", s.max(1.0)),
        s if s < 5400.0 => format!("{about} {:.0} min {here}", s / 60.0),
        s if s < 172_800.0 => format!("{about} {:.0} h {here}", s / 3600.0),
        s => format!(
            "{about} {:.0} {} {here}",
            s / 86_400.0,
            words.say("días", "days")
        ),
    }
}

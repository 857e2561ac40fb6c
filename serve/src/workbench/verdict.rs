//! What a comparison says, in words first: fixed sentences over measure, direction and size, in both languages.

use crate::kernel::Text;
use ludoteca_lab::compare::Difference;
use serde_json::{Value as Json, json};

/// Findings that the headline names, and that are told one by one.
const NAMED: usize = 3;
const TOLD: usize = 4;

/// The verdict: a headline, and a sentence for each of the surest findings.
pub fn verdict(found: &[Difference], games: u64, settled: bool) -> Json {
    let seen: Vec<&Difference> = found.iter().filter(|one| one.seen).collect();
    let sentences: Vec<Text> = seen.iter().take(TOLD).map(|one| finding(one)).collect();
    let unsure = found.iter().find(|one| one.may_differ());
    let unseen = || found.iter().find(|one| !one.seen && one.share);
    let unseen = match unsure {
        Some(one) => Some(no_certainty(one)),
        None => unseen().map(no_finding),
    };
    json!({
        "headline": headline(&seen, unsure.is_some(), games, settled), "sentences": sentences,
        "unseen": unseen.filter(|_| games >= 20),
    })
}

fn headline(seen: &[&Difference], unsure: bool, games: u64, settled: bool) -> Text {
    if games < 20 {
        return text(
            format!("Demasiado pronto para decir algo: {games} partidas por lado."),
            format!("Too early to say anything: {games} games a side."),
        );
    }
    if seen.is_empty() && unsure {
        return text(
            format!("Por ahora nada difiere con certeza en {games} partidas por lado."),
            format!("Nothing differs for certain so far in {games} games a side."),
        );
    }
    if seen.is_empty() && settled {
        return text(
            "No cambia nada que se pueda medir.".into(),
            "Nothing changes that can be measured.".into(),
        );
    }
    if seen.is_empty() {
        return text(
            format!("Por ahora no se ve ninguna diferencia en {games} partidas por lado."),
            format!("No difference is seen so far in {games} games a side."),
        );
    }
    let listed = |up: bool, es: bool| {
        let of_sign = seen.iter().filter(|one| (one.difference.value > 0.0) == up);
        let names = of_sign.take(NAMED).map(|one| named(one, es));
        names.collect::<Vec<_>>().join(", ")
    };
    let said = |es: bool| {
        let (more, less) = match es {
            true => ("Más", "Menos"),
            false => ("Higher", "Lower"),
        };
        let parts = [(more, listed(true, es)), (less, listed(false, es))];
        let parts = parts.into_iter().filter(|(_, names)| !names.is_empty());
        let parts = parts.map(|(word, names)| format!("{word}: {names}."));
        parts.collect::<Vec<_>>().join(" ")
    };
    text(said(true), said(false))
}

fn named(one: &Difference, es: bool) -> String {
    let name = if es { &one.text.es } else { &one.text.en };
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn finding(one: &Difference) -> Text {
    let (by, up) = (one.difference.value, one.difference.value > 0.0);
    let (from, to) = (shown(one, one.first), shown(one, one.second));
    let size = match one.share {
        true => [
            format!("{:.1} puntos", by.abs() * 100.0),
            format!("{:.1} points", by.abs() * 100.0),
        ],
        false if one.first.abs() > 1e-9 => {
            let percent = format!("{:.0} %", by.abs() / one.first.abs() * 100.0);
            [percent.clone(), percent]
        }
        false => [number(by.abs()), number(by.abs())],
    };
    let [es, en] = size;
    let (sube, rises) = if up {
        ("sube", "rises")
    } else {
        ("baja", "falls")
    };
    text(
        format!("{}: {sube} un {es}, de {from} a {to}.", one.text.es),
        format!("{}: {rises} by {en}, from {from} to {to}.", one.text.en),
    )
}

/// Of a measure that differs by itself, but not with all others taken into account.
fn no_certainty(one: &Difference) -> Text {
    let value = |value: f64| match one.share {
        true => format!("{:+.1}", value * 100.0),
        false => format!("{}{}", if value > 0.0 { "+" } else { "" }, number(value)),
    };
    let (low, high) = (value(one.difference.low), value(one.difference.high));
    let (puntos, points) = match one.share {
        true => (" puntos", " points"),
        false => ("", ""),
    };
    text(
        format!(
            "{}: puede que difiera, entre {low} y {high}{puntos}; con todas las medidas juntas no es seguro.",
            one.text.es
        ),
        format!(
            "{}: may differ, by between {low} and {high}{points}; with all measures taken together it is not certain.",
            one.text.en
        ),
    )
}

fn no_finding(one: &Difference) -> Text {
    let points = |value: f64| format!("{:+.1}", value * 100.0);
    let (low, high) = (points(one.difference.low), points(one.difference.high));
    text(
        format!(
            "{}: no se ve diferencia; si la hay, está entre {low} y {high} puntos.",
            one.text.es
        ),
        format!(
            "{}: no difference was seen; if there is one, it is between {low} and {high} points.",
            one.text.en
        ),
    )
}

fn shown(one: &Difference, value: f64) -> String {
    match one.share {
        true => format!("{:.1} %", value * 100.0),
        false => number(value),
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn text(es: String, en: String) -> Text {
    Text { es, en }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludoteca_lab::compare::Verdict;
    use ludoteca_lab::statistics::Estimate;

    fn measure(share: bool, low: f64, high: f64, seen: bool) -> Difference {
        Difference {
            name: "wins".into(),
            text: text("Victorias".into(), "Wins".into()),
            share,
            pairs: 100,
            first: 0.5,
            second: 0.5,
            difference: Estimate {
                value: (low + high) / 2.0,
                low,
                high,
            },
            likelihood: 0.04,
            shown: None,
            seen,
            verdict: if seen { Verdict::Differs } else { Verdict::No },
            needed: None,
            power: 0.9,
            size: 0.05,
            games: Vec::new(),
        }
    }

    #[test]
    fn only_what_may_be_nothing_is_said_to_show_no_difference() {
        let none =
            "Wins: no difference was seen; if there is one, it is between -1.0 and +2.0 points.";
        let unsure = "Wins: may differ, by between +1.5 and +14.0 points; with all measures taken together it is not certain.";
        let number = "Wins: may differ, by between -3.00 and -1.00; with all measures taken together it is not certain.";
        for (found, headline, said) in [
            (
                vec![measure(true, -0.01, 0.02, false)],
                "Nothing changes that can be measured.",
                none,
            ),
            (
                vec![
                    measure(true, -0.01, 0.02, false),
                    measure(true, 0.015, 0.14, false),
                ],
                "Nothing differs for certain so far in 100 games a side.",
                unsure,
            ),
            (
                vec![measure(false, -3.0, -1.0, false)],
                "Nothing differs for certain so far in 100 games a side.",
                number,
            ),
            (
                vec![
                    measure(true, 0.02, 0.06, true),
                    measure(true, -0.01, 0.02, false),
                ],
                "Higher: wins.",
                none,
            ),
        ] {
            let told = verdict(&found, 100, true);
            assert_eq!(
                (&told["headline"]["en"], &told["unseen"]["en"]),
                (&json!(headline), &json!(said))
            );
        }
    }
}

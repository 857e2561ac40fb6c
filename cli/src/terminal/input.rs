//! What a person types at a choice, understood: options by number, key or name, and the few letters that do something else.

use crate::words::{say, word};
use ludoteca::help::{folded, has_beginning};
use ludoteca::{About, Offer, Offered, nearest};

/// Options that an ambiguous word lists.
const LISTED: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// Numbers of options, as the choice counts them.
    Pick(Vec<u32>),
    /// `?`, perhaps with something to explain.
    Explain(String),
    /// The rulebook, perhaps a topic of it.
    Rules(String),
    /// What a bot would answer.
    Hint,
    Undo,
    Save(String),
    Board,
    /// What has happened since the last choice, all of it.
    Log,
    Reload,
    /// The next page of options.
    More,
    Quit,
    Nothing,
    /// What to say about it.
    Nonsense(String),
}

/// The words that are no answers, as they may be typed.
pub fn commands() -> [&'static str; 4] {
    [word!("reglas", "rules"), word!("pista", "hint"), "?", "+"]
}

pub fn understand(line: &str, offer: &Offer) -> Typed {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word, rest.trim()) {
        ("", _) => Typed::Nothing,
        ("?", rest) => Typed::Explain(rest.to_string()),
        (asked, rest) if asked.starts_with('?') => {
            Typed::Explain(format!("{} {rest}", &asked[1..]).trim().to_string())
        }
        ("rules" | "reglas", topic) => Typed::Rules(topic.to_string()),
        ("s", file) => Typed::Save(file.to_string()),
        ("h" | "hint" | "pista", "") => Typed::Hint,
        ("u", "") => Typed::Undo,
        ("b", "") => Typed::Board,
        ("l", "") => Typed::Log,
        ("r", "") => Typed::Reload,
        ("+", "") => Typed::More,
        ("q", "") => Typed::Quit,
        _ => picks(line, offer),
    }
}

/// What a word stands for among the options.
enum Found {
    One(u32),
    /// The labels of what it could be.
    Several(Vec<String>),
    Nothing,
}

fn picks(line: &str, offer: &Offer) -> Typed {
    let (min, max) = (offer.min, offer.max);
    match find(offer, line) {
        Found::One(item) if min <= 1 => return Typed::Pick(vec![item]),
        // A whole line that could be several things is not taken apart.
        Found::Several(labels) if max <= 1 => return Typed::Nonsense(ambiguous(line, &labels)),
        _ => {}
    }
    // Names may have blanks in them; where there are commas, those part the answers.
    let parted: Vec<&str> = match line.contains(',') {
        true => line.split(',').map(str::trim).collect(),
        false => line.split(' ').collect(),
    };
    let words = parted
        .into_iter()
        .filter(|word| !word.is_empty() && *word != "-");
    let mut picked = Vec::new();
    for word in words {
        match find(offer, word) {
            Found::One(number) if picked.contains(&number) => {
                return Typed::Nonsense(say!("«{word}» está dos veces", "`{word}` is there twice"));
            }
            Found::One(number) => picked.push(number),
            Found::Several(labels) => return Typed::Nonsense(ambiguous(word, &labels)),
            Found::Nothing if max <= 1 => return Typed::Nonsense(unknown(line, offer)),
            Found::Nothing => return Typed::Nonsense(unknown(word, offer)),
        }
    }
    if !(min as usize..=max as usize).contains(&picked.len()) {
        return Typed::Nonsense(wrong_count(min, max, picked.len()));
    }
    Typed::Pick(picked)
}

/// Whether the options are numbers themselves: what is typed is then meant as such, not as a place in the list.
pub fn are_numbers(offer: &Offer) -> bool {
    let mut things = offer
        .options
        .iter()
        .filter(|item| !matches!(item.about, About::Word { .. }))
        .peekable();
    offer.amount.is_some()
        || things.peek().is_some() && things.all(|item| matches!(item.about, About::Amount { .. }))
}

fn find(offer: &Offer, word: &str) -> Found {
    let number = word.parse::<i64>().ok();
    if let (Some((low, high)), Some(number)) = (offer.amount, number) {
        return match (low..=high).contains(&number) {
            true => Found::One((number - low) as u32),
            false => Found::Nothing,
        };
    }
    if let Some(number) = number.filter(|_| !are_numbers(offer)) {
        let at = usize::try_from(number - 1).ok();
        let item = at.and_then(|at| offer.options.get(at));
        return item.map_or(Found::Nothing, |item| Found::One(item.number));
    }
    let named = offer.options.iter().map(|item| [&item.label, &item.key]);
    match meant(word, named).as_slice() {
        [] => Found::Nothing,
        [one] => Found::One(offer.options[*one].number),
        several => {
            let labels = several.iter().map(|&at| offer.options[at].label.clone());
            Found::Several(labels.collect())
        }
    }
}

/// Which of some things somebody means, each with its names: what fits exactly, else what begins so, else what has a word in it that
/// begins so. Accents and capitals make no difference.
pub fn meant<'n, const NAMES: usize>(
    typed: &str,
    things: impl Iterator<Item = [&'n String; NAMES]> + Clone,
) -> Vec<usize> {
    let wanted = folded(typed);
    if wanted.is_empty() {
        return Vec::new();
    }
    let fits: [&dyn Fn(&str) -> bool; 3] = [
        &|name| folded(name) == wanted,
        &|name| folded(name).starts_with(&wanted),
        &|name| has_beginning(name, &wanted),
    ];
    for fits in fits {
        let fitting = things
            .clone()
            .enumerate()
            .filter(|(_, names)| names.iter().any(|name| fits(name)));
        let found: Vec<usize> = fitting.map(|(at, _)| at).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn ambiguous(word: &str, labels: &[String]) -> String {
    let mut shown: Vec<&str> = labels.iter().take(LISTED).map(String::as_str).collect();
    if labels.len() > LISTED {
        shown.push("…");
    }
    let shown = shown.join(" · ");
    let count = labels.len();
    say!(
        "«{word}» puede ser {count} opciones: {shown}",
        "`{word}` could be {count} options: {shown}"
    )
}

fn unknown(word: &str, offer: &Offer) -> String {
    let names: Vec<String> = offer
        .options
        .iter()
        .flat_map(|item: &Offered| [item.key.clone(), item.label.clone()])
        .collect();
    // What is no answer may be meant too: `hnt` for a hint.
    let words = commands().into_iter().filter(|word| word.len() > 1);
    let names = names.iter().map(String::as_str).chain(words);
    let meant =
        nearest(word, names).filter(|_| word.chars().count() > 2 && word.parse::<i64>().is_err());
    let (low, high) = match (offer.amount, offer.options.len()) {
        (Some((low, high)), _) => (low, high),
        (None, count) => (1, count as i64),
    };
    match meant {
        Some(meant) => say!(
            "«{word}» no está entre las opciones; ¿quizá «{meant}»?",
            "`{word}` is not among the options; did you mean `{meant}`?"
        ),
        None => say!(
            "«{word}» no está entre las opciones; escribe un número de {low} a {high}, o ? para que te lo explique",
            "`{word}` is not among the options; type a number from {low} to {high}, or ? for an explanation"
        ),
    }
}

fn wrong_count(min: u32, max: u32, found: usize) -> String {
    match min == max {
        true => say!(
            "hay que elegir {min}, no {found}",
            "choose {min}, not {found}"
        ),
        false => say!(
            "hay que elegir entre {min} y {max}, no {found}",
            "choose between {min} and {max}, not {found}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer((min, max): (u32, u32), amount: Option<(i64, i64)>, items: &[(&str, &str)]) -> Offer {
        let item = |(number, (key, label)): (usize, &(&str, &str))| Offered {
            number: number as u32,
            key: key.to_string(),
            label: label.to_string(),
            about: About::Word {
                word: key.to_string(),
            },
            note: None,
        };
        let items = items.iter().enumerate().map(item).collect();
        Offer {
            seat: 0,
            prompt: "which".into(),
            text: "Which?".into(),
            min,
            max,
            amount,
            options: items,
            together: false,
        }
    }

    fn typed(line: &str, offer: &Offer) -> Typed {
        understand(line, offer)
    }

    #[test]
    fn options_go_by_number_key_name_and_beginning() {
        let offer = offer(
            (1, 1),
            None,
            &[
                ("red_card", "Red card"),
                ("blue_card", "Blue card"),
                ("stop", "Enough"),
            ],
        );
        for line in ["2", "blue_card", "Blue card", "blue", "BLUE C"] {
            assert_eq!(typed(line, &offer), Typed::Pick(vec![1]), "{line}");
        }
        for asked in [" ? 2", "?2"] {
            assert_eq!(typed(asked, &offer), Typed::Explain("2".into()));
        }
        assert_eq!(typed("rules goal", &offer), Typed::Rules("goal".into()));
        for (nearly, meant) in [
            ("blu_card", "blue_card"),
            ("hnt", "hint"),
            ("ruels", "rules"),
        ] {
            let told = format!("`{nearly}` is not among the options; did you mean `{meant}`?");
            assert_eq!(typed(nearly, &offer), Typed::Nonsense(told));
        }
        for nonsense in [
            "0",
            "4",
            "-1",
            "gren_card",
            "1 2",
            "99999999999999999999",
            "\u{1f3b2}",
            "-",
        ] {
            assert!(
                matches!(typed(nonsense, &offer), Typed::Nonsense(_)),
                "{nonsense}"
            );
        }
    }

    #[test]
    fn an_ambiguous_beginning_lists_what_it_could_mean() {
        let offer = offer(
            (1, 1),
            None,
            &[
                ("australia>tonga", "Australia → Tonga"),
                ("australia>java", "Australia → Java"),
                ("mexico>california", "México → California"),
            ],
        );
        assert_eq!(typed("tonga", &offer), Typed::Pick(vec![0]));
        assert_eq!(typed("mexico", &offer), Typed::Pick(vec![2]));
        assert_eq!(typed("australia java", &offer), Typed::Pick(vec![1]));
        assert_eq!(
            typed("aus", &offer),
            Typed::Nonsense(
                "`aus` could be 2 options: Australia → Tonga · Australia → Java".into()
            )
        );
    }

    #[test]
    fn several_options_are_typed_one_after_the_other() {
        let offer = offer(
            (0, 2),
            None,
            &[("a", "Ant"), ("c", "Cat"), ("d", "Dog of Java")],
        );
        assert_eq!(typed("3, 1", &offer), Typed::Pick(vec![2, 0]));
        assert_eq!(typed("dog of j, cat", &offer), Typed::Pick(vec![2, 1]));
        assert_eq!(typed("-", &offer), Typed::Pick(vec![]));
        let mut pair = offer.clone();
        pair.min = 2;
        assert_eq!(typed("1", &pair), Typed::Nonsense("choose 2, not 1".into()));
        assert_eq!(
            typed("1 1", &offer),
            Typed::Nonsense("`1` is there twice".into())
        );
        assert_eq!(
            typed("1 2 3", &offer),
            Typed::Nonsense("choose between 0 and 2, not 3".into())
        );
    }

    #[test]
    fn a_number_is_meant_as_such_where_numbers_are_offered() {
        let mut offer = offer((1, 1), Some((5, 9)), &[]);
        offer.options.push(Offered {
            number: 5,
            key: "pass".into(),
            label: "Pass".into(),
            about: About::Word {
                word: "pass".into(),
            },
            note: None,
        });
        assert_eq!(typed("7", &offer), Typed::Pick(vec![2]));
        assert_eq!(typed("pass", &offer), Typed::Pick(vec![5]));
        assert!(matches!(typed("1", &offer), Typed::Nonsense(_)));
    }
}

//! What a person types at a choice, understood: options by number, key or name, and the few letters that do something else.

use ludoteca::content::diagnostic::nearest;
use ludoteca::play::offer::{Offer, Offered};
use ludoteca::play::say::Language;
use ludoteca::table::about::About;

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
    Reload,
    /// The next page of options.
    More,
    Quit,
    Nothing,
    /// What to say about it.
    Nonsense(String),
}

pub fn understand(line: &str, offer: &Offer, language: Language) -> Typed {
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
        ("r", "") => Typed::Reload,
        ("+", "") => Typed::More,
        ("q", "") => Typed::Quit,
        _ => picks(line, offer, language),
    }
}

fn picks(line: &str, offer: &Offer, language: Language) -> Typed {
    let (min, max) = (offer.min, offer.max);
    if let Some(item) = find(offer, line) {
        return Typed::Pick(vec![item]);
    }
    let words: Vec<&str> = line
        .split([' ', ','])
        .filter(|word| !word.is_empty() && *word != "-")
        .collect();
    let mut picked = Vec::new();
    for word in &words {
        match find(offer, word) {
            Some(number) if picked.contains(&number) => {
                return Typed::Nonsense(twice(word, language));
            }
            Some(number) => picked.push(number),
            None => return Typed::Nonsense(unknown(word, offer, language)),
        }
    }
    if !(min as usize..=max as usize).contains(&picked.len()) {
        return Typed::Nonsense(wrong_count(min, max, picked.len(), language));
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

fn find(offer: &Offer, word: &str) -> Option<u32> {
    if let (Some((low, high)), Ok(number)) = (offer.amount, word.parse::<i64>()) {
        return (low..=high)
            .contains(&number)
            .then(|| (number - low) as u32);
    }
    let by = |matches: &dyn Fn(&Offered) -> bool| {
        let mut found = offer.options.iter().filter(|item| matches(item));
        match (found.next(), found.next()) {
            (Some(item), None) => Some(item.number),
            _ => None,
        }
    };
    let typed = word.to_lowercase();
    let number = word.parse::<usize>().ok().filter(|_| !are_numbers(offer));
    let by_number = number
        .and_then(|n| offer.options.get(n.checked_sub(1)?))
        .map(|item| item.number);
    by_number
        .or_else(|| by(&|item| item.key == word))
        .or_else(|| by(&|item| item.label.to_lowercase() == typed))
        .or_else(|| {
            by(&|item| {
                item.label.to_lowercase().starts_with(&typed) || item.key.starts_with(&typed)
            })
            .filter(|_| number.is_none())
        })
}

fn unknown(word: &str, offer: &Offer, language: Language) -> String {
    let names: Vec<String> = offer
        .options
        .iter()
        .flat_map(|item| [item.key.clone(), item.label.clone()])
        .collect();
    let meant =
        nearest(word, &names).filter(|_| word.chars().count() > 2 && word.parse::<i64>().is_err());
    let range = match (offer.amount, offer.options.len()) {
        (Some((low, high)), _) => (low, high),
        (None, count) => (1, count as i64),
    };
    let (low, high) = range;
    match (language, meant) {
        (Language::Es, Some(meant)) => {
            format!("«{word}» no está entre las opciones; ¿quizá «{meant}»?")
        }
        (Language::Es, None) => format!(
            "«{word}» no está entre las opciones; escribe un número de {low} a {high}, o ? para que te lo explique"
        ),
        (Language::En, Some(meant)) => {
            format!("`{word}` is not among the options; did you mean `{meant}`?")
        }
        (Language::En, None) => format!(
            "`{word}` is not among the options; type a number from {low} to {high}, or ? for an explanation"
        ),
    }
}

fn twice(word: &str, language: Language) -> String {
    match language {
        Language::Es => format!("«{word}» está dos veces"),
        Language::En => format!("`{word}` is there twice"),
    }
}

fn wrong_count(min: u32, max: u32, found: usize, language: Language) -> String {
    match language {
        Language::Es if min == max => format!("hay que elegir {min}, no {found}"),
        Language::Es => format!("hay que elegir entre {min} y {max}, no {found}"),
        Language::En if min == max => format!("choose {min}, not {found}"),
        Language::En => format!("choose between {min} and {max}, not {found}"),
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
        understand(line, offer, Language::En)
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
        for line in ["2", "blue_card", "Blue card", "blue"] {
            assert_eq!(typed(line, &offer), Typed::Pick(vec![1]), "{line}");
        }
        for asked in [" ? 2", "?2"] {
            assert_eq!(typed(asked, &offer), Typed::Explain("2".into()));
        }
        assert_eq!(typed("rules goal", &offer), Typed::Rules("goal".into()));
        for nonsense in [
            "0",
            "4",
            "-1",
            "gren_card",
            "card",
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
    fn several_options_are_typed_one_after_the_other() {
        let offer = offer((0, 2), None, &[("a", "Ant"), ("c", "Cat"), ("d", "Dog")]);
        assert_eq!(typed("3, 1", &offer), Typed::Pick(vec![2, 0]));
        assert_eq!(typed("-", &offer), Typed::Pick(vec![]));
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

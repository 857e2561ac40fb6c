//! What people read: everything can be asked about in both languages, and nothing shows a raw id.

use ludoteca::{
    Arena, Bot, Event, Table,
    definition::{Attribute, AttributeType, Definition, Language, Per},
    help,
    help::{Help, Thing},
    say,
};
use ludoteca_lab::simulate;
use ludoteca_tests::shelf;

const LANGUAGES: [Language; 2] = [Language::Es, Language::En];

/// What is wrong with a text as it is shown.
fn raw(text: &str) -> Option<&'static str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    if text.contains(['{', '}']) {
        return Some("a brace");
    }
    let is_id = |word: &str| word.contains('_') && word.len() > 1;
    // A topic of the rulebook may name files and settings, in its own marks.
    if words.into_iter().any(is_id) {
        return Some("an id");
    }
    None
}

/// The texts of a help, with what in the rulebook is marked as code left out.
fn shown(help: &Help) -> Vec<String> {
    let own = [help.name.clone()].into_iter().chain(help.text.clone());
    let facts = help
        .facts
        .iter()
        .flat_map(|fact| [fact.name.clone(), fact.value.clone()]);
    let more = help
        .more
        .iter()
        .flat_map(|entry| [entry.name.clone(), entry.text.clone()]);
    let uncoded = |text: String| text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    own.chain(facts).chain(more).map(uncoded).collect()
}

/// Whether there is more to know of a card or a place than its name: statistics and neighbours are help enough.
fn says_more(help: &Help) -> bool {
    !help.text.is_empty() || help.facts.len() > 1 || !help.more.is_empty()
}

/// `alike` says that the spaces of the board, or the cards, differ in nothing but their names, as the squares of chess do.
fn is_explained(thing: &Thing, help: &Help, alike: bool) -> bool {
    match thing {
        Thing::Card(_) | Thing::Space(_) => alike || says_more(help),
        Thing::Area(_) => !help.text.is_empty() || !help.facts.is_empty(),
        Thing::Kind(_) => !help.text.is_empty() || !help.more.is_empty(),
        Thing::Zone(_) | Thing::Step(_) => !help.name.is_empty(),
        Thing::Prompt(_) | Thing::Word(_) | Thing::Topic(_) => !help.text.is_empty(),
    }
}

#[test]
fn everything_can_be_asked_about_in_both_languages() {
    let mut wrong = Vec::new();
    for game in shelf() {
        let definition = &game.definition;
        let table = Table::new(game.clone(), definition.players.0, 1);
        let things = help::things(definition);
        let plain = |is: fn(&Thing) -> bool| {
            let mut of = things.iter().filter(|thing| is(thing));
            !of.any(|thing| says_more(&help::help(&table, Some(0), thing, Language::Es)))
        };
        let plain_spaces = plain(|thing| matches!(thing, Thing::Space(_)));
        let plain_cards = plain(|thing| matches!(thing, Thing::Card(_)));
        for language in LANGUAGES {
            for thing in things.clone() {
                let help = help::help(&table, Some(0), &thing, language);
                let which = format!("{} {} {}", definition.id, help.what, help.id);
                let alike = match thing {
                    Thing::Space(_) => plain_spaces,
                    Thing::Card(_) => plain_cards,
                    _ => false,
                };
                if !is_explained(&thing, &help, alike) {
                    wrong.push(format!("{which}: no help"));
                }
                let texts = shown(&help);
                let odd = texts.iter().find_map(|text| Some((raw(text)?, text)));
                wrong.extend(odd.map(|(what, text)| format!("{which}: {what} in «{text}»")));
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Words that players read without a text of their own would be shown as ids.
#[test]
fn every_word_players_read_has_a_text() {
    let mut wrong = Vec::new();
    for game in shelf() {
        let definition = &game.definition;
        let named = |word: u32| {
            let word = &definition.words[word as usize];
            let is_thing = definition.cards.iter().any(|card| card.id == *word)
                || (definition.map.iter().flat_map(|map| &map.areas)).any(|area| area.id == *word);
            let is_side = definition.sides.iter().any(|side| side.name == *word);
            is_thing || is_side || definition.texts.option.contains_key(word)
        };
        let told = shown_attributes(definition);
        for attribute in told {
            let words = words_of(attribute);
            let missing = words.into_iter().filter(|word| !named(*word));
            wrong.extend(missing.map(|word| {
                let word = &definition.words[word as usize];
                format!("{} {}: {word}", definition.id, attribute.name)
            }));
        }
        assert!(!definition.rulebook.is_empty(), "{}", definition.id);
        let counts = game.calls.score.is_some();
        assert!(!counts || !definition.score.is_empty(), "{}", definition.id);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn shown_attributes(definition: &Definition) -> impl Iterator<Item = &Attribute> {
    let all = &definition.attributes;
    let all = [&all.game, &all.player, &all.space, &all.piece];
    all.into_iter()
        .flatten()
        .filter(|attribute| attribute.text.is_some())
}

fn words_of(attribute: &Attribute) -> Vec<u32> {
    let own: &[u32] = match &attribute.ty {
        AttributeType::Word(words) => words,
        _ => &[],
    };
    let per: &[u32] = match &attribute.per {
        Per::Word(words) => words,
        _ => &[],
    };
    [own, per].concat()
}

/// What makes a line of the log no sentence.
fn unreadable(line: &str, language: Language) -> Option<&'static str> {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let starts_low = line.chars().next().is_some_and(char::is_lowercase);
    let apart = line.contains(" de el ") || line.contains(" a el ");
    Some(match line {
        _ if raw(line).is_some() => "an id or a brace",
        _ if line.contains("()") => "nothing, written out",
        _ if words.contains(&"") => "two blanks",
        _ if words
            .windows(2)
            .any(|pair| number(pair[0]) && number(pair[1])) =>
        {
            "two numbers side by side"
        }
        _ if !line.ends_with(['.', '!', '?', '»', '”']) => "no full stop",
        _ if starts_low => "a small letter first",
        _ if apart && language == Language::Es => "de el, a el",
        _ => return None,
    })
}

/// Random games of every game and several numbers of players: every line is a sentence in both languages.
#[test]
fn every_line_of_a_log_is_a_sentence() {
    let mut wrong = std::collections::BTreeSet::new();
    let mut lines = 0;
    for game in shelf() {
        let (fewest, most) = game.definition.players;
        for (players, seed) in [(fewest, 5), (most, 6)] {
            let bots = vec![Bot::Random; players as usize];
            let mut arena = Arena::new(&game, players);
            arena.played().table.events = Some(Vec::new());
            simulate::play(&mut arena, &bots, seed).expect("a game");
            let played = arena.played();
            let events = played.table.events.take().unwrap_or_default();
            let said = events
                .iter()
                .filter(|event| matches!(event, Event::Said { .. }));
            for (event, language) in said.flat_map(|event| LANGUAGES.map(|l| (event, l))) {
                let Some(line) = say::line(&played.table, event, language) else {
                    continue;
                };
                lines += 1;
                if let Some(what) = unreadable(&line, language) {
                    wrong.insert(format!("{}: {what}: {line}", game.definition.id));
                }
            }
        }
    }
    assert!(lines > 10_000, "only {lines} lines");
    let wrong: Vec<String> = wrong.into_iter().take(40).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Rulebooks, help and articles: what they quote, how variants change it, and what is wrong with them.

use crate::fixture::*;
use ludoteca::{Selection, Table, definition::Language, help, help::Thing, load};

const ES: &str = "# La feria {#goal}

Gana quien tenga más dinero; se empieza con {attributes.player.money.start}.

## Comprar {#buying}

Un puesto cuesta {prices.stall.coins|una moneda|# monedas}; hay {count map.spaces} lugares, entre ellos {the map.spaces.bridge}.
Ingresos: {and income}. El tiempo: {attributes.game.weather.words}.
";
const EN: &str = "# The fair {#goal}

Whoever has most money wins; one begins with {attributes.player.money.start}.

## Buying {#buying}

A stall costs {prices.stall.coins|one coin|# coins}; there are {count map.spaces} places, one of them {the map.spaces.bridge}.
Incomes: {and income}. Weather: {attributes.game.weather.words}.
";
const HELP: &str = r#"[prompt]
visit = { es = "¿Qué puesto visitas?", en = "Which stall do you visit?" }
buy.stall = { es = "¿Compras un puesto?", en = "Do you buy a stall?" }

[option]
stop = { es = "Terminar", en = "Stop" }
food = { es = "comida", en = "food" }

[field]
cost = { es = "Coste", en = "Cost" }
tags = { es = "Clase", en = "Class" }
steps = { es = "pasos", en = "steps" }

[help.prompt]
visit = { es = "Cada visita cuesta un turno de {visits_a_turn}.", en = "You have {visits_a_turn|one visit|# visits} a turn." }
[help.word]
food = { es = "Se come.", en = "One eats it." }

[article]
bridge = { es = "el", en = "the" }
"#;

fn books<'a>(changed: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut files = vec![
        ("scripts/fair/rulebook.es.md", ES),
        ("scripts/fair/rulebook.en.md", EN),
        ("cards/fair/text.toml", HELP),
    ];
    files.retain(|(path, _)| changed.iter().all(|(other, _)| other != path));
    files.extend(changed);
    files
}

#[test]
fn a_rulebook_shows_the_numbers_that_are_played_with() {
    let files = books(&[]);
    let plain = clean(&[fair(&files)], &Selection::default()).definition;
    let ids: Vec<&str> = plain.rulebook.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids, ["goal", "buying"]);
    let buying = &plain.rulebook[1];
    assert_eq!(buying.title.en, "Buying");
    assert_eq!(
        buying.text.es,
        "Un puesto cuesta 4 monedas; hay 3 lugares, entre ellos el Puente.\nIngresos: 2, 3 y 5. El tiempo: sun, rain."
    );
    let cheap = clean(&[fair(&files)], &Selection::variant("cheap")).definition;
    assert!(
        cheap.rulebook[1]
            .text
            .en
            .starts_with("A stall costs 3 coins; there are 3 places, one of them the Bridge.")
    );
    assert_eq!(
        cheap.texts.help["prompt.visit"].en,
        "You have 4 visits a turn."
    );
    let set = clean(&[fair(&files)], &settings(&[("prices.stall.coins", "1")])).definition;
    assert!(
        set.rulebook[1]
            .text
            .es
            .starts_with("Un puesto cuesta una moneda;")
    );
    assert_ne!(plain.hash, set.hash);
}

#[test]
fn prose_is_no_rule() {
    let with = clean(&[fair(&books(&[]))], &Selection::default()).definition;
    let other = books(&[(
        "scripts/fair/rulebook.en.md",
        "# Fair {#goal}\nWin.\n## Buying {#buying}\nBuy.\n",
    )]);
    let other = clean(&[fair(&other)], &Selection::default()).definition;
    assert_eq!(with.hash, other.hash);
}

#[test]
fn a_variant_rewrites_a_topic_and_adds_one_after_it() {
    let variant = "title = { es = \"Noche\", en = \"Night\" }\nsummary = { es = \"De noche.\", en = \"At night.\" }\n[set]\nround_limit = 10\n";
    let files = books(&[
        ("variants/fair/night/variant.toml", variant),
        (
            "variants/fair/night/scripts/fair/rulebook.es.md",
            "## La feria de noche {#goal}\nHay {round_limit} rondas.\n\n## Faroles {#lanterns}\nSe encienden.\n",
        ),
        (
            "variants/fair/night/scripts/fair/rulebook.en.md",
            "## The fair at night {#goal}\nThere are {round_limit} rounds.\n\n## Lanterns {#lanterns}\nThey are lit.\n",
        ),
    ]);
    let night = clean(&[fair(&files)], &Selection::variant("night")).definition;
    let told: Vec<String> = night
        .rulebook
        .iter()
        .map(|topic| {
            format!(
                "{}: {}",
                topic.title.en,
                topic.text.en.lines().next().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(
        told[..2],
        [
            "The fair at night: There are 10 rounds.",
            "Lanterns: They are lit."
        ]
    );
    assert_eq!(told.len(), 3);
}

macro_rules! mistakes {
    ($($name:ident: $path:literal => $text:expr;)*) => {
        $(#[test]
        fn $name() {
            check_content(stringify!($name), &books(&[($path, $text)]));
        })*
    };
}

mistakes! {
    rulebook_quotes_what_is_not_there: "scripts/fair/rulebook.en.md" => &EN.replace("prices.stall.coins", "prices.stal.coins");
    rulebook_quotes_a_table: "scripts/fair/rulebook.en.md" => &EN.replace("{and income}", "{prices.stall}");
    rulebook_lacks_a_topic: "scripts/fair/rulebook.en.md" => "# The fair {#goal}\nWin.\n";
    rulebook_heading_without_id: "scripts/fair/rulebook.en.md" => &EN.replace(" {#buying}", "");
    rulebook_begins_without_heading: "scripts/fair/rulebook.en.md" => "Once upon a time\n";
    rulebook_with_a_terminal_command: "scripts/fair/rulebook.en.md" => &EN.replace("Incomes", "\u{1b}[2J");
    help_for_nothing: "cards/fair/text.toml" => &HELP.replace("[help.word]\nfood", "[help.word]\nfud");
    help_for_what_nobody_asks: "cards/fair/text.toml" => &HELP.replace("[help.word]", "[help.wrod]");
    article_of_nothing: "cards/fair/text.toml" => &HELP.replace("bridge = { es", "brigde = { es");
    article_that_is_none: "cards/fair/text.toml" => &HELP.replace("es = \"el\"", "es = \"le\"");
}

#[test]
fn anything_is_found_by_id_name_or_the_beginning_of_a_name() {
    let (library, _) = ludoteca::Library::open(&[fair(&books(&[]))]);
    let game = load(&library, "fair", &Selection::default()).expect("it loads");
    let table = Table::new(game.clone(), 2, 0);
    let found = |asked: &str, language| -> Vec<String> {
        let things = help::find(&game.definition, asked, language);
        let name = |thing: &Thing| help::name_of(&game.definition, thing, language);
        things.iter().map(name).collect()
    };
    assert_eq!(found("puente", Language::Es), ["Puente"]);
    assert_eq!(found("ringtoss", Language::En), ["Ring toss"]);
    assert_eq!(found("ring_toss", Language::Es), ["Aros"]);
    assert_eq!(found("chu", Language::Es), ["Churros"]);
    assert_eq!(found("¿QUE puesto", Language::Es), ["¿Qué puesto visitas?"]);
    assert!(found("", Language::Es).is_empty() && found("nowhere", Language::En).is_empty());
    assert!(found("b", Language::En).len() > 1);
    let told = |what: &str, id: &str| {
        let thing = Thing::named(&game.definition, what, id).expect("it is there");
        serde_json::to_string_pretty(&help::help(&table, None, &thing, Language::En)).unwrap()
    };
    insta::assert_snapshot!(
        "help_of_a_card_a_space_and_a_kind",
        [
            told("card", "churros"),
            told("space", "bridge"),
            told("kind", "stall")
        ]
        .join("\n")
    );
}

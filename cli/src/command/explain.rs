//! `ludoteca explain`: where a value comes from and what it means, and what a mistake is.

use crate::arguments::Explain;
use crate::output::{Failure, Outcome, outln, show};
use crate::packs;
use crate::words::errors::{details, told};
use crate::words::say;
use ludoteca::{Story, explain, explained};
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], wanted: &Explain) -> Outcome {
    let Some(key) = &wanted.key else {
        return mistake(wanted);
    };
    let loaded = packs::load_data(content, &wanted.game.game, &packs::selection(&wanted.game)?)?;
    let stories = explain(&loaded, key).map_err(|problem| {
        show(&[*problem]);
        Failure::Content
    })?;
    if wanted.json {
        outln!(
            "{}",
            json!({ "game": wanted.game.game, "key": key, "values": stories })
        );
        return Ok(());
    }
    print(&stories);
    Ok(())
}

/// Each value with what there is to know; what is said of several in a row is said once.
fn print(stories: &[Story]) {
    for (number, story) in stories.iter().enumerate() {
        outln!("{}", told(story));
        let next = stories.get(number + 1).map(details);
        let next = next.unwrap_or_default();
        for line in details(story).iter().filter(|line| !next.contains(*line)) {
            outln!("    {line}");
        }
    }
}

/// What a code stands for, at length.
fn mistake(wanted: &Explain) -> Outcome {
    let name = &wanted.game.game;
    let Some(page) = explained::page(name) else {
        let first = name.split(' ').next().unwrap_or_default();
        if explained::numbered(first).is_some() {
            return Err(Failure::Usage(say!(
                "no hay ningún error «{name}»; `ludoteca help errors` los enumera",
                "there is no mistake `{name}`; `ludoteca help errors` lists them"
            )));
        }
        return Err(Failure::Usage(say!(
            "¿explicar qué? `ludoteca explain {name} CLAVE` explica un valor del juego «{name}»; `ludoteca explain E011`, un error",
            "explain what? `ludoteca explain {name} KEY` tells of a value of the game `{name}`; `ludoteca explain E011` tells of a mistake"
        )));
    };
    match wanted.json {
        true => outln!(
            "{}",
            json!({ "code": page.id, "name": page.slug, "text": page.text, "wrong": page.wrong, "right": page.right })
        ),
        false => outln!("{}", page.plain()),
    }
    Ok(())
}

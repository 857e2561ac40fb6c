//! `ludoteca watch`: on every save what is wrong, which scenarios hold, and what the change does to many games, on a screen that stays
//! where it is.

mod files;
mod round;
mod screen;
mod state;

use crate::arguments::Watch;
use crate::lab::run as lab;
use crate::output::{Failure, Outcome};
use crate::packs;
use crate::words::{language, say};
use files::Watched;
use ludoteca::{Selection, pack::BASE};
use round::{Remembered, Round};
use screen::Screen;
use state::{Screenful, SharedState};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at the files, and two pictures of the screen.
const LOOK: Duration = Duration::from_millis(120);
const PICTURE: Duration = Duration::from_millis(250);

pub fn run(content: &[PathBuf], watch: &Watch) -> Outcome {
    let mut watched = Watched::new(content);
    if watched.is_empty() {
        return Err(Failure::Usage(say!(
            "no hay nada que mirar: los juegos son los incluidos en la orden; ponte en un paquete o en el repositorio, o nombra uno con --content",
            "there is nothing to watch: the games are those built into the command; stand in a pack or a checkout, or name one with --content"
        )));
    }
    let selection = packs::selection(&watch.game)?;
    let (library, _) = packs::open(content)?;
    if !library
        .games()
        .iter()
        .any(|game| game.id == watch.game.game)
    {
        // Says which there are.
        packs::load_game(&library, &watch.game.game, &Selection::default())?;
    }
    let variants = library.variants(&watch.game.game);
    let against = watch.against.iter().map(String::as_str);
    let against = against.filter(|name| *name != BASE);
    let named = selection.variants.iter().map(String::as_str).chain(against);
    for name in named.filter(|name| !variants.iter().any(|known| known == name)) {
        packs::load_game(&library, &watch.game.game, &Selection::variant(name))?;
    }
    // Of a game that is broken it is not known, and said once it can be played.
    if let Ok(loaded) = library.load(&watch.game.game, &selection)
        && !loaded.has_errors()
    {
        packs::players_of(&loaded.definition, watch.players)?;
    }
    lab::repeatable(&watch.bots)?;
    let ended = lab::stop_flag();
    let known: SharedState = Arc::new(Mutex::new(Screenful::new(watch, &selection)));
    let mut screen = Screen::new(language());
    let memory = Arc::new(Remembered::default());
    let start = |changed: Vec<String>, saved: Instant| {
        Round::start(
            content,
            watch,
            &selection,
            (&known, &memory),
            changed,
            saved,
        )
    };
    let mut round = start(Vec::new(), Instant::now());
    let mut pictured = Instant::now();
    screen.show(&known);
    while !ended.load(Ordering::Relaxed) {
        thread::sleep(LOOK);
        let changed = watched.changed();
        if !changed.is_empty() {
            let saved = Instant::now();
            round.end();
            round = start(changed, saved);
        }
        if pictured.elapsed() >= PICTURE {
            screen.show(&known);
            pictured = Instant::now();
        }
    }
    round.end();
    screen.leave(&known);
    Ok(())
}

/// A flag that many hold.
type Flag = Arc<AtomicBool>;

//! From content to a game that can be played, with everything that is wrong on the way.

use super::compile::{MissingFunction, Refused};
use super::fillings::told_where_misspelt;
use super::slips::slips;
use super::sound;
use super::written::told_where_written;
use crate::content::causes::{causes, is_blank, together};
use crate::content::diagnostic::{Code, Diagnostic, guessing};
use crate::content::file::Place;
use crate::content::from_script;
use crate::content::library::{Library, Loaded, Selection};
use crate::content::misspelt;
use crate::limits;
use crate::model::value::handle;
use crate::table::Table;
use crate::table::game::Game;
use crate::table::label::{Language, shortened};
use ludoteca_vm::{FaultKind, Machine, Options, Outcome, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A game with its variants and settings, or everything that keeps it from being played.
pub fn load(
    library: &Library,
    game: &str,
    selection: &Selection,
) -> Result<Arc<Game>, Vec<Diagnostic>> {
    let loaded = load_one_by_one(library, game, selection);
    loaded.map_err(|mut diagnostics| {
        together(&mut diagnostics);
        diagnostics
    })
}

/// The same, with names that are lost together told one by one, for who tells of many games at once.
pub(crate) fn load_one_by_one(
    library: &Library,
    game: &str,
    selection: &Selection,
) -> Result<Arc<Game>, Vec<Diagnostic>> {
    load_with(library, game, selection, &Options::default())
}

/// A game whose names can be looked up, as `like` has it, if they differ in their numbers alone: it is not compiled.
pub(crate) fn load_to_be_read(
    library: &Library,
    game: &str,
    selection: &Selection,
    like: &Game,
) -> Result<Option<Arc<Game>>, Vec<Diagnostic>> {
    let loaded = library.load(game, selection)?;
    let sound = !loaded.diagnostics.iter().any(Diagnostic::is_error);
    Ok(sound
        .then(|| Game::to_be_read(loaded.definition, like))
        .flatten())
}

/// A game with rules that tell which of their lines ran.
pub fn load_covered(
    library: &Library,
    game: &str,
    selection: &Selection,
) -> Result<Arc<Game>, Vec<Diagnostic>> {
    load_with(library, game, selection, &Options { coverage: true })
}

fn load_with(
    library: &Library,
    game: &str,
    selection: &Selection,
    options: &Options,
) -> Result<Arc<Game>, Vec<Diagnostic>> {
    let (game, diagnostics) = examine_with(library, game, selection, options);
    match game {
        Some(game) if !diagnostics.iter().any(Diagnostic::is_error) => Ok(game),
        _ => Err(diagnostics),
    }
}

/// The game if it can be made at all, and everything that is wrong with it, warnings too.
pub fn examine(
    library: &Library,
    game: &str,
    selection: &Selection,
) -> (Option<Arc<Game>>, Vec<Diagnostic>) {
    examine_with(library, game, selection, &Options::default())
}

fn examine_with(
    library: &Library,
    game: &str,
    selection: &Selection,
    options: &Options,
) -> (Option<Arc<Game>>, Vec<Diagnostic>) {
    let _guesses = guessing();
    let loaded = match library.load(game, selection) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return (None, diagnostics),
    };
    let mut diagnostics = loaded.diagnostics.clone();
    if diagnostics.iter().any(is_blank) {
        return (None, diagnostics);
    }
    if !sound::can_be_made(&loaded.definition) {
        diagnostics.extend(sound::too_large(&loaded.definition));
        causes(&mut diagnostics);
        return (None, diagnostics);
    }
    if let Some(problem) = no_rules(&loaded) {
        diagnostics.push(problem);
        causes(&mut diagnostics);
        return (None, diagnostics);
    }
    let made = match Game::with_options(loaded.definition.clone(), options) {
        Ok(made) => Some(made),
        Err(refused) => {
            diagnostics.extend(explain(&refused, &loaded));
            None
        }
    };
    if let Some(made) = made
        .as_ref()
        .filter(|_| !diagnostics.iter().any(Diagnostic::is_error))
    {
        diagnostics.extend(slips(made, library, &loaded.files));
        diagnostics.extend(checked_cards(made, &loaded));
    }
    let rows = misspelt::rows(&diagnostics, &loaded.root, &loaded.files);
    let tables = misspelt::tables(&diagnostics, &loaded.root, &loaded.files);
    let rows = [rows, tables].concat();
    let columns = misspelt::columns(&diagnostics, &rows, &loaded.root);
    let strangers = misspelt::strangers(&diagnostics, &loaded.root, &loaded.files);
    let lists = misspelt::lists(&diagnostics, &loaded.root);
    diagnostics.extend(rows);
    diagnostics.extend(columns);
    diagnostics.extend(lists);
    diagnostics.extend(strangers);
    diagnostics.extend(misspelt::odd_lists(&loaded.definition, &loaded.root));
    told_where_written(&mut diagnostics);
    causes(&mut diagnostics);
    told_where_misspelt(&mut diagnostics, &loaded.root);
    (made, diagnostics)
}

/// A game without any file of rules: that its functions are missing says nothing more.
fn no_rules(loaded: &Loaded) -> Option<Diagnostic> {
    let id = &loaded.definition.id;
    let mut scripts = loaded.definition.scripts.iter();
    if scripts.any(|script| script.path.ends_with(".rhai")) {
        return None;
    }
    let message = format!("the game `{id}` has no rules");
    let problem = Diagnostic::new(Code::LostTogether, message);
    let help =
        format!("is a file missing? rules stand in scripts/{id}/, in files that end in `.rhai`");
    let manifest = loaded.root.place.clone();
    Some(problem.at(&Place::top(&manifest.file)).help(help))
}

/// What a check may say about one card: nobody reads more.
const PROBLEMS_OF_A_CARD: usize = 20;

/// What the game's own checks find wrong with its cards.
fn checked_cards(game: &Arc<Game>, loaded: &Loaded) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut table = Table::new(game.clone(), game.definition.players.0, 0);
    table.read_only = true;
    table.language = Language::En;
    // All cards have one budget: a pack may have thousands of them.
    let mut machine = Machine::with_limits(limits::of_a_step());
    let mut left = limits::OPERATIONS_OF_ALL;
    for (id, card) in game.definition.cards.iter().enumerate() {
        let Some(check) = game.calls.checks[card.kind as usize] else {
            continue;
        };
        machine.start(
            &game.program,
            check,
            &[Value::Handle(handle::CARD, id as u32)],
        );
        machine.set_budget(left);
        let outcome = machine.run(&game.program, &mut table);
        left = machine.budget_left().min(left);
        let said = match outcome {
            Ok(Outcome::Done(Value::Array(problems))) => problems
                .iter()
                .take(PROBLEMS_OF_A_CARD)
                .map(|problem| match problem {
                    Value::Str(words) => shortened(words.to_string()),
                    other => table.describe(other),
                })
                .collect(),
            Ok(_) => vec![format!(
                "the check of the card `{}` must give a list of problems in words",
                card.id
            )],
            Err(fault) => {
                let over = fault.kind == FaultKind::Budget;
                left *= !over as u64;
                vec![fault.to_string()]
            }
        };
        let place = loaded.files.place(&card.origin);
        found.extend(said.into_iter().map(|message| {
            let problem = Diagnostic::new(Code::BadCard, message);
            match &place {
                Some(place) => problem.at(place),
                None => problem,
            }
        }));
        if left == 0 {
            break;
        }
    }
    found
}

/// Mistakes after which a file of rules is not read.
const BREAK: [ludoteca_vm::Code; 9] = [
    ludoteca_vm::Code::Syntax,
    ludoteca_vm::Code::RefusedFloat,
    ludoteca_vm::Code::RefusedEval,
    ludoteca_vm::Code::Refused,
    ludoteca_vm::Code::TopLevel,
    ludoteca_vm::Code::ReadOnly,
    ludoteca_vm::Code::Duplicate,
    ludoteca_vm::Code::UnknownModule,
    ludoteca_vm::Code::TooLarge,
];

/// The functions and constants that begin at the start of a line, whatever word says so: `fn pay(`, `def pay(`, `const PAY =`.
fn begun(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.lines().filter_map(move |line| {
        let line = line.strip_prefix("private ").unwrap_or(line);
        let (word, rest) = line.split_at(line.find(|c| !is_name(c))?);
        let rest = rest.trim_start_matches([' ', '\t']);
        let (name, behind) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
        let behind = behind.trim_start();
        let begins = match word {
            "const" | "let" => behind.starts_with('='),
            _ => behind.starts_with('('),
        };
        (!word.is_empty() && !name.is_empty() && begins).then_some(name)
    })
}

fn explain(refused: &Refused, loaded: &Loaded) -> Vec<Diagnostic> {
    // A file that cannot be read hides its functions: that others miss them says nothing new.
    let broken = refused
        .scripts
        .iter()
        .filter(|found| BREAK.contains(&found.code));
    let broken: BTreeSet<&str> = broken
        .filter_map(|found| Some(loaded.files.get(&found.path)?.text.as_str()))
        .collect();
    let hidden: BTreeSet<&str> = broken.into_iter().flat_map(begun).collect();
    let is_hidden = |found: &ludoteca_vm::Diagnostic| {
        let named = match found.code {
            ludoteca_vm::Code::UnknownFunction | ludoteca_vm::Code::UnknownVariable => &found.name,
            _ => return false,
        };
        named
            .as_ref()
            .is_some_and(|name| hidden.contains(name.as_str()))
    };
    let scripts = refused
        .scripts
        .iter()
        .filter(|found| !is_hidden(found))
        .map(|found| from_script::diagnostic(found, &loaded.files));
    scripts
        .chain(
            refused
                .missing
                .iter()
                .map(|missing| missing_function(missing, loaded)),
        )
        .collect()
}

fn missing_function(missing: &MissingFunction, loaded: &Loaded) -> Diagnostic {
    let name = &missing.named.name;
    let message = match missing.parameters {
        Some(0) => format!("the scripts have no function `{name}()`"),
        Some(count) => format!(
            "the scripts have no function `{name}` with {count} parameter{}",
            if count == 1 { "" } else { "s" }
        ),
        None => format!("the scripts have no function `{name}`"),
    };
    let mut diagnostic = Diagnostic::new(Code::UnknownFunction, message);
    if let Some(place) = loaded.files.place(&missing.named.origin) {
        diagnostic = diagnostic.at(&place);
    }
    diagnostic.name = Some(name.clone());
    match &missing.suggestion {
        Some(known) if known == name => {
            diagnostic.help(format!("`{known}` takes another number of parameters"))
        }
        Some(known) => diagnostic.meant(name, known),
        None => diagnostic,
    }
}

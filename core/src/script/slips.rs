//! Slips no compiler sees: functions the kernel would call if they were written right, functions nothing calls, and braces of texts that
//! no script fills.

use super::likeness;
use super::rows;
use super::unused;
use crate::content::definition::{AttributeType, Visibility};
use crate::content::diagnostic::Severity;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::{File, Files, Place};
use crate::content::from_script;
use crate::content::library::Library;
use crate::content::wording::{self, TextPiece};
use crate::limits::MOST_TOLD;
use crate::table::game::Game;
use ludoteca_vm::FunctionInfo;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Functions the kernel calls if the scripts have them, and how many parameters they may take.
pub(super) const CALLED: &[(&str, &[usize])] = &[
    ("setup", &[0]),
    ("score", &[1]),
    ("evaluate", &[1]),
    ("prefer", &[3]),
    ("imagine", &[1]),
    ("left", &[1]),
    ("ended", &[0]),
    ("read_position", &[1]),
    ("note_option", &[3]),
    ("table_view", &[1, 2]),
    ("map_view", &[1, 2]),
    ("figures", &[0]),
];

pub(super) fn slips(game: &Game, library: &Library, files: &Files) -> Vec<Diagnostic> {
    let mut found = functions(game, files);
    let told: Vec<Place> = found
        .iter()
        .filter_map(|slip| Some(slip.at.as_ref()?.place.clone()))
        .collect();
    let unused = unused::unused(game, library, files).into_iter();
    found.extend(unused.filter(|slip| slip.at.as_ref().is_none_or(|at| !told.contains(&at.place))));
    found.extend(game.program.warnings().iter().map(|warning| {
        let mut told = from_script::diagnostic(warning, files);
        told.severity = Severity::Warning;
        told
    }));
    found.extend(nobody_can_win(game, files));
    found.extend(braces(game, files));
    found.extend(hidden_numbers(game, files));
    found.extend(likeness::unlike(game, files));
    found.extend(rows::unknown_words(&game.definition, files));
    found
}

/// A number that somebody cannot see is drawn from its range when a bot imagines the table; without one it may be anything.
fn hidden_numbers(game: &Game, files: &Files) -> Vec<Diagnostic> {
    if game.calls.imagine.is_some() {
        return Vec::new();
    }
    let all = &game.definition.attributes;
    let owners = [
        ("game", &all.game),
        ("player", &all.player),
        ("space", &all.space),
        ("piece", &all.piece),
    ];
    let each = owners
        .into_iter()
        .flat_map(|(owner, attributes)| attributes.iter().map(move |a| (owner, a)));
    let unknown = each.filter(|(_, attribute)| {
        attribute.visible != Visibility::All
            && attribute.ty == AttributeType::Int
            && (attribute.min == i32::MIN || attribute.max == i32::MAX)
    });
    unknown
        .map(|(owner, attribute)| {
            let name = &attribute.name;
            let message = format!(
                "`{name}` is hidden and has no range: a bot that does not see it would think of any number"
            );
            let problem = Diagnostic::new(Code::HiddenNumber, message)
                .help("give it `min` and `max`, or write `fn imagine(p)`, which draws it anew");
            match declared(&game.definition.id, owner, name, files) {
                Some(place) => problem.at(&place),
                None => problem,
            }
        })
        .collect()
}

/// Where the manifest declares an attribute.
fn declared(game: &str, owner: &str, name: &str, files: &Files) -> Option<Place> {
    manifests(game, files).find_map(|file| declared_in(file, owner, name))
}

/// The game's manifest, and what other packs put over it.
fn manifests<'f>(game: &str, files: &'f Files) -> impl Iterator<Item = &'f Arc<File>> {
    let path = format!("scripts/{game}/game.toml");
    files.iter().filter(move |file| file.path == path)
}

fn declared_in(file: &Arc<File>, owner: &str, name: &str) -> Option<Place> {
    let section = file.text.find(&format!("[attributes.{owner}]"))?;
    let mut at = section;
    for text in file.text[section..].split_inclusive('\n') {
        let rest = text.strip_prefix(name).map(str::trim_start);
        if rest.is_some_and(|rest| rest.starts_with('=')) {
            return Some(Place::new(file, at..at + name.len()));
        }
        at += text.len();
    }
    None
}

/// Somebody must win: by `score`, or because the rules say who.
fn nobody_can_win(game: &Game, files: &Files) -> Option<Diagnostic> {
    let named_so = |f: &FunctionInfo| f.name == "score" && !f.is_prelude;
    let mut scripts = files.iter().filter(|file| file.path.ends_with(".rhai"));
    if game.program.functions().any(named_so) || scripts.any(|file| names_winners(&file.text)) {
        return None;
    }
    let message = "nobody could win: the scripts have no `score(p)`, and never say who won";
    let problem = Diagnostic::new(Code::NoScore, message)
        .help("write `fn score(p)`, or end the game with `end_game(reason, winners)`");
    Some(match manifests(&game.definition.id, files).next() {
        Some(file) => problem.at(&Place::top(file)),
        None => problem,
    })
}

/// Whether a script ends the game with a reason and winners.
fn names_winners(script: &str) -> bool {
    script.match_indices("end_game(").any(|(at, call)| {
        let given = &script[at + call.len()..];
        given
            .split([';', '\n'])
            .next()
            .is_some_and(|given| given.contains(','))
    })
}

fn functions(game: &Game, files: &Files) -> Vec<Diagnostic> {
    let own: Vec<&FunctionInfo> = game
        .program
        .functions()
        .filter(|f| !f.is_prelude && !f.is_closure)
        .collect();
    let mut found: Vec<Diagnostic> = own
        .iter()
        .filter(|f| f.name == "left" && f.params.len() == 1 && !f.mentioned)
        .filter(|_| !game.definition.may_leave)
        .map(|f| {
            let message = "nothing calls `left`: nobody may leave this game before its end";
            let slip = Diagnostic::new(Code::UnusedFunction, message);
            at_function(
                slip.help("write `leave = true` in `game.toml`, or remove it"),
                f,
                files,
            )
        })
        .collect();
    for (name, counts) in CALLED {
        let named: Vec<_> = own.iter().filter(|f| f.name == *name).collect();
        if named.iter().any(|f| counts.contains(&f.params.len())) {
            continue;
        }
        let takes = |n: usize| format!("{n} parameter{}", if n == 1 { "" } else { "s" });
        for function in &named {
            let wanted: Vec<String> = counts.iter().map(|n| takes(*n)).collect();
            let message = format!(
                "`{name}` must take {}, or it is never called",
                wanted.join(" or ")
            );
            found.push(at_function(
                Diagnostic::new(Code::NeverCalled, message),
                function,
                files,
            ));
        }
        let near = |f: &&&FunctionInfo| {
            counts.contains(&f.params.len()) && strsim::osa_distance(&f.name, name) == 1
        };
        if let Some(function) = own.iter().filter(|_| named.is_empty()).find(near) {
            let message = format!("no script has `{name}`, which would be called by that name");
            let mut slip = Diagnostic::new(Code::SimilarFunction, message);
            slip.help = Some(format!("is `{}` meant to be `{name}`?", function.name));
            found.push(at_function(slip, function, files));
        }
    }
    found
}

pub(super) fn at_function(slip: Diagnostic, function: &FunctionInfo, files: &Files) -> Diagnostic {
    match from_script::place(&function.path, function.span, files) {
        Some(place) => slip.at(&place),
        None => slip,
    }
}

/// Braces of prompts and of lines of the log are filled with what the call gives beside the key, so some script must give it.
fn braces(game: &Game, files: &Files) -> Vec<Diagnostic> {
    let texts = &game.definition.texts;
    let names: BTreeSet<&str> = texts
        .prompt
        .values()
        .chain(texts.log.values())
        .flat_map(super::judge::braces)
        .collect();
    let scripts = || files.iter().filter(|file| file.path.ends_with(".rhai"));
    let keys: HashSet<&str> = scripts().flat_map(|file| given_keys(&file.text)).collect();
    // A name that is no word is looked for by itself; nobody writes many of those.
    let is_word = |name: &&str| name.chars().all(in_word);
    let (words, odd): (Vec<&str>, Vec<&str>) = names.into_iter().partition(is_word);
    let odd = odd.into_iter().take(MOST_TOLD);
    let odd = odd.filter(|name| !scripts().any(|file| gives(&file.text, name)));
    let slips = words.into_iter().filter(|name| !keys.contains(name));
    slips
        .chain(odd)
        .take(MOST_TOLD)
        .map(|name| {
            let message =
                format!("no script fills `{{{name}}}`: players would read it as it stands");
            let slip = Diagnostic::new(Code::UnfilledBrace, message);
            let brace_in = |text: &str| {
                wording::pieces(text).find_map(|piece| match piece {
                    TextPiece::Brace(brace) if brace.name == name => {
                        Some(brace.written.to_string())
                    }
                    _ => None,
                })
            };
            let texts = || texts.prompt.values().chain(texts.log.values());
            let written =
                texts().find_map(|text| brace_in(&text.es).or_else(|| brace_in(&text.en)));
            let place = files.iter().find_map(|file| {
                let written = written.as_ref().filter(|_| file.path.ends_with(".toml"))?;
                let at = file.text.find(written.as_str())?;
                Some(Place::new(file, at..at + written.len()))
            });
            match place {
                Some(place) => slip.at(&place),
                None => slip,
            }
        })
        .collect()
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words of a script that stand before a colon, or in brackets that something is given to.
fn given_keys(script: &str) -> impl Iterator<Item = &str> {
    let signs = script.match_indices(':').chain(script.match_indices("] ="));
    signs.filter_map(|(at, _)| {
        let before = script[..at].trim_end_matches(['"', ' ']);
        let word = before.rsplit(|c: char| !in_word(c)).next()?;
        (!word.is_empty()).then_some(word)
    })
}

/// Whether a script has a key of this name: the name, not as the end of a longer one, and a colon.
fn gives(script: &str, name: &str) -> bool {
    script.match_indices(name).any(|(at, _)| {
        let before = script[..at].chars().next_back();
        let part_of_longer = before.is_some_and(in_word);
        let after = script[at + name.len()..].trim_start_matches(['"', ' ']);
        !part_of_longer && (after.starts_with(':') || after.starts_with("] ="))
    })
}

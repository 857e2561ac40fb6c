//! Overlays that say again what is there: a copy of a file, or of most of it, is told in one sentence.

use super::diagnostic::{Code, Diagnostic};
use super::file::{File, Place};
use super::outline::{self, Outlined};
use super::pack::BASE;
use ludoteca_vm::lexis::lex;
use std::collections::HashMap;
use std::sync::Arc;

/// Values of a file that are told one by one; more are told together.
const ONE_BY_ONE: usize = 3;

/// A file that is the same as the one it lies over.
pub fn whole(file: &Arc<File>, under: &File) -> Diagnostic {
    let message = format!("this file repeats {}", owner(&under.from));
    let problem = Diagnostic::new(Code::ChangesNothing, message).at(&Place::top(file));
    problem.help("write only what differs, or remove it")
}

/// The base, or a pack by its name.
fn owner(from: &str) -> String {
    match from {
        BASE => "the base".to_string(),
        from => format!("`{from}`"),
    }
}

/// What merging a file found, with its many repeated values told once.
pub fn once(file: &Arc<File>, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let repeats = |problem: &Diagnostic| problem.code == Code::ChangesNothing;
    let count = found.iter().filter(|problem| repeats(problem)).count();
    if count <= ONE_BY_ONE {
        return found;
    }
    let related = found.iter().find(|problem| repeats(problem));
    let related = related.and_then(|problem| problem.related.first()).cloned();
    let from = related
        .as_ref()
        .map_or(BASE, |label| &label.place.file.from);
    let message = format!(
        "this file repeats {}: {count} of its values are there already",
        owner(from)
    );
    let problem = Diagnostic::new(Code::ChangesNothing, message).at(&Place::top(file));
    let problem = problem.help("write only what differs");
    let mut others: Vec<Diagnostic> = found.into_iter().filter(|p| !repeats(p)).collect();
    others.push(problem);
    others
}

/// Functions that replace one of the same words. Files come in the order of their layers.
pub fn functions(files: &[(Arc<File>, u32)]) -> Vec<Diagnostic> {
    let mut known: HashMap<(String, usize), (usize, Outlined)> = HashMap::new();
    let mut found = Vec::new();
    for (number, (file, layer)) in files.iter().enumerate() {
        let mut again = Vec::new();
        let all = outline::functions(&file.text);
        for function in &all {
            let key = (function.name.clone(), function.parameters);
            if let Some((other, before)) = known.get(&key) {
                let (under, below) = &files[*other];
                if below < layer
                    && same(
                        &file.text[function.whole.clone()],
                        &under.text[before.whole.clone()],
                    )
                {
                    again.push((function.clone(), Place::new(under, before.named.clone())));
                }
            }
        }
        found.extend(told(file, again));
        for function in all {
            let key = (function.name.clone(), function.parameters);
            known.insert(key, (number, function));
        }
    }
    found
}

fn told(file: &Arc<File>, again: Vec<(Outlined, Place)>) -> Vec<Diagnostic> {
    if again.len() > ONE_BY_ONE {
        let message = format!(
            "this file repeats {}: {} of its functions are there already, word for word",
            owner(&again[0].1.file.from),
            again.len()
        );
        let problem = Diagnostic::new(Code::ChangesNothing, message).at(&Place::top(file));
        return vec![problem.help("write only the functions that differ")];
    }
    let one = |(function, there): (Outlined, Place)| {
        let message = format!("the function `{}` changes nothing", function.name);
        let place = Place::new(file, function.named);
        let problem = Diagnostic::new(Code::ChangesNothing, message);
        let problem = problem.labelled(&place, "it is the same word for word");
        problem
            .related(&there, "as this one")
            .help("write only what differs")
    };
    again.into_iter().map(one).collect()
}

/// Equal but for blanks, line ends and comments: a copy is rarely made with the comment above it.
fn same(a: &str, b: &str) -> bool {
    let words = |text: &str| lex(text).into_iter().filter(|part| !part.is_quiet());
    let (a_words, b_words) = (words(a), words(b));
    a_words
        .map(|part| &a[part.span])
        .eq(b_words.map(|part| &b[part.span]))
}

//! A misspelt text that went through a variable, `let which = "lampp"; holds(p, which)`, is told where it is written: there it is mended.

use super::mentions::locals::{locals, texts_given_to};
use crate::content::diagnostic::{Diagnostic, Label};
use crate::content::file::Place;
use crate::limits::MOST_TOLD;

/// Tells what is wrong with variables at the texts they were given.
pub fn told_where_written(found: &mut [Diagnostic]) {
    let of_variables = found.iter_mut().filter(|one| variable(one).is_some());
    for one in of_variables.take(MOST_TOLD) {
        let Some(written) = written(one) else {
            continue;
        };
        let used = one.at.replace(Label {
            place: written,
            text: String::new(),
        });
        one.related.extend(used.map(|label| Label {
            place: label.place,
            text: "it is used here".into(),
        }));
    }
}

/// The variable that a mistake about another name stands at.
fn variable(found: &Diagnostic) -> Option<&str> {
    let (place, name) = (&found.at.as_ref()?.place, found.name.as_deref()?);
    let said = place.file.text.get(place.span.clone())?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_script = place.file.path.ends_with(".rhai");
    (is_script && said != name && !said.is_empty() && said.chars().all(plain)).then_some(said)
}

/// Where the name is written that this variable holds, if it is in one place.
fn written(found: &Diagnostic) -> Option<Place> {
    let (place, name) = (&found.at.as_ref()?.place, found.name.as_deref()?);
    let (file, said) = (&place.file, variable(found)?);
    let mut all = locals(&file.text).into_iter();
    let local = all.find(|local| local.name == said && local.places.contains(&place.span))?;
    let texts = texts_given_to(&file.text, &local).into_iter();
    let mut texts = texts.filter(|span| {
        let text = file.text.get(span.clone()).unwrap_or_default();
        text.trim_matches('"') == name
    });
    let span = texts.next()?;
    texts.next().is_none().then(|| Place::new(file, span))
}

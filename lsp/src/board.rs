//! What was found wrong, by game and part, and as the editor is told it: file by file.

use crate::checker::{Examined, Found};
use crate::desk::Desk;
use crate::positions;
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    PublishDiagnosticsParams, Uri,
};
use ludoteca::{Diagnostic, Label, Severity, bearable};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

#[derive(Default)]
pub struct Notices {
    found: HashMap<String, BTreeMap<Examined, Vec<Diagnostic>>>,
    /// What the editor was told last, by file.
    told: HashMap<String, Arc<Vec<Diagnostic>>>,
}

/// What makes two mistakes the same, wherever in their file they are by now.
#[derive(PartialEq, Eq, Hash)]
struct Told {
    file: Option<String>,
    code: String,
    message: String,
}

impl Told {
    fn of(found: &Diagnostic) -> Told {
        let place = found.at.as_ref().map(|label| &label.place);
        Told {
            file: place.map(|place| place.file.shown.clone()),
            code: found.code.to_string(),
            message: found.message.clone(),
        }
    }
}

impl Notices {
    /// Keeps what was found and says what the editor must be told anew.
    pub fn pin(&mut self, found: Found, desk: &Desk) -> Vec<PublishDiagnosticsParams> {
        let parts = self.found.entry(found.game.clone()).or_default();
        parts.retain(
            |part, _| !matches!(part, Examined::Variant(name) if !found.variants.contains(name)),
        );
        let Found {
            mut part,
            mut diagnostics,
            ..
        } = found;
        // What is wrong with the other files of scenarios is still as it was.
        if let Examined::ScenariosIn(path) = &part {
            let others = parts.remove(&Examined::Scenarios).unwrap_or_default();
            let is_here = |one: &Diagnostic| {
                one.at
                    .as_ref()
                    .is_some_and(|label| label.place.file.path == *path)
            };
            diagnostics.extend(others.into_iter().filter(|one| !is_here(one)));
            part = Examined::Scenarios;
        }
        // What is wrong with the game is wrong with its variants too: it is the game's, so that it goes as soon as the game is mended.
        match part {
            Examined::Game => {
                let mut of_game: HashSet<Told> = diagnostics.iter().map(Told::of).collect();
                let before = parts.get(&Examined::Game).cloned().unwrap_or_default();
                of_game.extend(before.iter().map(Told::of));
                for others in parts.values_mut() {
                    others.retain(|one| !of_game.contains(&Told::of(one)));
                }
            }
            _ => {
                let of_game = parts.get(&Examined::Game).into_iter().flatten();
                let of_game: HashSet<Told> = of_game.map(Told::of).collect();
                diagnostics.retain(|one| !of_game.contains(&Told::of(one)));
            }
        }
        parts.insert(part, diagnostics);
        self.news(desk)
    }

    /// A game nobody edits any more is not spoken of.
    pub fn forget(&mut self, games: &[String], desk: &Desk) -> Vec<PublishDiagnosticsParams> {
        self.found.retain(|game, _| games.contains(game));
        self.news(desk)
    }

    fn news(&mut self, desk: &Desk) -> Vec<PublishDiagnosticsParams> {
        let mut in_files: HashMap<&str, Vec<&Diagnostic>> = HashMap::new();
        for diagnostic in self.found.values().flat_map(BTreeMap::values).flatten() {
            if let Some(label) = &diagnostic.at {
                let shown = label.place.file.shown.as_str();
                in_files.entry(shown).or_default().push(diagnostic);
            }
        }
        let listed = in_files.into_iter();
        let mut by_file: HashMap<String, Vec<Diagnostic>> = listed
            .map(|(shown, list)| (shown.to_string(), sorted(list)))
            .collect();
        let gone = self
            .told
            .keys()
            .filter(|shown| !by_file.contains_key(*shown));
        let gone: Vec<String> = gone.cloned().collect();
        by_file.extend(gone.into_iter().map(|shown| (shown, Vec::new())));
        let mut news = Vec::new();
        for (shown, list) in by_file {
            if self.told.get(&shown).is_some_and(|told| **told == list) {
                continue;
            }
            let params = desk.uri_shown(&shown).map(|uri| PublishDiagnosticsParams {
                version: desk
                    .sheet_shown(&shown)
                    .and_then(|sheet| desk.version(&sheet)),
                diagnostics: list.iter().map(|found| told(found, desk)).collect(),
                uri,
            });
            news.extend(params);
            match list.is_empty() {
                true => drop(self.told.remove(&shown)),
                false => drop(self.told.insert(shown, Arc::new(list))),
            }
        }
        news
    }

    /// What the editor knows to be wrong in a file.
    pub fn in_file(&self, shown: &str) -> Arc<Vec<Diagnostic>> {
        self.told.get(shown).cloned().unwrap_or_default()
    }
}

/// What is wrong with a file, from its beginning, each thing once, as far as anybody reads.
fn sorted(mut list: Vec<&Diagnostic>) -> Vec<Diagnostic> {
    let start = |found: &Diagnostic| found.at.as_ref().map(|label| label.place.span.start);
    list.sort_by(|a, b| {
        let by_place = start(a).cmp(&start(b));
        by_place.then_with(|| (a.code, &a.message).cmp(&(b.code, &b.message)))
    });
    list.dedup();
    bearable(list)
}

/// A mistake in the editor's form: the same code, words and help as `check` has.
pub fn told(found: &Diagnostic, desk: &Desk) -> lsp_types::Diagnostic {
    let range = found.at.as_ref().map(|label| {
        let file = &label.place.file;
        let span = label.place.span.clone();
        // Of a long table the first line.
        let line = file.text.get(span.clone()).and_then(|text| text.find('\n'));
        positions::positions(
            &file.text,
            span.start..line.map_or(span.end, |at| span.start + at),
        )
    });
    let mut message = found.message.clone();
    if let Some(label) = found.at.as_ref().filter(|label| !label.text.is_empty()) {
        message = format!("{message} ({})", label.text);
    }
    if let Some(help) = &found.help {
        message = format!("{message}\n{help}");
    }
    let code = match found.code.id() {
        "" => found.code.slug(),
        id => id,
    };
    let related = found
        .related
        .iter()
        .filter_map(|label| related(label, desk));
    let related: Vec<_> = related.collect();
    lsp_types::Diagnostic {
        range: range.unwrap_or_default(),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(code.to_string())),
        source: Some("ludoteca".into()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    }
}

fn related(label: &Label, desk: &Desk) -> Option<DiagnosticRelatedInformation> {
    let file = &label.place.file;
    let uri: Uri = desk.uri_shown(&file.shown)?;
    let range = positions::positions(&file.text, label.place.span.clone());
    Some(DiagnosticRelatedInformation {
        location: Location { uri, range },
        message: match label.text.is_empty() {
            true => "here".into(),
            false => label.text.clone(),
        },
    })
}

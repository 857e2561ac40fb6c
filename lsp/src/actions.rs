//! What can be done about a place: every fix `check` knows, a text in both languages where one is missing, a scenario for a card.

use crate::board::{self, Notices};
use crate::desk::{Desk, EditedFile};
use crate::page::Page;
use crate::positions::positions;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CreateFile, DocumentChangeOperation,
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, Range as Positions,
    ResourceOp, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use ludoteca::{
    Code, Diagnostic,
    definition::{Definition, ZoneOf},
    mentions::{Name, Sort, Wants, cursor},
    pack::SCENARIOS,
};
use std::collections::HashMap;

pub fn actions(
    desk: &mut Desk,
    board: &Notices,
    uri: &Uri,
    range: Positions,
) -> Vec<CodeActionOrCommand> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let (from, until) = (page.byte(range.start), page.byte(range.end));
    let mut found: Vec<CodeAction> = Vec::new();
    for diagnostic in board.in_file(&page.shown).iter() {
        let Some(label) = &diagnostic.at else {
            continue;
        };
        if label.place.span.start > until || label.place.span.end < from {
            continue;
        }
        found.extend(fix(desk, diagnostic));
        found.extend(other_language(desk, &page, uri, diagnostic));
    }
    // What is wrong with a name begins at its quote, and the name behind it.
    let named = new_text(desk, &page, from).or_else(|| new_text(desk, &page, from + 1));
    found.extend(named);
    found.extend(new_scenario(desk, &page, from));
    found
        .into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// What `check` says would mend it.
fn fix(desk: &Desk, diagnostic: &Diagnostic) -> Option<CodeAction> {
    let fix = diagnostic.fix()?;
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in fix.edits {
        let file = &edit.place.file;
        let sheet = desk.sheet_shown(&file.shown)?;
        // What was checked must still be what is there.
        if desk.text(&sheet).as_deref() != Some(file.text.as_str()) {
            return None;
        }
        let list = changes.entry(desk.uri(&sheet)?).or_default();
        list.push(TextEdit {
            range: positions(&file.text, edit.place.span.clone()),
            new_text: edit.text,
        });
    }
    Some(CodeAction {
        title: fix.title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![board::told(diagnostic, desk)]),
        edit: Some(WorkspaceEdit {
            changes: Some(changes),
            ..WorkspaceEdit::default()
        }),
        is_preferred: Some(true),
        ..CodeAction::default()
    })
}

/// A text that has one language gets the other, to be translated.
fn other_language(
    desk: &Desk,
    page: &Page,
    uri: &Uri,
    diagnostic: &Diagnostic,
) -> Option<CodeAction> {
    if diagnostic.code != Code::MissingTranslation {
        return None;
    }
    let span = diagnostic.at.as_ref()?.place.span.clone();
    let written = page.text.get(span.clone())?;
    let open = written.find('{')?;
    let (given, missing, language) = match (written.contains("es ="), written.contains("en =")) {
        (true, false) => ("es", "en", "English"),
        (false, true) => ("en", "es", "Spanish"),
        _ => return None,
    };
    let after = written[open..]
        .split_once(&format!("{given} ="))?
        .1
        .trim_start();
    let quoted = after.strip_prefix('"')?;
    let text = &quoted[..quoted.find('"')?];
    let close = span.start + written.rfind('}')?;
    let before = page.text.get(..close)?.trim_end().len();
    Some(CodeAction {
        title: format!("add the {language} text, to be translated"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![board::told(diagnostic, desk)]),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(
                uri.clone(),
                vec![TextEdit {
                    range: page.positions(before..close),
                    new_text: format!(", {missing} = \"{text}\" "),
                }],
            )])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    })
}

/// The sections of texts that calls name.
const SECTIONS: [(Sort, &str); 4] = [
    (Sort::Prompt, "prompt"),
    (Sort::Option, "option"),
    (Sort::Log, "log"),
    (Sort::Reason, "reason"),
];

/// A prompt, an option, a line or a reason that a call names and no text has.
fn new_text(desk: &mut Desk, page: &Page, byte: usize) -> Option<CodeAction> {
    if !page.is_script() {
        return None;
    }
    let cursor::CursorAt::Text(Wants::Sorts(sorts), span) = cursor::in_script(&page.text, byte)
    else {
        return None;
    };
    let [sort] = sorts[..] else { return None };
    let (_, section) = SECTIONS.into_iter().find(|(of, _)| *of == sort)?;
    let id = page.text.get(span)?;
    let known = page.known.as_ref()?;
    let is_there = |name: &Name| name.sort == sort && name.id == id;
    if id.is_empty() || id.contains(['"', '\\', '\n']) || known.mentions.names.iter().any(is_there)
    {
        return None;
    }
    let sheet = EditedFile::beside(&page.sheet, format!("cards/{}/text.toml", page.game));
    let line = format!("\"{id}\" = {{ es = \"{id}\", en = \"{id}\" }}\n");
    let title = format!("add the {section} `{id}` to the texts, in both languages");
    let old = desk.text(&sheet);
    let header = format!("[{section}]");
    let edit = match old
        .as_deref()
        .and_then(|text| end_of_table(text, &header).map(|at| (text, at)))
    {
        Some((text, at)) => write_into(desk, &sheet, text, at, line)?,
        None => append(
            desk,
            &sheet,
            old.as_deref(),
            format!("{header}\n{line}"),
            "#:schema ../../schemas/text.json\n",
        )?,
    };
    Some(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(edit),
        ..CodeAction::default()
    })
}

/// Where the last line of a table ends.
fn end_of_table(text: &str, header: &str) -> Option<usize> {
    let mut at = 0;
    let mut inside = false;
    let mut end = None;
    for line in text.split_inclusive('\n') {
        let told = line.trim();
        if inside && told.starts_with('[') {
            return end;
        }
        inside |= told == header;
        at += line.len();
        if inside && !told.is_empty() && !told.starts_with('#') {
            end = Some(at);
        }
    }
    end
}

/// A card that no scenario speaks of gets one to begin with.
fn new_scenario(desk: &mut Desk, page: &Page, byte: usize) -> Option<CodeAction> {
    let known = page.known.clone()?;
    let here = page.mentions(byte);
    let card = here
        .iter()
        .find(|m| m.is_definition && known.mentions.name(m.name).sort == Sort::Card)?;
    let id = &known.mentions.name(card.name).id;
    let mut all = known.mentions.of(card.name);
    if all.any(|mention| mention.place.file.path.starts_with(SCENARIOS)) {
        return None;
    }
    let text = scenario(&known.loaded.definition, id)?;
    let sheet = EditedFile::beside(&page.sheet, format!("{SCENARIOS}{}/cards.toml", page.game));
    let old = desk.text(&sheet);
    let opening = format!(
        "#:schema ../../../schemas/scenario.json\ngame = \"{}\"\n",
        page.game
    );
    Some(CodeAction {
        title: format!("write a scenario for `{id}`"),
        kind: Some(CodeActionKind::REFACTOR),
        edit: Some(append(desk, &sheet, old.as_deref(), text, &opening)?),
        ..CodeAction::default()
    })
}

/// A scenario with the card in a zone, the first step of a round, and the card where it was.
fn scenario(definition: &Definition, id: &str) -> Option<String> {
    let card = definition.cards.iter().find(|card| card.id == id)?;
    let zones = || definition.zones.iter();
    let zone = zones()
        .find(|zone| zone.of == ZoneOf::Player)
        .or_else(|| zones().find(|zone| zone.of == ZoneOf::Game))?;
    let place = match zone.of {
        ZoneOf::Player => format!("\"{}.0\"", zone.name),
        _ => zone.name.clone(),
    };
    let step = definition.phases.first()?;
    let call = match step.each_player {
        true => format!("{}(p0)", step.step.name),
        false => format!("{}()", step.step.name),
    };
    let title = card.name.en.replace('"', "'");
    Some(format!(
        "[[scenario]]\ntitle = \"{title}: what it does\"\nplayers = {}\nrun = [\"{call}\"]\n[scenario.state.zones]\n{place} = [\"{id}\"]\n[scenario.expect.zones]\n{place} = [\"{id}\"]\n",
        definition.players.0
    ))
}

fn write_into(
    desk: &Desk,
    sheet: &EditedFile,
    text: &str,
    at: usize,
    new_text: String,
) -> Option<WorkspaceEdit> {
    let new_text = match text[..at].ends_with('\n') {
        true => new_text,
        false => format!("\n{new_text}"),
    };
    let edit = TextEdit {
        range: positions(text, at..at),
        new_text,
    };
    Some(WorkspaceEdit {
        changes: Some(HashMap::from([(desk.uri(sheet)?, vec![edit])])),
        ..WorkspaceEdit::default()
    })
}

/// At the end of a file, which is made if it is not there.
fn append(
    desk: &Desk,
    sheet: &EditedFile,
    old: Option<&str>,
    text: String,
    opening: &str,
) -> Option<WorkspaceEdit> {
    if let Some(old) = old {
        return write_into(desk, sheet, old, old.len(), format!("\n{text}"));
    }
    let uri = desk.uri(sheet)?;
    let create = DocumentChangeOperation::Op(ResourceOp::Create(CreateFile {
        uri: uri.clone(),
        options: None,
        annotation_id: None,
    }));
    let write = DocumentChangeOperation::Edit(TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(TextEdit {
            range: Positions::default(),
            new_text: format!("{opening}\n{text}"),
        })],
    });
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(vec![create, write])),
        ..WorkspaceEdit::default()
    })
}

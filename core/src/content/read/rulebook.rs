//! The rulebook of a game: `scripts/<game>/rulebook.es.md` and `.en.md`, in topics that have an id and quote the game's numbers.

use super::prose::Quotes;
use super::reader::Reader;
use crate::content::definition::{Language, Text, Topic};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::{File, Place};
use crate::content::legible::illegible;
use crate::content::tree::unreadable;
use crate::limits::{LARGEST_RULEBOOK, LONGEST_STRING, MOST_TOPICS};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The files of all layers, in their order.
#[derive(Debug, Default)]
pub struct Rulebooks {
    es: Vec<Arc<File>>,
    en: Vec<Arc<File>>,
}

/// One topic as it is written in one language.
#[derive(Debug, Clone)]
struct Section {
    id: String,
    title: String,
    heading: Place,
    body: Place,
}

impl Rulebooks {
    pub fn add(&mut self, language: Language, file: Arc<File>) {
        match language {
            Language::Es => self.es.push(file),
            Language::En => self.en.push(file),
        }
    }
}

/// The topics in both languages, each number as the game has it.
pub fn read(files: &Rulebooks, quotes: &Quotes<'_>, reader: &mut Reader) -> Vec<Topic> {
    let es = layered(&files.es, reader);
    let en = layered(&files.en, reader);
    let (in_es, in_en) = (by_id(&es), by_id(&en));
    let lost = lost_rulebook(files);
    let is_whole = lost.is_none();
    if let Some(problem) = lost {
        reader.report(problem);
    }
    for (written, other, language) in [(&es, &in_en, "English"), (&en, &in_es, "Spanish")] {
        for section in written.iter().filter(|_| is_whole) {
            if !other.contains_key(&*section.id) {
                let message = format!("the {language} rulebook has no topic `{}`", section.id);
                let problem = Diagnostic::new(Code::MissingTranslation, message);
                reader.report(problem.at(&section.heading));
            }
        }
    }
    let mut topics = Vec::new();
    for section in &es {
        let Some(english) = in_en.get(&*section.id) else {
            continue;
        };
        let (es_title, es_text) = section.filled(quotes, Language::Es, reader);
        let (en_title, en_text) = english.filled(quotes, Language::En, reader);
        topics.push(Topic {
            id: section.id.clone(),
            title: Text {
                es: es_title,
                en: en_title,
            },
            text: Text {
                es: es_text,
                en: en_text,
            },
        });
    }
    topics
}

/// Where one language has a rulebook and the other has none, that is one thing to say, not one for each topic.
fn lost_rulebook(files: &Rulebooks) -> Option<Diagnostic> {
    let (there, language, ending) = match (&*files.es, &*files.en) {
        ([es, ..], []) => (es, "English", "en"),
        ([], [en, ..]) => (en, "Spanish", "es"),
        _ => return None,
    };
    let message = format!("there is no {language} rulebook: is a file missing?");
    let problem = Diagnostic::new(Code::MissingTranslation, message).at(&Place::top(there));
    let folder = there.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    Some(problem.help(format!("it is {folder}/rulebook.{ending}.md")))
}

fn by_id(sections: &[Section]) -> BTreeMap<&str, &Section> {
    let named = sections.iter().map(|section| (&*section.id, section));
    named.collect()
}

/// The sections of all layers: a later one replaces those of its ids, and puts new ones after the one it has before them.
fn layered(files: &[Arc<File>], reader: &mut Reader) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for file in files {
        let mut written = sections(file, reader);
        written.retain(|section| {
            let fits = section.text().len() <= LONGEST_STRING;
            if !fits {
                let message = format!("a topic has at most {LONGEST_STRING} bytes");
                let problem = Diagnostic::new(Code::OutOfRange, message);
                reader.report(problem.at(&section.heading));
            }
            fits
        });
        if written.len() > MOST_TOPICS {
            let message = format!("a rulebook has at most {MOST_TOPICS} topics");
            let problem = Diagnostic::new(Code::OutOfRange, message);
            reader.report(problem.at(&written[MOST_TOPICS].heading));
        }
        let mut after: Option<String> = None;
        let mut own: Vec<String> = Vec::new();
        for section in written.into_iter().take(MOST_TOPICS) {
            let id = section.id.clone();
            if own.contains(&id) {
                let message = format!("the topic `{id}` is there twice");
                let problem = Diagnostic::new(Code::DuplicateId, message);
                reader.report(problem.at(&section.heading));
                continue;
            }
            match all.iter().position(|known| known.id == id) {
                Some(known) if all[known].says(&section) => {
                    let message = format!("the topic `{id}` changes nothing");
                    let problem = Diagnostic::new(Code::ChangesNothing, message);
                    reader.report(problem.at(&section.heading));
                }
                Some(known) => all[known] = section,
                None => {
                    let before = after.and_then(|id| all.iter().position(|s| s.id == id));
                    all.insert(before.map_or(all.len(), |at| at + 1), section);
                }
            }
            own.push(id.clone());
            after = Some(id);
        }
    }
    all
}

/// A file cut at its headings of the first and second level.
fn sections(file: &Arc<File>, reader: &mut Reader) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    if file.text.len() > LARGEST_RULEBOOK {
        let message = format!("a rulebook has at most {LARGEST_RULEBOOK} bytes");
        let place = Place::new(file, 0..0);
        reader.report(Diagnostic::new(Code::OutOfRange, message).at(&place));
        return found;
    }
    let mut at = 0;
    for line in file.text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let place = Place::new(file, start..start + line.trim_end().len());
        if let Some(problem) = unreadable(illegible(line), &place) {
            reader.report(problem);
        }
        let heading = line.strip_prefix("# ").or_else(|| line.strip_prefix("## "));
        let Some(heading) = heading else {
            match found.last_mut() {
                Some(section) => section.body.span.end = end,
                None if line.trim().is_empty() => {}
                None => {
                    reader.report(bad_heading("a rulebook begins with a heading", &place));
                    return found;
                }
            }
            continue;
        };
        let named = heading.trim().strip_suffix('}');
        let Some((title, id)) = named.and_then(|named| named.rsplit_once("{#")) else {
            reader.report(bad_heading("the heading has no id", &place));
            continue;
        };
        reader.id(id, &place);
        found.push(Section {
            id: id.to_string(),
            title: title.trim().to_string(),
            heading: place,
            body: Place::new(file, end..end),
        });
    }
    found
}

fn bad_heading(message: &str, place: &Place) -> Diagnostic {
    let problem = Diagnostic::new(Code::BadHeading, message).at(place);
    problem.help("write `## A round {#round}`: the id names the topic in both languages")
}

impl Section {
    fn text(&self) -> &str {
        &self.body.file.text[self.body.span.clone()]
    }

    fn says(&self, other: &Section) -> bool {
        self.title == other.title && self.text().trim() == other.text().trim()
    }

    /// Title and text with their numbers.
    fn filled(
        &self,
        quotes: &Quotes<'_>,
        language: Language,
        reader: &mut Reader,
    ) -> (String, String) {
        let (title, wrong) = quotes.fill(&self.title, language);
        for found in wrong {
            reader.report(found.problem.at(&self.heading));
        }
        let (text, wrong) = quotes.fill(self.text(), language);
        for found in wrong {
            let start = self.body.span.start + found.at;
            let place = Place::new(&self.body.file, start..start + found.length);
            reader.report(found.problem.at(&place));
        }
        (title, text.replace("\r\n", "\n").trim().to_string())
    }
}

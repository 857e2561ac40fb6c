//! What lenses do, each on a thread of its own so that nobody waits: a scenario is run as it stands on the page, a variant is compared and
//! its report opened.

use crate::compare::{Comparison, Running};
use crate::desk::Desk;
use crate::page::Page;
use crossbeam_channel::Sender;
use lsp_types::{MessageType, ProgressParams, Uri};
use ludoteca::Suite;
use serde_json::Value;
use std::path::PathBuf;
use std::thread;

pub const RUN: &str = "ludoteca.runScenario";
pub const COMPARE: &str = "ludoteca.compareVariant";

/// What a command has to say when it is done.
pub enum Said {
    Message(MessageType, String),
    /// A page to be opened outside of the editor.
    Page(PathBuf),
    /// How far something is that takes a while.
    Progress(ProgressParams),
}

/// Starts a command. What is wrong with how it was asked for comes back at once; what takes a while and may be left off, too.
pub fn start(
    desk: &mut Desk,
    tool: Option<PathBuf>,
    name: &str,
    given: &[Value],
    say: Sender<Said>,
) -> Result<Option<Running>, String> {
    let text = |n: usize| given.get(n).and_then(Value::as_str).map(str::to_string);
    let uri = text(0).and_then(|uri| uri.parse::<Uri>().ok());
    let page = uri
        .and_then(|uri| Page::open(desk, &uri))
        .ok_or("this file belongs to no pack")?;
    match name {
        RUN => {
            let title = text(1).ok_or("which scenario?")?;
            let library = desk.library();
            let shown = page.shown.clone();
            spawn(move || {
                let files = library.scenarios(Some(&page.game));
                let files: Vec<_> = files
                    .into_iter()
                    .filter(|item| item.file.shown == shown)
                    .collect();
                let (mut suite, problems) = Suite::read(&library, &files);
                suite
                    .entries
                    .retain(|entry| entry.scenario.title.value == title);
                let tried = suite.run(&library);
                let failures = tried.iter().flat_map(|tried| &tried.failures);
                let failures: Vec<String> = failures
                    .map(|f| format!("{}: {}", f.place, f.message))
                    .collect();
                let said = match (suite.entries.is_empty(), failures.is_empty()) {
                    (true, _) => {
                        let why = problems
                            .first()
                            .map_or_else(String::new, |problem| format!(": {problem}"));
                        Said::Message(MessageType::ERROR, format!("cannot run “{title}”{why}"))
                    }
                    (_, true) => Said::Message(MessageType::INFO, format!("✓ {title}")),
                    (_, false) => Said::Message(
                        MessageType::ERROR,
                        format!("✗ {title}\n{}", failures.join("\n")),
                    ),
                };
                let _ = say.send(said);
            })
            .map(|()| None)
        }
        COMPARE => {
            let (game, variant) = text(1).zip(text(2)).ok_or("which variant of which game?")?;
            let tool = tool.ok_or("comparing needs the command `ludoteca`")?;
            let root = desk
                .root(&page.sheet)
                .ok_or("this file belongs to no folder")?
                .to_path_buf();
            let report = std::env::temp_dir().join(format!("ludoteca-{game}-{variant}.html"));
            let comparison = Comparison {
                game,
                variant,
                root,
                report,
            };
            comparison.start(&tool, say).map(Some)
        }
        _ => Err(format!("there is no command `{name}`")),
    }
}

pub fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let thread = thread::Builder::new()
        .name("command".into())
        .stack_size(16 << 20);
    let started = thread.spawn(work);
    started.map(drop).map_err(|error| error.to_string())
}

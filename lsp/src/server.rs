//! The conversation with an editor: what it asks is answered in order, what it writes is examined beside that.

use crate::board::Notices;
use crate::checker::{Checker, EditedNow};
use crate::commands::{self, Said};
use crate::compare::{GAMES, Running};
use crate::desk::Desk;
use crate::{
    actions, colours, complete, folding, greeting, hover, lenses, navigate, positions, rename,
    signature, symbols, uri,
};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{notification as told, request as asked, *};
use ludoteca::pack::SCENARIOS;
use ludoteca::{PackSource, format};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why the conversation ended otherwise than by leave.
#[derive(Debug, Error)]
pub enum Failed {
    #[error("the editor does not speak the protocol: {0}")]
    Protocol(#[from] lsp_server::ProtocolError),
    #[error("what the editor says of itself cannot be read: {0}")]
    Greeting(#[from] serde_json::Error),
    #[error("no thread can be had: {0}")]
    System(#[from] std::io::Error),
    #[error("{0}")]
    Content(String),
}

/// Opens the packs one edits, in the folder the editor has open.
pub type Open<'a> = dyn Fn(Option<&Path>) -> Result<Vec<PackSource>, String> + 'a;

/// What the server stands on.
pub struct Options<'a> {
    pub open: &'a Open<'a>,
    /// The command `ludoteca`, for what lenses start.
    pub tool: Option<PathBuf>,
}

/// Speaks over standard input and output until the editor says goodbye.
pub fn serve_stdio(options: &Options<'_>) -> Result<(), Failed> {
    let (connection, threads) = Connection::stdio();
    let result = serve(&connection, options);
    drop(connection);
    result.and_then(|()| Ok(threads.join()?))
}

/// Speaks over a connection until the editor says goodbye.
pub fn serve(connection: &Connection, options: &Options<'_>) -> Result<(), Failed> {
    let (id, hello) = connection.initialize_start()?;
    let hello: InitializeParams = serde_json::from_value(hello)?;
    let answer = json!({
        "capabilities": greeting::capabilities(),
        "serverInfo": { "name": "ludoteca", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer)?;
    let folder = greeting::root(&hello);
    let packs = (options.open)(folder.as_deref()).map_err(Failed::Content)?;
    let (say, said) = unbounded();
    let watches = hello
        .capabilities
        .workspace
        .as_ref()
        .and_then(|workspace| workspace.did_change_watched_files)
        .is_some_and(|files| files.dynamic_registration == Some(true));
    let window = hello.capabilities.window.as_ref();
    let mut server = Server {
        desk: Desk::new(packs),
        board: Notices::default(),
        checker: Checker::start()?,
        editor: connection.sender.clone(),
        tool: options.tool.clone(),
        say,
        running: Vec::new(),
        shows_progress: window.is_some_and(|window| window.work_done_progress == Some(true)),
        next_request: 0,
    };
    if watches {
        server.watch_files();
    }
    if let Some(folder) = folder.filter(|folder| !server.desk.has_pack_at(folder)) {
        server.tell::<told::ShowMessage>(greeting::no_pack(&folder));
    }
    let ended = server.listen(connection, &said);
    server.running.iter().for_each(Running::end);
    ended
}

struct Server {
    desk: Desk,
    board: Notices,
    checker: Checker,
    editor: Sender<Message>,
    tool: Option<PathBuf>,
    say: Sender<Said>,
    /// What takes a while and may be left off.
    running: Vec<Running>,
    shows_progress: bool,
    next_request: i32,
}

impl Server {
    fn listen(&mut self, connection: &Connection, said: &Receiver<Said>) -> Result<(), Failed> {
        let found = self.checker.found.clone();
        loop {
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if connection.handle_shutdown(&request)? {
                            return Ok(());
                        }
                        let answer = self.answer(request);
                        self.send(Message::Response(answer));
                    }
                    Ok(Message::Notification(notification)) => self.hear(notification),
                    // Answers to what we asked: the editor did it or not.
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Ok(()),
                },
                recv(found) -> found => if let Ok(found) = found {
                    for news in self.board.pin(found, &self.desk) {
                        self.tell::<told::PublishDiagnostics>(news);
                    }
                },
                recv(said) -> said => if let Ok(said) = said {
                    self.pass_on(said);
                },
            }
        }
    }

    /// An editor that is gone hears nothing, which ends the conversation soon.
    fn send(&self, message: Message) {
        let _ = self.editor.send(message);
    }

    fn tell<N: told::Notification>(&self, params: N::Params)
    where
        N::Params: Serialize,
    {
        let method = N::METHOD.to_string();
        self.send(Message::Notification(Notification::new(method, params)));
    }

    fn ask<R: asked::Request>(&mut self, params: R::Params)
    where
        R::Params: Serialize,
    {
        self.next_request += 1;
        let id = RequestId::from(self.next_request);
        self.send(Message::Request(Request::new(
            id,
            R::METHOD.to_string(),
            params,
        )));
    }

    /// Files that change on disk are to be told.
    fn watch_files(&mut self) {
        let watcher = |glob: &str| FileSystemWatcher {
            glob_pattern: GlobPattern::String(glob.into()),
            kind: None,
        };
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: vec![
                watcher("**/*.toml"),
                watcher("**/*.rhai"),
                watcher("**/rulebook.*.md"),
            ],
        };
        let registration = Registration {
            id: "files".into(),
            method: told::DidChangeWatchedFiles::METHOD.into(),
            register_options: serde_json::to_value(options).ok(),
        };
        self.ask::<asked::RegisterCapability>(RegistrationParams {
            registrations: vec![registration],
        });
    }

    /// Something takes a while: the editor shows how far it is if it can, and says when it is to end.
    fn begun(&mut self, running: Running) {
        match self.shows_progress {
            true => self.ask::<asked::WorkDoneProgressCreate>(WorkDoneProgressCreateParams {
                token: running.token.clone(),
            }),
            false => self.tell::<told::ShowMessage>(ShowMessageParams {
                typ: MessageType::INFO,
                message: format!("{GAMES} games a side: the report opens when they are played"),
            }),
        }
        self.running.push(running);
    }

    fn pass_on(&mut self, said: Said) {
        match said {
            Said::Progress(progress) => {
                if let ProgressParamsValue::WorkDone(WorkDoneProgress::End(_)) = &progress.value {
                    self.running.retain(|other| other.token != progress.token);
                }
                if self.shows_progress {
                    self.tell::<told::Progress>(progress);
                }
            }
            Said::Message(typ, message) => {
                self.tell::<told::ShowMessage>(ShowMessageParams { typ, message })
            }
            Said::Page(page) => {
                let message = format!("the report is in {}", page.display());
                self.tell::<told::ShowMessage>(ShowMessageParams {
                    typ: MessageType::INFO,
                    message,
                });
                if let Some(uri) = uri::uri(&page) {
                    self.ask::<asked::ShowDocument>(ShowDocumentParams {
                        uri,
                        external: Some(true),
                        take_focus: Some(true),
                        selection: None,
                    });
                }
            }
        }
    }

    /// A fault of ours costs an answer, not the conversation.
    fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        match catch_unwind(AssertUnwindSafe(|| self.work(request))) {
            Ok(Ok(result)) => Response::new_ok(id, result),
            Ok(Err(refused)) => Response::new_err(id, refused.code as i32, refused.message),
            Err(_) => {
                let message =
                    "a fault of ludoteca's own: what was asked for cannot be answered".to_string();
                Response::new_err(id, ErrorCode::InternalError as i32, message)
            }
        }
    }

    fn work(&mut self, request: Request) -> Result<Value, Refused> {
        let Request { method, params, .. } = request;
        let (desk, board) = (&mut self.desk, &self.board);
        match method.as_str() {
            asked::Completion::METHOD => {
                let CompletionParams {
                    text_document_position: at,
                    ..
                } = read(params)?;
                done(complete::complete(desk, &at.text_document.uri, at.position))
            }
            asked::ResolveCompletionItem::METHOD => done(complete::resolve(desk, read(params)?)),
            asked::HoverRequest::METHOD => {
                let HoverParams {
                    text_document_position_params: at,
                    ..
                } = read(params)?;
                done(hover::hover(desk, &at.text_document.uri, at.position))
            }
            asked::SignatureHelpRequest::METHOD => {
                let SignatureHelpParams {
                    text_document_position_params: at,
                    ..
                } = read(params)?;
                done(signature::signature(
                    desk,
                    &at.text_document.uri,
                    at.position,
                ))
            }
            asked::GotoDefinition::METHOD => {
                let GotoDefinitionParams {
                    text_document_position_params: at,
                    ..
                } = read(params)?;
                done(navigate::definition(
                    desk,
                    &at.text_document.uri,
                    at.position,
                ))
            }
            asked::References::METHOD => {
                let ReferenceParams {
                    text_document_position: at,
                    context,
                    ..
                } = read(params)?;
                done(navigate::references(
                    desk,
                    &at.text_document.uri,
                    at.position,
                    context.include_declaration,
                ))
            }
            asked::DocumentHighlightRequest::METHOD => {
                let DocumentHighlightParams {
                    text_document_position_params: at,
                    ..
                } = read(params)?;
                done(navigate::highlights(
                    desk,
                    &at.text_document.uri,
                    at.position,
                ))
            }
            asked::PrepareRenameRequest::METHOD => {
                let at: TextDocumentPositionParams = read(params)?;
                match rename::prepare(desk, &at.text_document.uri, at.position) {
                    Ok(found) => done(found),
                    Err(why) => Err(Refused::because(why.to_string())),
                }
            }
            asked::Rename::METHOD => {
                let RenameParams {
                    text_document_position: at,
                    new_name,
                    ..
                } = read(params)?;
                match rename::rename(desk, &at.text_document.uri, at.position, &new_name) {
                    Ok(edit) => done(edit),
                    Err(why) => Err(Refused::because(why.to_string())),
                }
            }
            asked::DocumentSymbolRequest::METHOD => {
                let DocumentSymbolParams { text_document, .. } = read(params)?;
                done(symbols::of_file(desk, &text_document.uri))
            }
            asked::WorkspaceSymbolRequest::METHOD => {
                let WorkspaceSymbolParams { query, .. } = read(params)?;
                done(symbols::of_all(desk, &query))
            }
            asked::FoldingRangeRequest::METHOD => {
                let FoldingRangeParams { text_document, .. } = read(params)?;
                done(folding::folding(desk, &text_document.uri))
            }
            asked::SemanticTokensFullRequest::METHOD => {
                let SemanticTokensParams { text_document, .. } = read(params)?;
                let data = colours::colours(desk, &text_document.uri);
                done(SemanticTokens {
                    result_id: None,
                    data,
                })
            }
            asked::CodeActionRequest::METHOD => {
                let CodeActionParams {
                    text_document,
                    range,
                    ..
                } = read(params)?;
                done(actions::actions(desk, board, &text_document.uri, range))
            }
            asked::CodeLensRequest::METHOD => {
                let CodeLensParams { text_document, .. } = read(params)?;
                done(lenses::lenses(desk, &text_document.uri))
            }
            asked::ExecuteCommand::METHOD => {
                let ExecuteCommandParams {
                    command, arguments, ..
                } = read(params)?;
                let begun = commands::start(
                    desk,
                    self.tool.clone(),
                    &command,
                    &arguments,
                    self.say.clone(),
                );
                if let Some(running) = begun.map_err(Refused::because)? {
                    self.begun(running);
                }
                Ok(Value::Null)
            }
            asked::Formatting::METHOD => {
                let DocumentFormattingParams { text_document, .. } = read(params)?;
                done(formatted(desk, &text_document.uri))
            }
            _ => Err(Refused {
                code: ErrorCode::MethodNotFound,
                message: format!("`{method}` is not something ludoteca does"),
            }),
        }
    }

    fn hear(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // What cannot be read has nobody to answer to.
        match method.as_str() {
            told::DidOpenTextDocument::METHOD => {
                if let Ok(DidOpenTextDocumentParams { text_document: it }) =
                    serde_json::from_value(params)
                    && let Some(sheet) = self.desk.sheet(&it.uri)
                {
                    self.desk.write(&sheet, it.text, it.version);
                    self.examine([sheet.path.as_str()]);
                }
            }
            told::DidChangeTextDocument::METHOD => {
                if let Ok(change) = serde_json::from_value(params) {
                    self.change(change);
                }
            }
            told::DidCloseTextDocument::METHOD => {
                if let Ok(DidCloseTextDocumentParams { text_document: it }) =
                    serde_json::from_value(params)
                    && let Some(sheet) = self.desk.sheet(&it.uri)
                {
                    self.desk.close(&sheet);
                    let games = self.desk.open_games();
                    self.checker.forget(&games);
                    for news in self.board.forget(&games, &self.desk) {
                        self.tell::<told::PublishDiagnostics>(news);
                    }
                    self.examine([sheet.path.as_str()]);
                }
            }
            told::WorkDoneProgressCancel::METHOD => {
                if let Ok(WorkDoneProgressCancelParams { token }) = serde_json::from_value(params) {
                    let meant = self.running.iter().filter(|running| running.token == token);
                    meant.for_each(Running::end);
                }
            }
            told::DidSaveTextDocument::METHOD => {
                if let Ok(DidSaveTextDocumentParams {
                    text_document: it, ..
                }) = serde_json::from_value(params)
                {
                    self.look_again(&[it.uri]);
                }
            }
            told::DidChangeWatchedFiles::METHOD => {
                if let Ok(DidChangeWatchedFilesParams { changes }) = serde_json::from_value(params)
                {
                    let uris: Vec<Uri> = changes.into_iter().map(|change| change.uri).collect();
                    self.look_again(&uris);
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, change: DidChangeTextDocumentParams) {
        let Some(sheet) = self.desk.sheet(&change.text_document.uri) else {
            return;
        };
        let mut text = self
            .desk
            .text(&sheet)
            .map_or_else(String::new, |text| text.to_string());
        for edit in change.content_changes {
            match edit.range {
                Some(range) => {
                    let start = positions::byte(&text, range.start);
                    let end = positions::byte(&text, range.end).max(start);
                    text.replace_range(start..end, &edit.text);
                }
                None => text = edit.text,
            }
        }
        self.desk.write(&sheet, text, change.text_document.version);
        self.examine([sheet.path.as_str()]);
    }

    fn look_again(&mut self, uris: &[Uri]) {
        let sheets: Vec<_> = uris.iter().filter_map(|uri| self.desk.sheet(uri)).collect();
        for sheet in &sheets {
            self.desk.look_again(sheet);
        }
        self.examine(sheets.iter().map(|sheet| sheet.path.as_str()));
    }

    /// Examines the open games that have to do with some files.
    fn examine<'p>(&mut self, paths: impl IntoIterator<Item = &'p str>) {
        let mut games = BTreeSet::new();
        let mut edited = EditedNow {
            file: None,
            only_scenarios: true,
        };
        for path in paths {
            edited.file = Some(path);
            edited.only_scenarios &= path.starts_with(SCENARIOS);
            let open = self.desk.open_games().into_iter();
            match crate::desk::game_of(path) {
                // What belongs to one game changes no other.
                Some(game) => games.extend(open.filter(|other| *other == game)),
                None => games.extend(open),
            }
        }
        let library = self.desk.library();
        let games: Vec<String> = games.into_iter().collect();
        self.checker.examine(&library, &games, edited);
    }
}

/// The file as it should be written, as one edit; nothing if it cannot be put in order, or is.
fn formatted(desk: &Desk, uri: &Uri) -> Option<Vec<TextEdit>> {
    let sheet = desk.sheet(uri)?;
    let text = desk.bearable_text(&sheet)?;
    let new_text = format(&sheet.path, &text).ok()?;
    if *new_text == *text {
        return Some(Vec::new());
    }
    Some(vec![TextEdit {
        range: positions::positions(&text, 0..text.len()),
        new_text,
    }])
}

/// Why something asked for is not done.
struct Refused {
    code: ErrorCode,
    message: String,
}

impl Refused {
    fn because(message: String) -> Refused {
        Refused {
            code: ErrorCode::RequestFailed,
            message,
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refused> {
    serde_json::from_value(params).map_err(|error| Refused {
        code: ErrorCode::InvalidParams,
        message: error.to_string(),
    })
}

fn done<T: Serialize>(result: T) -> Result<Value, Refused> {
    serde_json::to_value(result).map_err(|error| Refused {
        code: ErrorCode::InternalError,
        message: error.to_string(),
    })
}

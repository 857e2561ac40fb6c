//! What is said at the beginning: which folder the editor has open, and what it may ask for.

use crate::colours;
use crate::commands::{COMPARE, RUN};
use crate::uri;
use lsp_types::*;
use std::path::{Path, PathBuf};

/// The folder the editor has open.
pub fn root(greeting: &InitializeParams) -> Option<PathBuf> {
    let folders = greeting.workspace_folders.iter().flatten();
    if let Some(folder) = folders
        .into_iter()
        .find_map(|folder| uri::path(&folder.uri))
    {
        return Some(folder);
    }
    #[expect(deprecated, reason = "older editors say it so")]
    let root = greeting.root_uri.as_ref();
    root.and_then(uri::path)
}

/// Nothing of the folder is known, and somebody wonders why.
pub fn no_pack(folder: &Path) -> ShowMessageParams {
    let message = format!(
        "ludoteca: {} is no pack, and lies in none: open the folder with `pack.toml`, or make one with `ludoteca new game`",
        folder.display()
    );
    ShowMessageParams {
        typ: MessageType::WARNING,
        message,
    }
}

/// What the editor may ask for.
pub fn capabilities() -> ServerCapabilities {
    let triggers = |signs: &[&str]| Some(signs.iter().map(|sign| sign.to_string()).collect());
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::Supported(true)),
                ..TextDocumentSyncOptions::default()
            },
        )),
        completion_provider: Some(CompletionOptions {
            trigger_characters: triggers(&[".", "\"", "[", "{", "="]),
            resolve_provider: Some(true),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: triggers(&["(", ","]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: colours::TYPES.to_vec(),
                    token_modifiers: colours::MODIFIERS.to_vec(),
                },
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            },
        )),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![RUN.into(), COMPARE.into()],
            ..ExecuteCommandOptions::default()
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

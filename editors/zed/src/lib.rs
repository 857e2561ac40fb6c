//! Starts `ludoteca lsp` for Zed.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Ludoteca;

impl zed::Extension for Ludoteca {
    fn new() -> Self {
        Ludoteca
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree
            .which("ludoteca")
            .ok_or("the command `ludoteca` is not in the path: cargo install --path cli")?;
        Ok(Command {
            command,
            args: vec!["lsp".to_string()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Ludoteca);

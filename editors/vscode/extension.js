// Starts `ludoteca lsp` in the folder that is open, for rules and for content.
const { workspace, window, commands } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const command = workspace.getConfiguration("ludoteca").get("command") || "ludoteca";
  const folder = workspace.workspaceFolders && workspace.workspaceFolders[0];
  const server = { command, args: ["lsp"], options: folder ? { cwd: folder.uri.fsPath } : {} };
  client = new LanguageClient("ludoteca", "Ludoteca", server, {
    documentSelector: [
      { scheme: "file", language: "rhai" },
      { scheme: "file", pattern: "**/*.toml" },
    ],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{toml,rhai,md}") },
  });
  return client.start().catch((error) => {
    const install = "How to install it";
    window.showErrorMessage(`“${command} lsp” cannot be started: ${error.message || error}`, install).then((chosen) => {
      if (chosen === install) {
        window.showInformationMessage("cargo install --path cli, in the folder of Ludoteca; or name the command in the setting ludoteca.command");
      }
    });
  });
}

exports.activate = (context) => {
  context.subscriptions.push(
    commands.registerCommand("ludoteca.restart", async () => {
      if (client) await client.stop();
      await start();
    }),
  );
  return start();
};

exports.deactivate = () => client && client.stop();

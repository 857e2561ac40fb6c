-- A person at Neovim, scripted: opens rules, makes a mistake, sees it, mends it by the fix that is offered; asks what things are and where
-- they are defined; completes; renames a card in four files; formats; runs a scenario. Ends with 0 if all of it worked.

vim.g.ludoteca_command = os.getenv("LUDOTECA_COMMAND")
local pack = os.getenv("LUDOTECA_PACK")

local function finish(message)
  if message then
    io.stdout:write("not so: " .. message .. "\n")
    vim.cmd("cquit 1")
  end
  io.stdout:write("the server works in Neovim\n")
  vim.cmd("qall!")
end

local function expect(holds, message)
  if not holds then
    finish(message)
    error(message)
  end
end

local function wait(what, holds)
  expect(vim.wait(60000, holds, 20), what .. " never came")
end

local function open(path)
  vim.cmd("edit " .. vim.fn.fnameescape(pack .. "/" .. path))
  return vim.api.nvim_get_current_buf()
end

-- Puts the cursor on a text, some letters into it.
local function go(text, offset)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  for number, line in ipairs(lines) do
    local at = line:find(text, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { number, at - 1 + (offset or 0) })
      return number
    end
  end
  expect(false, "`" .. text .. "` is not there")
end

local function ask(method, more)
  local params = vim.lsp.util.make_position_params()
  for key, value in pairs(more or {}) do
    params[key] = value
  end
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  expect(answers, method .. " was not answered")
  for _, answer in pairs(answers) do
    expect(not answer.err, method .. ": " .. vim.inspect(answer.err))
    return answer.result
  end
end

local rules = open("scripts/feria/rules.rhai")
expect(vim.bo.filetype == "rhai", "the rules have no filetype")
wait("the server", function()
  return #vim.lsp.buf_get_clients(rules) == 1
end)

-- A mistake is seen as it is typed, with the words of `check`, and mended by its fix.
local line = go('buy(p); }')
local before = vim.api.nvim_buf_get_lines(rules, line - 1, line, false)[1]
vim.api.nvim_buf_set_lines(rules, line - 1, line, false, { (before:gsub("buy%(p%)", "buyy(p)")) })
wait("the diagnostic", function()
  return #vim.diagnostic.get(rules) > 0
end)
local said = vim.diagnostic.get(rules)[1]
expect(said.message:find("did you mean `buy`", 1, true), "another message: " .. said.message)
local range = { start = { line = said.lnum, character = said.col }, ["end"] = { line = said.lnum, character = said.col } }
local actions = ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })
local edit
for _, action in ipairs(actions) do
  if action.title == "write `buy`" then
    edit = action.edit
  end
end
expect(edit, "no fix is offered")
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
expect(vim.api.nvim_buf_get_lines(rules, line - 1, line, false)[1] == before, "the fix wrote something else")
wait("the end of the diagnostic", function()
  return #vim.diagnostic.get(rules) == 0
end)

-- What things are, and where.
go("affordable(p, PRICES", 3)
expect(ask("textDocument/hover").contents.value:find("Whether p can pay a price", 1, true), "hovering says something else")
go('choose(p, "turn.site"', 14)
local found = ask("textDocument/definition")
expect(#found == 1 and found[1].uri:find("cards/feria/text.toml", 1, true), "the definition is elsewhere")
go("PRICES.start.coins", 7)
local items = ask("textDocument/completion").items
local labels = {}
for _, item in ipairs(items) do
  labels[item.label] = true
end
expect(labels.stall and labels.start, "keys of the table are not completed")

-- The content too; a rename goes through cards and scenarios.
local cards = open("cards/feria/wares.toml")
wait("the server in the cards", function()
  return #vim.lsp.buf_get_clients(cards) == 1
end)
go("[cards.lamp]", 8)
expect(ask("textDocument/hover").contents.value:find("You gain 2 coins", 1, true), "the card is not shown")
local renamed = ask("textDocument/rename", { newName = "lantern" })
vim.lsp.util.apply_workspace_edit(renamed, "utf-16")
expect(vim.fn.bufloaded(pack .. "/tests/scenarios/feria/turns.toml") == 1, "the scenario was not renamed")
expect(go("[cards.lantern]") > 0, "the card was not renamed")

-- Formatting changes blanks and nothing else.
vim.api.nvim_set_current_buf(rules)
local wanted = table.concat(vim.api.nvim_buf_get_lines(rules, 0, -1, false), "\n")
line = go("fn free()")
vim.api.nvim_buf_set_lines(rules, line - 1, line, false, { 'fn free( ){with_value( "owner",() )}' })
local edits = vim.lsp.buf_request_sync(0, "textDocument/formatting", {
  textDocument = vim.lsp.util.make_text_document_params(),
  options = { tabSize = 4, insertSpaces = true },
}, 60000)
for _, answer in pairs(edits) do
  vim.lsp.util.apply_text_edits(answer.result, rules, "utf-16")
end
expect(table.concat(vim.api.nvim_buf_get_lines(rules, 0, -1, false), "\n") == wanted, "formatting wrote something else")

-- A scenario is run from the line above it.
local told
vim.lsp.handlers["window/showMessage"] = function(_, result)
  told = result.message
end
local scenarios = open("tests/scenarios/feria/turns.toml")
wait("the server in the scenarios", function()
  return #vim.lsp.buf_get_clients(scenarios) == 1
end)
local lenses = ask("textDocument/codeLens")
expect(#lenses == 2, "not every scenario can be run")
ask("workspace/executeCommand", { command = lenses[1].command.command, arguments = lenses[1].command.arguments })
wait("the result of the scenario", function()
  return told ~= nil
end)
expect(told == "✓ a stall costs four coins", "the scenario says: " .. told)

finish()

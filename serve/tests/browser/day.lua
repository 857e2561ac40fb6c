-- A designer at Neovim, scripted: writes a misspelt key into a variant, sees it said as it is typed, takes the fix that is offered, and saves.

vim.g.ludoteca_command = os.getenv("LUDOTECA_COMMAND")

local function finish(message)
  io.stdout:write(message .. "\n")
  vim.cmd(message == "mended" and "qall!" or "cquit 1")
end

local function wait(what, holds)
  if not vim.wait(120000, holds, 20) then
    finish(what .. " never came")
    error(what)
  end
end

vim.cmd("edit " .. vim.fn.fnameescape(os.getenv("LUDOTECA_FILE")))
local buffer = vim.api.nvim_get_current_buf()
wait("the server", function()
  return #vim.lsp.buf_get_clients(buffer) == 1
end)
vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { '"prices.unit.resorces" = 3' })
local said
wait("the mistake", function()
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    if found.message:find("did you mean", 1, true) then
      said = found
    end
  end
  return said ~= nil
end)
local params = vim.lsp.util.make_position_params()
local place = { line = said.lnum, character = said.col }
params.range = { start = place, ["end"] = place }
params.context = { diagnostics = {} }
for _, answer in pairs(vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", params, 120000) or {}) do
  local first = (answer.result or {})[1]
  if first then
    vim.lsp.util.apply_workspace_edit(first.edit, "utf-16")
  end
end
wait("the end of the mistake", function()
  return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) == 0
end)
vim.cmd("write")
finish("mended")

-- Ludoteca in Neovim (0.7 or newer): `:luafile editors/neovim/ludoteca.lua`, or a copy of it in ~/.config/nvim/plugin/.
-- The command is `ludoteca`, or what the variable g:ludoteca_command names.

local M = {}

vim.cmd([[autocmd BufRead,BufNewFile *.rhai setfiletype rhai]])

local function exists(path)
  return vim.loop.fs_stat(path) ~= nil
end

--- The pack a file belongs to: the folder with pack.toml, or the one with scripts/ of a checkout.
function M.root(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  while folder and folder ~= "" do
    if exists(folder .. "/pack.toml") or (exists(folder .. "/scripts") and exists(folder .. "/core/ARCHITECTURE.md")) then
      return folder
    end
    local up = vim.fn.fnamemodify(folder, ":h")
    if up == folder then
      return nil
    end
    folder = up
  end
end

local clients = {}

--- Starts the server for a buffer's pack, once for each pack.
function M.attach(buffer)
  local root = M.root(vim.api.nvim_buf_get_name(buffer))
  if not root then
    return
  end
  if not clients[root] then
    clients[root] = vim.lsp.start_client({
      name = "ludoteca",
      cmd = { vim.g.ludoteca_command or "ludoteca", "lsp" },
      cmd_cwd = root,
      root_dir = root,
      on_exit = function()
        clients[root] = nil
      end,
      commands = {},
    })
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
    vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
  end
end

_G.ludoteca = M
vim.cmd([[
  augroup ludoteca
    autocmd!
    autocmd FileType rhai,toml lua ludoteca.attach(tonumber(vim.fn.expand("<abuf>")))
  augroup END
]])

return M

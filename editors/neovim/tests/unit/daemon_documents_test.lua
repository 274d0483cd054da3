local t = require("tests.harness")
local documents = require("clined.daemon.documents")

-- A daemon that keeps the texts that it is told of, as LSP says; it knows nothing of Neovim.
local function listener()
  local self = { texts = {}, saved = {}, log = {}, versions = {}, languages = {} }
  -- Offset of the beginning of a line; behind the last one it is the end.
  local function offset(text, line)
    local at = 1
    for _ = 1, line do
      local _, behind = text:find("\r\n", at, true)
      local lf = text:find("[\r\n]", at)
      if not lf then return #text + 1 end
      at = (behind == lf + 1 and behind or lf) + 1
    end
    return at
  end
  function self.tell(method, params)
    local uri = params.textDocument.uri
    table.insert(self.log, method:match("[^/]*$"))
    if method == "textDocument/didOpen" then
      assert(self.texts[uri] == nil, "opened twice")
      self.languages[uri] = params.textDocument.languageId
      self.texts[uri], self.versions[uri] = params.textDocument.text, params.textDocument.version
    elseif method == "textDocument/didClose" then
      assert(self.texts[uri], "closed without being open")
      self.texts[uri] = nil
    elseif method == "textDocument/didChange" then
      assert(params.textDocument.version > self.versions[uri], "the version does not rise")
      self.versions[uri] = params.textDocument.version
      for _, change in ipairs(params.contentChanges) do
        if change.range then
          local text = self.texts[uri]
          assert(change.range.start.character == 0 and change.range["end"].character == 0)
          local from, to = offset(text, change.range.start.line), offset(text, change.range["end"].line)
          self.texts[uri] = text:sub(1, from - 1) .. change.text .. text:sub(to)
        else
          self.texts[uri] = change.text
        end
      end
    elseif method == "textDocument/didSave" then
      self.saved[uri] = self.texts[uri]
    end
  end
  documents.start(self.tell)
  t.defer(function()
    documents.stop()
    vim.cmd("silent! %bwipeout!")
  end)
  return self
end

local function edit(path) vim.cmd("silent edit " .. vim.fn.fnameescape(path)) end

-- What `:write` makes of the buffer, but for a line end that 'fixendofline' adds.
local function written(buf)
  if not vim.bo[buf].modified then return t.read(vim.api.nvim_buf_get_name(buf)) end
  local copy = vim.fn.tempname()
  vim.api.nvim_buf_call(buf, function()
    local o = vim.bo[buf]
    local fixeol = o.fixeol
    o.fixeol = false
    vim.cmd("silent noautocmd keepalt write! " .. copy)
    o.fixeol = fixeol
  end)
  return t.read(copy)
end

local kinds = {
  ["lines that end"] = "one\ntwo\nthree\n",
  ["no line end at the end"] = "one\ntwo\nthree",
  ["carriage returns"] = "one\r\ntwo\r\n",
  ["nothing"] = "",
  ["a line end alone"] = "\n",
  ["other letters"] = "größe\n日本\n🙂\n",
  ["a zero byte"] = "a\0b\n",
  ["mixed line ends"] = "one\r\ntwo\nthree\n",
}

for name, text in pairs(kinds) do
  t.test("a file is told as it is on disk: " .. name, function()
    local daemon, path = listener(), t.folder() .. "/a.txt"
    t.write(path, text)
    edit(path)
    local uri = vim.uri_from_fname(path)
    t.eq(daemon.texts[uri], text)
    vim.cmd("silent write")
    t.eq(daemon.texts[uri], t.read(path))
    t.eq(daemon.saved[uri], t.read(path))
  end)
end

-- Numbers that are the same each time.
local function random(seed)
  return function(most)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return math.floor(seed / 65536) % most + 1
  end
end

for seed = 1, 12 do
  t.test(("what is told stays what the buffer is, whatever is done to it: %d"):format(seed), function()
    local daemon, path, pick = listener(), t.folder() .. "/a.txt", random(seed * 7919)
    t.write(path, ({ "a\nb\nc\nd\n", "a\nb", "", "a\r\nb\r\n" })[seed % 4 + 1])
    edit(path)
    local buf, uri = vim.api.nvim_get_current_buf(), vim.uri_from_fname(path)
    local deeds = {
      function() vim.cmd("silent! normal! dd") end,
      function() vim.cmd("silent! normal! GoNew") end,
      function() vim.cmd("silent! normal! ggOTop") end,
      function() vim.cmd("silent! normal! yyp") end,
      function() vim.cmd("silent! normal! Gdd") end,
      function() vim.cmd("silent! normal! J") end,
      function() vim.cmd("silent! %d") end,
      function() vim.cmd("silent! undo") end,
      function() vim.cmd("silent! redo") end,
      function() vim.cmd("silent! %s/[a-m]/&\\r/") end,
      function() vim.cmd("silent! g/^/m0") end,
      function() vim.cmd("silent! sort") end,
      function() vim.cmd("silent! normal! ix\r\ry") end,
      function() vim.cmd("silent! 1,2t$") end,
      function() vim.cmd("silent! 1m$") end,
      function() vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "all", "new" }) end,
      function() vim.api.nvim_buf_set_text(buf, 0, 0, 0, 0, { "p", "q" }) end,
      function() vim.api.nvim_buf_set_lines(buf, -1, -1, false, { "behind" }) end,
      function() vim.api.nvim_win_set_cursor(0, { pick(vim.api.nvim_buf_line_count(buf)), 0 }) end,
    }
    local done = {}
    for _ = 1, 150 do
      local n = pick(#deeds)
      table.insert(done, n)
      deeds[n]()
      if pick(3) == 1 then
        documents.flush()
        t.eq(daemon.texts[uri], written(buf), table.concat(done, " "))
      end
      if pick(30) == 1 then
        vim.cmd("silent write")
        t.eq(daemon.saved[uri], t.read(path), "saved " .. table.concat(done, " "))
      end
    end
  end)
end

t.test("what is typed is told by itself, and many changes at once as one", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\n")
  edit(path)
  daemon.log = {}
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { "zero" })
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "two" })
  t.eq(daemon.log, {})
  t.settle()
  t.eq(daemon.log, { "didChange" })
  t.eq(daemon.texts[vim.uri_from_fname(path)], "zero\none\ntwo\n")
end)

t.test("a buffer that is read again, renamed, or left is told", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\n")
  edit(path)
  local uri = vim.uri_from_fname(path)
  t.write(path, "other\n")
  vim.cmd("silent edit!")
  documents.flush()
  t.eq(daemon.texts[uri], "other\n")
  local other = vim.fs.dirname(path) .. "/b.txt"
  vim.cmd("silent saveas " .. other)
  t.eq(daemon.texts, { [vim.uri_from_fname(other)] = "other\n" })
  vim.cmd("silent %bdelete")
  t.eq(daemon.texts, {})
  vim.cmd("silent edit " .. other)
  vim.cmd("silent bwipeout")
  t.eq(daemon.texts, {})
end)

t.test("a file that changed beside Neovim is told once Neovim has read it", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\n")
  edit(path)
  vim.cmd("split " .. t.folder() .. "/b.txt")
  vim.o.autoread = true
  t.write(path, "one\nand more\n")
  vim.cmd("silent checktime")
  documents.flush()
  t.eq(daemon.texts[vim.uri_from_fname(path)], "one\nand more\n")
  vim.api.nvim_buf_set_lines(vim.fn.bufnr(path), 0, 0, false, { "zero" })
  documents.flush()
  t.eq(daemon.texts[vim.uri_from_fname(path)], "zero\none\nand more\n")
  vim.cmd("silent only!")
end)

t.test("a copy that is written is no save", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\n")
  edit(path)
  vim.cmd("silent write " .. path .. ".copy")
  t.eq(daemon.saved, {})
end)

t.test("a save through a link is a save", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\n")
  vim.uv.fs_symlink(path, path .. ".link")
  edit(path .. ".link")
  vim.cmd("silent normal! ix")
  vim.cmd("silent write")
  t.eq(vim.tbl_values(daemon.saved), { "xone\n" })
  t.eq(t.read(path), "xone\n")
end)

t.test("other line ends and a new end of the last line are told with the save", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\ntwo")
  edit(path)
  local uri = vim.uri_from_fname(path)
  vim.bo.fileformat = "dos"
  vim.cmd("silent write")
  t.eq(daemon.saved[uri], "one\r\ntwo\r\n")
  t.eq(t.read(path), "one\r\ntwo\r\n")
end)

t.test("an end of the last line that a save alone brought is a new version", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\ntwo")
  edit(path)
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "1" })
  documents.flush()
  local uri = vim.uri_from_fname(path)
  t.eq(daemon.texts[uri], "1\ntwo")
  vim.cmd("silent write")
  t.eq(daemon.saved[uri], "1\ntwo\n")
end)

t.test("the language of a file is told, also when it becomes known later", function()
  local daemon, path = listener(), t.folder() .. "/a.txt"
  t.write(path, "one\n")
  edit(path)
  daemon.log = {}
  vim.bo.filetype = "go"
  t.eq(daemon.log, { "didClose", "didOpen" })
  t.eq(daemon.languages[vim.uri_from_fname(path)], "go")
end)

t.test("what is no file of the user's is not told", function()
  local daemon = listener()
  vim.cmd("silent help") -- a help file
  vim.cmd("silent enew") -- no name
  vim.api.nvim_buf_set_name(vim.api.nvim_create_buf(true, false), "fugitive:///x")
  vim.api.nvim_buf_set_name(vim.api.nvim_create_buf(true, true), t.folder() .. "/scratch")
  local unlisted = vim.fn.bufadd(t.folder() .. "/unlisted")
  vim.fn.bufload(unlisted)
  t.eq(daemon.texts, {})
  vim.api.nvim_buf_set_lines(unlisted, 0, -1, false, { "unsaved" })
  vim.api.nvim_exec_autocmds("BufModifiedSet", { buffer = unlisted })
  t.eq(vim.tbl_values(daemon.texts), { "unsaved\n" })
end)

t.test("files that are open already are told at the start, and nothing behind the end", function()
  local path = t.folder() .. "/a.txt"
  t.write(path, "one\n")
  edit(path)
  local first = listener()
  t.eq(vim.tbl_values(first.texts), { "one\n" })
  documents.stop()
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { "zero" })
  t.settle()
  local second = listener()
  t.eq(vim.tbl_values(first.texts), { "one\n" })
  t.eq(vim.tbl_values(second.texts), { "zero\none\n" })
  vim.cmd("silent write")
  t.eq(second.log, { "didOpen", "didSave" })
end)

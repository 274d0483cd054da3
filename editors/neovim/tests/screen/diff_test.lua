-- How a proposal looks, in a narrow terminal and in a wide one.
local t = require("tests.harness")

local before = [[package main

import "fmt"

// price is what a thing costs, in cents.
const price = 100

func total(n int) int {
	return n * price
}

func main() {
	fmt.Println("total:", total(3))
	fmt.Println("done")
}
]]

local diff = [[------- SEARCH
const price = 100
=======
const price = 250
const vat = 19
+++++++ REPLACE
------- SEARCH
	return n * price
=======
	return n * price * (100 + vat) / 100
+++++++ REPLACE
------- SEARCH
	fmt.Println("done")
=======
+++++++ REPLACE]]

local script = "reply\n  call replace_in_file "
  .. vim.json.encode({ path = "price.go", diff = diff })
  .. '\nreply\n  call attempt_completion {"result":"ok"}\n'

for _, columns in ipairs({ 80, 200 }) do
  for _, layout in ipairs({ "tab", "inline" }) do
    t.test(("a proposal in %d columns, layout %s"):format(columns, layout), function()
      local nvim = t.terminal({
        files = { ["price.go"] = before },
        args = { "price.go" },
        script = script,
        columns = columns,
        rows = 30,
        options = { diff = { layout = layout } },
        config = "require('clined.decisions.steady').pause = 0; vim.schedule(function() require('clined.task.session').say('Raise the price.') end)",
      })
      nvim:shows("const vat = 19", "ga accept", "gr refuse")
      nvim:picture(("diff-%s-%d"):format(layout, columns))
      nvim:type("gggh")
      nvim:shows("1 of 3 left out")
      nvim:type("A // mine")
      nvim:press("Escape")
      nvim:shows("package main // mine")
      nvim:picture(("diff-%s-%d-changed"):format(layout, columns))
      nvim:type("ga")
      t.wait("the model to be told", function() return #nvim.model.requests() == 2 end)
      nvim.model.done()
      local got = t.read(nvim.work .. "/price.go")
      t.has(got, "const price = 100\n\nfunc total(n int) int {\n\treturn n * price * (100 + vat) / 100\n")
      t.ok(not got:find("done", 1, true))
    end)
  end
end

" What the model says, where no parser for Markdown is at hand: enough to read it by.
if exists("b:current_syntax")
  finish
endif

syntax match clinedHeading "^#\{1,6} .*"
syntax match clinedCode "`[^`]\+`"
syntax match clinedBold "\*\*[^*]\+\*\*"
syntax region clinedFence start="^\s*```.*$" end="^\s*```\s*$" keepend

highlight default link clinedHeading Title
highlight default link clinedCode String
highlight default link clinedBold Statement
highlight default link clinedFence String

let b:current_syntax = "clined"

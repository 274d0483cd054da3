package main

import (
	"path/filepath"
	"strings"
)

// decisionChecks are about approvals.
var decisionChecks = []check{
	{
		tier: 1, name: "approve", expect: "an edit is shown before it is made, and made by a yes only",
		files: map[string]string{"price.txt": "price 1\nsold\n"},
		model: `
reply
  call replace_in_file {"path":"price.txt","diff":"------- SEARCH\nprice 1\n=======\nprice 2\n+++++++ REPLACE"}
reply
  call attempt_completion {"result":"Changed."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Raise the price.")
			p := s.seePending("approval", "price.txt")
			s.want(strings.Contains(p.Detail, "price 1") && strings.Contains(p.Detail, "price 2"), "what would change is not shown: %q", p.Detail)
			s.want(s.now().Task.Status == "requires_action", "the task does not show that it waits")
			s.want(s.file("price.txt") == "price 1\nsold\n", "the file was changed before a decision")
			s.do(Action{Verb: Approve, Title: "price.txt"})
			st := s.seeEnd("completed")
			s.want(st.count(CallCard, "price.txt", "completed") == 1 && len(st.Pending) == 0, "the call does not show as done")
			s.want(s.file("price.txt") == "price 2\nsold\n", "the file holds %q", s.file("price.txt"))
		},
	},
	{
		tier: 1, name: "reject", expect: "a no with words stops the call and the rest of the answer, and the model hears the words",
		files: map[string]string{"a.txt": "one\n"},
		model: `
reply
  call write_to_file {"path":"a.txt","content":"ONE\n"}
  call write_to_file {"path":"b.txt","content":"TWO\n"}
reply
  expect-last contains keep it lower case
  call attempt_completion {"result":"Left as it was."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Shout.")
			s.seePending("approval", "a.txt")
			s.do(Action{Verb: Reject, Title: "a.txt", Text: "keep it lower case"})
			st := s.seeEnd("completed")
			s.want(st.count(CallCard, "a.txt", "denied") == 1, "the refused call does not show as refused")
			s.want(st.count(CallCard, "", "cancelled") == 1, "the call behind it does not show as skipped")
			s.want(s.file("a.txt") == "one\n" && s.file("b.txt") == "", "something was written")
		},
	},
	{
		tier: 1, name: "always", expect: "an always allows exactly the rule that its label shows: the next call of the kind runs unasked, another one asks",
		model: `
reply
  call execute_command {"command":"echo first","requires_approval":false}
reply
  expect-last contains first
  call execute_command {"command":"echo second","requires_approval":false}
reply
  expect-last contains second
  call execute_command {"command":"printf third","requires_approval":false}
reply
  call attempt_completion {"result":"Said."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Say it.")
			p := s.seePending("approval", "echo first")
			s.want(strings.Contains(strings.Join(p.Options, "\n"), "start with `echo`"), "no option shows the rule: %q", p.Options)
			s.do(Action{Verb: Approve, Title: "echo first", Always: true})
			s.seePending("approval", "printf third")
			s.want(s.now().count(CallCard, "echo second", "completed") == 1, "the second command did not run unasked")
			s.do(Action{Verb: Reject, Title: "printf third", Text: "no need"})
			s.seeEnd("completed")
		},
	},
	{
		tier: 1, name: "behind a link", expect: "what a link leads to outside of the workspace is asked about, and the place where it really is stands in the card",
		links: map[string]string{"notes": "../elsewhere"},
		model: `
reply
  call write_to_file {"path":"notes/new.txt","content":"one\n"}
reply
  call attempt_completion {"result":"Left."}
`,
		run: func(s *stage) {
			s.write("elsewhere/old.txt", "old\n")
			s.start()
			s.prompt("Note it.")
			p := s.seePending("approval", "new.txt")
			real := filepath.Join(s.dir, "elsewhere", "new.txt")
			s.want(strings.Contains(p.Detail, real), "that it is %s is not shown: %q", real, p.Detail)
			s.do(Action{Verb: Reject, Title: "new.txt", Text: "not there"})
			s.seeEnd("completed")
			s.want(s.read("elsewhere/new.txt") == "", "it was written")
		},
	},
	{
		tier: 1, name: "parts of a command", expect: "a compound command shows which of its parts is asked about, and why",
		files: map[string]string{"a.txt": "one\n", ".clineignore": "keys.txt\n", "keys.txt": "secret\n"},
		model: `
reply
  call execute_command {"command":"wc -l a.txt && cat keys.txt","requires_approval":false}
reply
  call attempt_completion {"result":"Left."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Count.")
			p := s.seePending("approval", "wc -l")
			s.want(strings.Contains(p.Detail, "the ignore file hides"), "why it asks is not shown: %q", p.Detail)
			s.do(Action{Verb: Reject, Title: "wc -l", Text: "no"})
			s.seeEnd("completed")
		},
	},
}

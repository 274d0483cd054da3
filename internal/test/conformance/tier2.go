package main

// editorChecks are about what the editor shows.
var editorChecks = []check{
	{
		tier: 2, name: "visible files", expect: "the files in view and the open tabs are those of each moment: what changes between two steps is in the next one",
		files: map[string]string{"main.txt": "main\n", "notes.txt": "notes\n", "old.txt": "old\n"},
		model: `
reply
  expect-last contains old.txt
  hold one
  call list_files {"path":"."}
reply
  expect-last contains <<END
    # Visible Files
    notes.txt
    END
  call attempt_completion {"result":"Seen."}
`,
		run: func(s *stage) {
			s.start()
			s.do(Action{Verb: Show, Visible: []string{"main.txt"}, Tabs: []string{"main.txt", "old.txt"}})
			s.prompt("Look around.")
			s.model.WaitHeld("one")
			s.do(Action{Verb: Show, Visible: []string{"notes.txt"}, Tabs: []string{"main.txt", "notes.txt"}})
			s.model.Release("one")
			s.seeEnd("completed")
		},
	},
}

// diffChecks are about proposed edits that the user works on.
var diffChecks = []check{
	{
		tier: 2, name: "edited proposal", expect: "what the user makes of a proposed edit is what is written, and the model is told",
		files: map[string]string{"a.txt": "one\n"},
		model: `
reply
  call write_to_file {"path":"a.txt","content":"one\ntwo\n"}
reply
  expect-last contains three
  call attempt_completion {"result":"As you like."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Count on.")
			s.seePending("approval", "a.txt")
			s.do(Action{Verb: EditDiff, Path: "a.txt", Text: "one\ntwo\nthree\n"})
			s.do(Action{Verb: Approve, Title: "a.txt"})
			s.seeEnd("completed")
			s.want(s.file("a.txt") == "one\ntwo\nthree\n", "the file holds %q", s.file("a.txt"))
		},
	},
}

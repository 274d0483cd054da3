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
		tier: 2, name: "streamed diff", expect: "an edit grows in a diff view while it is written, beside what is there, and nothing is written before the yes",
		files: map[string]string{"a.txt": "one\ntwo\nthree\n"},
		model: `
reply
  call write_to_file {"path":"a.txt","content":"ONE\ntwo\n$HOLD(middle)THREE\n"}
reply
  call attempt_completion {"result":"Written."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Shout a little.")
			s.model.WaitHeld("middle")
			d := s.seeDiff("a.txt", "ONE\ntwo\nthree\n")
			s.want(d.Base == "one\ntwo\nthree\n", "the diff begins at %q", d.Base)
			s.model.Release("middle")
			s.seePending("approval", "a.txt")
			s.seeDiff("a.txt", "ONE\ntwo\nTHREE\n")
			s.want(s.file("a.txt") == "one\ntwo\nthree\n", "the file was changed before a decision")
			s.do(Action{Verb: Approve, Title: "a.txt"})
			s.seeEnd("completed")
			s.seeNoDiff()
			s.want(s.file("a.txt") == "ONE\ntwo\nTHREE\n", "the file holds %q", s.file("a.txt"))
		},
	},
	{
		tier: 2, name: "edited proposal", expect: "what the user makes of a proposed edit is what is written, and the model is told what they changed",
		files: map[string]string{"a.txt": "one\n"},
		model: `
reply
  call write_to_file {"path":"a.txt","content":"one\ntwo\n"}
reply
  expect-last contains +three
  expect-last-not contains +two
  expect-last-not contains formatted
  call attempt_completion {"result":"As you like."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Count on.")
			s.seePending("approval", "a.txt")
			s.do(Action{Verb: EditDiff, Path: "a.txt", Text: "one\ntwo\nthree\n"})
			s.do(Action{Verb: Approve, Title: "a.txt"})
			s.seeEnd("completed")
			s.seeNoDiff()
			s.want(s.file("a.txt") == "one\ntwo\nthree\n", "the file holds %q", s.file("a.txt"))
		},
	},
	{
		tier: 2, name: "accepted by hunk", expect: "some changes of an edit can be allowed and the others left, what the user made of them included, and the model is told",
		files: map[string]string{"a.txt": "one\ntwo\nthree\nfour\nfive\n"},
		model: `
reply
  call replace_in_file {"path":"a.txt","diff":"------- SEARCH\none\n=======\nONE\n+++++++ REPLACE\n------- SEARCH\nthree\n=======\nTHREE\n+++++++ REPLACE\n------- SEARCH\nfive\n=======\nFIVE\n+++++++ REPLACE"}
reply
  expect-last contains 2 of 3
  expect-last contains +three by hand
  expect-last contains -ONE
  call attempt_completion {"result":"As you like."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Shout.")
			s.seePending("approval", "a.txt")
			s.do(Action{Verb: EditDiff, Path: "a.txt", Text: "ONE\ntwo\nthree by hand\nfour\nFIVE\n"})
			s.do(Action{Verb: Approve, Title: "a.txt", Hunks: []int{2, 3}})
			s.seeEnd("completed")
			s.seeNoDiff()
			s.want(s.file("a.txt") == "one\ntwo\nthree by hand\nfour\nFIVE\n", "the file holds %q", s.file("a.txt"))
		},
	},
	{
		tier: 2, name: "formatted save", expect: "the editor saves with its own habits, and the model is told apart what the user changed and what the save did",
		files: map[string]string{"a.txt": "one\n"}, format: true,
		model: `
reply
  call write_to_file {"path":"a.txt","content":"one\ntwo  \n"}
reply
  expect-last contains +three
  expect-last contains formatted
  expect-last contains "+two\n"
  call attempt_completion {"result":"As you like."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Count on.")
			s.seePending("approval", "a.txt")
			s.do(Action{Verb: EditDiff, Path: "a.txt", Text: "one\ntwo  \nthree"})
			s.do(Action{Verb: Approve, Title: "a.txt"})
			s.seeEnd("completed")
			s.want(s.file("a.txt") == "one\ntwo\nthree\n", "the file holds %q", s.file("a.txt"))
		},
	},
	{
		tier: 2, name: "refused diff", expect: "a refused edit leaves the text in the editor as it was, unsaved words included",
		files: map[string]string{"a.txt": "saved\n"},
		model: `
reply
  call replace_in_file {"path":"a.txt","diff":"------- SEARCH\ntyped\n=======\nTYPED\n+++++++ REPLACE"}
reply
  expect-last contains as it is
  call attempt_completion {"result":"Left."}
`,
		run: func(s *stage) {
			s.start()
			s.do(Action{Verb: TypeText, Path: "a.txt", Text: "typed\nunsaved\n"})
			s.prompt("Shout.")
			s.seePending("approval", "a.txt")
			s.seeDiff("a.txt", "TYPED\nunsaved\n")
			s.do(Action{Verb: Reject, Title: "a.txt", Text: "leave it as it is"})
			s.seeEnd("completed")
			st := s.seeNoDiff()
			s.want(st.Buffers["a.txt"] == "typed\nunsaved\n", "the editor holds %q", st.Buffers["a.txt"])
			s.want(s.file("a.txt") == "saved\n", "the file holds %q", s.file("a.txt"))
		},
	},
	{
		tier: 2, name: "one undo", expect: "an edit in several places, written bit by bit, is one step of undo",
		files: map[string]string{"a.txt": "a\nb\nc\n"},
		model: `
reply
  call replace_in_file {"path":"a.txt","diff":"------- SEARCH\na\n=======\nA\n+++++++ REPLACE\n------- SE$HOLD(first)ARCH\nc\n=======\nC\n+++++++ REPLACE"}
reply
  call attempt_completion {"result":"Changed."}
`,
		run: func(s *stage) {
			s.start()
			s.do(Action{Verb: Show, Visible: []string{"a.txt"}, Tabs: []string{"a.txt"}})
			s.prompt("Shout a little.")
			s.model.WaitHeld("first")
			s.seeDiff("a.txt", "A\nb\nc\n")
			s.model.Release("first")
			s.approve("a.txt")
			s.seeEnd("completed")
			s.seeBuffer("a.txt", "A\nb\nC\n")
			s.do(Action{Verb: Undo, Path: "a.txt"})
			s.seeBuffer("a.txt", "a\nb\nc\n")
		},
	},
}

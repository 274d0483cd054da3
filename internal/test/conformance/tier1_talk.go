package main

import "strings"

// connectionChecks are about a front and its daemon.
var connectionChecks = []check{
	{
		tier: 1, name: "handshake", expect: "the front starts clined and shows that it is connected, without a complaint",
		run: func(s *stage) {
			s.start()
			s.seeConnected()
			s.want(len(s.now().Notices) == 0, "a good start is commented")
		},
	},
	{
		tier: 1, name: "version mismatch", expect: "a front and a clined that do not fit are told apart in words that say what to update",
		protocol: 7,
		run: func(s *stage) {
			s.start()
			st := s.see("what to update", func(st State) bool {
				return strings.Contains(strings.ToLower(strings.Join(st.Notices, "\n")), "update")
			})
			s.want(!st.Connected, "the front pretends to be connected")
		},
	},
	{
		tier: 1, name: "unknown event", expect: "what a later clined will tell is skipped, and all else is shown as ever",
		news: true, files: map[string]string{"a.txt": "alpha\n"},
		model: `
reply
  text I shall look.
  call read_file {"path":"a.txt"}
reply
  call attempt_completion {"result":"It says alpha."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Read a.txt.")
			st := s.seeEnd("completed")
			s.want(st.count(AssistantSaid, "I shall look.", "completed") == 1 && st.count(AssistantSaid, "It says alpha.", "completed") == 1 &&
				st.count(CallCard, "a.txt", "completed") == 1, "something known is missing")
			s.want(strings.Contains(s.read("wire.jsonl"), unknownWords), "the relay mixed in nothing")
			s.want(!strings.Contains(st.text(), unknownWords) && len(st.Notices) == 0, "the unknown is shown, or complained about")
		},
	},
}

// talkChecks are about a task that goes well.
var talkChecks = []check{
	{
		tier: 1, name: "streamed text", expect: "an answer is shown while it is written, below the question, and stands there whole and once in the end",
		model: `
reply
  text "Once upon "
  hold one
  text "a time there "
  hold two
  text "was a parser."
  hold three
  call attempt_completion {"result":"The end."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Tell me a story.")
			s.model.WaitHeld("one")
			s.seeItem(AssistantSaid, "Once upon", "in_progress")
			s.model.Release("one")
			s.seeItem(AssistantSaid, "Once upon a time there", "in_progress")
			s.model.Release("two")
			s.seeItem(AssistantSaid, "Once upon a time there was a parser.", "")
			s.model.Release("three")
			st := s.seeEnd("completed")
			user, story, end := st.index(UserSaid, "Tell me a story."), st.index(AssistantSaid, "Once upon"), st.index(AssistantSaid, "The end.")
			s.want(user >= 0 && user < story && story < end, "the order is another")
			s.want(st.count(AssistantSaid, "", "") == 2 && st.Items[story].Text == "Once upon a time there was a parser.", "the text is not whole, or there twice")
			s.want(st.Items[story].Status == "completed", "the answer seems to go on")
		},
	},
	{
		tier: 1, name: "two calls", expect: "two calls of one answer have a card each, in order, named for what they do, with their ends",
		files: map[string]string{"a.txt": "alpha\n"},
		model: `
reply
  call read_file {"path":"a.txt"}
  call read_file {"path":"missing.txt"}
reply
  expect-last contains alpha
  call attempt_completion {"result":"One of them is there."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Read both.")
			st := s.seeEnd("completed")
			s.want(st.count(CallCard, "a.txt", "completed") == 1, "there is no card of the call that went well")
			s.want(st.count(CallCard, "missing.txt", "failed") == 1, "there is no card of the call that failed")
			s.want(st.index(CallCard, "a.txt") < st.index(CallCard, "missing.txt"), "the cards are in another order")
		},
	},
	{
		tier: 1, name: "running command", expect: "the card of a command says what is run while it runs, not only afterwards",
		model: `
reply
  call execute_command {"command":"until [ -e go.txt ]; do sleep 0.02; done","requires_approval":false}
reply
  call attempt_completion {"result":"It is there."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Wait for go.txt.")
			s.approve("until [ -e go.txt ]")
			s.seeItem(CallCard, "until [ -e go.txt ]", "in_progress")
			s.write("ws/go.txt", "")
			st := s.seeEnd("completed")
			s.want(st.count(CallCard, "until [ -e go.txt ]", "completed") == 1, "the card does not show the end")
		},
	},
	{
		tier: 1, name: "question", expect: "a question is answered by one of the options it offers, or in other words",
		model: `
reply
  call ask_followup_question {"question":"Which colour?","options":["Red","Blue"]}
reply
  expect-last contains Blue
  call ask_followup_question {"question":"Which shade?","options":["Light","Dark"]}
reply
  expect-last contains as dark as the sea
  call attempt_completion {"result":"Blue it is."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Ask me.")
			p := s.seePending("question", "Which colour?")
			s.want(strings.Join(p.Options, ",") == "Red,Blue", "the options are %q", p.Options)
			s.do(Action{Verb: Respond, Title: "Which colour?", Option: "Blue"})
			s.seePending("question", "Which shade?")
			s.do(Action{Verb: Respond, Title: "Which shade?", Text: "as dark as the sea"})
			st := s.seeEnd("completed")
			s.want(len(st.Pending) == 0, "an answered question is still open")
		},
	},
	{
		tier: 1, name: "queue", expect: "what is said while it works waits its turn, is shown as waiting, and is answered by itself",
		model: `
reply
  hold working
  call attempt_completion {"result":"First done."}
reply
  expect-last contains And the second.
  call attempt_completion {"result":"Second done."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("The first.")
			s.model.WaitHeld("working")
			s.do(Action{Verb: Prompt, Text: "And the second.", How: "queue"})
			s.seeItem(UserSaid, "And the second.", "pending")
			s.model.Release("working")
			s.seeItem(AssistantSaid, "Second done.", "completed")
			st := s.seeEnd("completed")
			s.want(st.count(UserSaid, "And the second.", "completed") == 1 && st.count(UserSaid, "And the second.", "") == 1, "the prompt does not stand there as said, once")
		},
	},
	{
		tier: 1, name: "steer", expect: "what is said to steer reaches the model with its next step, within the same turn",
		files: map[string]string{"a.txt": "alpha\n"},
		model: `
reply
  hold working
  call read_file {"path":"a.txt"}
reply
  expect-last contains alpha
  expect-last contains In French, please.
  call attempt_completion {"result":"Alpha, en français."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Read a.txt.")
			s.model.WaitHeld("working")
			s.seeItem(UserSaid, "Read a.txt.", "completed")
			s.do(Action{Verb: Prompt, Text: "In French, please.", How: "steer"})
			s.seeItem(UserSaid, "In French, please.", "pending")
			s.model.Release("working")
			st := s.seeEnd("completed")
			s.want(st.count(UserSaid, "In French, please.", "completed") == 1, "the words do not stand there as said")
			s.want(st.count(AssistantSaid, "en français", "completed") == 1, "the answer is not shown")
		},
	},
	{
		tier: 1, name: "unsaved text", expect: "the model reads what is in the editor, not what was saved",
		files: map[string]string{"a.txt": "saved words\n"},
		model: `
reply
  call read_file {"path":"a.txt"}
reply
  expect-last contains typed words
  expect-not contains saved words
  call attempt_completion {"result":"Read."}
`,
		run: func(s *stage) {
			s.start()
			s.do(Action{Verb: TypeText, Path: "a.txt", Text: "typed words\n"})
			s.prompt("Read a.txt.")
			st := s.seeEnd("completed")
			s.want(st.Buffers["a.txt"] == "typed words\n" && s.file("a.txt") == "saved words\n", "reading changed something")
		},
	},
}

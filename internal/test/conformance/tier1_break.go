package main

import "slices"

// interruptionChecks are about turns that do not come to their end.
var interruptionChecks = []check{
	{
		tier: 1, name: "cancel", expect: "a cancel ends the turn in the middle of a sentence, nothing of it comes afterwards, and the task goes on with the next prompt",
		model: `
reply
  text "Once upon a time "
  hold middle
  text "there was something unheard of."
reply
  expect-last contains Shorter.
  call attempt_completion {"result":"Once."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Tell me a story.")
			s.model.WaitHeld("middle")
			s.seeItem(AssistantSaid, "Once upon a time", "")
			s.do(Action{Verb: Cancel})
			ended := s.seeEnd("cancelled")
			s.want(ended.count("", "", "in_progress") == 0, "something seems to go on")
			s.model.Release("middle")
			s.prompt("Shorter.")
			s.seeItem(AssistantSaid, "Once.", "completed")
			st := s.seeEnd("completed")
			s.want(st.count(AssistantSaid, "unheard of", "") == 0, "words came after the cancel")
			s.want(len(st.Items) >= len(ended.Items) && slices.Equal(st.Items[:len(ended.Items)], ended.Items), "what was there at the cancel changed afterwards")
		},
	},
	{
		tier: 1, name: "killed at work", expect: "a task whose clined died shows as interrupted, goes on by one action, and does nothing twice",
		model: `
reply
  call write_to_file {"path":"a.txt","content":"one\n"}
reply
  text "Now I shall "
  hold middle
  text "finish."
reply
  expect contains Write it.
  expect contains interrupted
  call attempt_completion {"result":"Written, and looked after."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Write it.")
			s.approve("a.txt")
			s.model.WaitHeld("middle")
			s.seeItem(AssistantSaid, "Now I shall", "")
			s.kill()
			st := s.see("that clined is gone", func(st State) bool { return !st.Connected })
			s.want(len(st.Notices) > 0, "nothing tells that clined is gone")
			s.again("Write it.")
			st = s.see("that the task was interrupted", func(st State) bool { return st.Task != nil && st.Task.Status == "interrupted" })
			s.want(st.count(UserSaid, "Write it.", "completed") == 1 && st.count(CallCard, "a.txt", "completed") == 1, "what happened before is not shown")
			s.do(Action{Verb: Resume})
			s.seeItem(AssistantSaid, "Written, and looked after.", "completed")
			st = s.seeEnd("completed")
			s.want(st.count(CallCard, "a.txt", "") == 1 && st.count(AssistantSaid, "", "") == 1, "something is shown twice")
			s.want(s.file("a.txt") == "one\n", "the file holds %q", s.file("a.txt"))
		},
	},
	{
		tier: 1, name: "killed while it asks", expect: "an approval that waited when clined died is asked again after the resume, and holds",
		model: `
reply
  call write_to_file {"path":"a.txt","content":"one\n"}
reply
  expect contains Write it.
  call attempt_completion {"result":"Written."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Write it.")
			s.seePending("approval", "a.txt")
			s.kill()
			st := s.see("that clined is gone", func(st State) bool { return !st.Connected })
			s.want(len(st.Pending) == 0, "a decision can be made that nobody hears")
			s.again("Write it.")
			st = s.see("that the task was interrupted", func(st State) bool { return st.Task != nil && st.Task.Status == "interrupted" })
			s.want(len(st.Pending) == 0, "the old approval is still there")
			s.do(Action{Verb: Resume})
			s.approve("a.txt")
			st = s.seeEnd("completed")
			s.want(st.count(CallCard, "a.txt", "completed") == 1 && s.file("a.txt") == "one\n", "the call was not made")
		},
	},
}

// again starts clined once more and opens a task.
func (s *stage) again(title string) {
	s.launch(Restart)
	s.seeConnected()
	s.do(Action{Verb: OpenTask, Title: title})
}

// historyChecks are about tasks that exist.
var historyChecks = []check{
	{
		tier: 1, name: "history", expect: "tasks of earlier days are listed, the newest first, and one of them opens with all that was said, and goes on",
		model: `
reply
  conversation numbers
  call attempt_completion {"result":"Forty-two."}
reply
  conversation colours
  call attempt_completion {"result":"Blue."}
reply
  conversation numbers
  expect contains What is six times seven?
  expect contains Forty-two.
  expect-last contains And seven times seven?
  call attempt_completion {"result":"Forty-nine."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("What is six times seven?")
			s.seeEnd("completed")
			s.do(Action{Verb: NewTask})
			s.prompt("What colour is the sky?")
			s.seeItem(AssistantSaid, "Blue.", "completed")
			s.seeEnd("completed")
			s.do(Action{Verb: NewTask})
			s.launch(Restart)
			s.seeConnected()
			s.do(Action{Verb: History})
			st := s.see("both tasks in the list", func(st State) bool { return len(st.History) == 2 })
			s.want(st.History[0].Title == "What colour is the sky?" && st.History[1].Title == "What is six times seven?", "the titles are others")
			s.want(st.History[0].Status == "completed", "the list does not say that it was completed")
			s.do(Action{Verb: OpenTask, Title: "six times seven"})
			st = s.seeItem(AssistantSaid, "Forty-two.", "completed")
			s.want(st.count(UserSaid, "six times seven", "completed") == 1 && st.count("", "Blue", "") == 0, "it shows something else")
			s.prompt("And seven times seven?")
			s.seeItem(AssistantSaid, "Forty-nine.", "completed")
			s.seeEnd("completed")
		},
	},
	{
		tier: 1, name: "edit a message", expect: "an earlier message said anew takes what followed off the screen and out of the model's sight",
		model: `
reply
  call attempt_completion {"result":"Hello."}
reply
  call attempt_completion {"result":"Red is warm."}
reply
  break messages
  expect contains Hello.
  expect-last contains What of green?
  expect-not contains What of red?
  call attempt_completion {"result":"Green is calm."}
`,
		run: func(s *stage) {
			s.start()
			s.prompt("Good day.")
			s.seeEnd("completed")
			s.prompt("What of red?")
			s.seeItem(AssistantSaid, "Red is warm.", "completed")
			s.seeEnd("completed")
			s.do(Action{Verb: EditMessage, Title: "What of red?", Text: "What of green?"})
			s.seeItem(AssistantSaid, "Green is calm.", "completed")
			st := s.seeEnd("completed")
			s.want(st.count("", "ed is warm", "") == 0 && st.count("", "What of red?", "") == 0, "the old branch is still shown")
			s.want(st.count(UserSaid, "What of green?", "completed") == 1 && st.count(AssistantSaid, "Hello.", "completed") == 1, "something of the new branch is missing")
		},
	},
}

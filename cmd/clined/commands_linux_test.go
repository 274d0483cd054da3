package main

import (
	"strings"
	"testing"

	"clined/internal/test/fakellm"

	"github.com/creack/pty"
)

// A command of the real program's that asks gets what is typed, in a terminal of
// the size that is seen; a password is not shown, and what goes on in the
// background can be typed to and ended.
func TestCommandAtATerminal(t *testing.T) {
	model := fakellm.Start(t, `
reply
  call execute_command {"command":"read -s -p 'Password: ' p; echo; echo \"it has ${#p} letters\"; read -p 'Again? ' a; echo \"again: $a\"; stty size; trap 'stty size' WINCH; sleep 1000 & while ! wait; do :; done","interactive":true}
reply
  expect-last contains The user let the command go on in the background
  call attempt_completion {"result":"It runs."}
`)
	settings(t, `{"model": "m", "shell": "bash", "baseUrl": "`+model.URL()+`"}`)
	m := open(t, realBinary(t), 80, "run", "-i", "start it", "--cwd", workspace(t), "--yes")
	m.wait("and is not shown · /bg lets it go on without ·\n    /kill ends it\n  › ")
	m.enter("hunter2")
	m.wait("it has 7 letters")
	m.wait("[1] asks:\n    Again?\n  › ")
	m.enter("certainly")
	m.wait("again: certainly")
	m.wait("│ 40 74\n")
	if err := pty.Setsize(m.keys, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	m.wait("│ 30 94\n")
	m.enter("/bg")
	m.wait("goes on in the background")
	m.wait("It runs.")
	m.enter("/jobs")
	m.wait("output: ")
	m.enter("/kill")
	m.wait(": ended by a signal (terminated)")
	m.enter("/exit")
	if code := m.over(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text := m.text()
	if strings.Contains(text, "hunter2") || !strings.Contains(text, "› certainly\n") {
		t.Errorf("shown:\n%s", text)
	}
}

// A password that is typed when its command ends, or the task is stopped, is
// dropped, and the terminal shows again what is typed.
func TestPasswordBrokenOff(t *testing.T) {
	binary := realBinary(t)
	for name, tt := range map[string]struct {
		seconds string
		goesOn  func(m *terminal)
		code    int
	}{
		"the command goes on": {"3", func(m *terminal) { m.wait("I saw it.") }, 0},
		"the task is stopped": {"600", func(m *terminal) { m.keys.Write([]byte{3}) }, 130},
	} {
		t.Run(name, func(t *testing.T) {
			script := "reply\n  call execute_command {\"command\":\"read -t " + tt.seconds + " -s -p 'Password: ' p\",\"interactive\":true}\n"
			if tt.code == 0 {
				script += "reply\n  call attempt_completion {\"result\":\"I saw it.\"}\n"
			}
			model := fakellm.Start(t, script)
			settings(t, `{"model": "m", "shell": "bash", "baseUrl": "`+model.URL()+`"}`)
			m := open(t, binary, 80, "run", "-i", "start it", "--cwd", workspace(t), "--yes")
			m.wait("and is not shown")
			awaitNoEcho(t, m.keys)
			if _, err := m.keys.WriteString("hunter"); err != nil {
				t.Fatal(err)
			}
			tt.goesOn(m)
			if tt.code == 0 {
				m.enter("/exit")
			}
			if code := m.over(); code != tt.code {
				t.Errorf("exit code %d", code)
			}
			if text := m.text(); strings.Contains(text, "hunter") || tt.code == 0 && !strings.Contains(text, "/exit") {
				t.Errorf("shown:\n%s", text)
			}
		})
	}
}

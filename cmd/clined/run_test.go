package main

import (
	"bytes"
	"testing"

	"github.com/creack/pty"
)

// A front must know what a terminal is: it does not echo what the terminal
// echoed, and breaks lines at its width.
func TestConsoleOptionsKnowATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	defer tty.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 97}); err != nil {
		t.Fatal(err)
	}
	o := (&app{stdin: tty, stdout: tty, stderr: tty}).consoleOptions(false, false)
	if !o.InTTY || !o.OutTTY || !o.Color || o.Width != 97 {
		t.Errorf("on a terminal: InTTY %v, OutTTY %v, Color %v, Width %d", o.InTTY, o.OutTTY, o.Color, o.Width)
	}
	var out, errs bytes.Buffer
	o = (&app{stdin: &bytes.Buffer{}, stdout: &out, stderr: &errs}).consoleOptions(false, false)
	if o.InTTY || o.OutTTY || o.Color || o.Width != 0 {
		t.Errorf("on pipes: InTTY %v, OutTTY %v, Color %v, Width %d", o.InTTY, o.OutTTY, o.Color, o.Width)
	}
}

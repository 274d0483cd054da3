package main

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// awaitNoEcho waits until the terminal shows no longer what is typed.
func awaitNoEcho(t *testing.T, tty *os.File) {
	t.Helper()
	for t.Context().Err() == nil {
		state, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		if state.Lflag&unix.ECHO == 0 {
			return
		}
		runtime.Gosched()
	}
}

//go:build unix

package main

import "golang.org/x/sys/unix"

// hideTyping keeps a terminal from showing what is typed, but for the ends of
// lines, until restore; nil for what is no terminal. A line that is not complete
// at either moment is dropped: a password must not become part of a prompt.
func hideTyping(fd int) (hide func() (restore func())) {
	if _, err := unix.IoctlGetTermios(fd, getTermios); err != nil {
		return nil
	}
	return func() func() {
		before, err := unix.IoctlGetTermios(fd, getTermios)
		if err != nil {
			return func() {}
		}
		hidden := *before
		hidden.Lflag = hidden.Lflag&^unix.ECHO | unix.ECHONL
		if unix.IoctlSetTermios(fd, setTermios, &hidden) != nil {
			return func() {}
		}
		return func() { _ = unix.IoctlSetTermios(fd, setTermios, before) }
	}
}

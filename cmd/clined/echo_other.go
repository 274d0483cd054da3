//go:build !unix

package main

// hideTyping is not there: what is typed for a command is shown.
func hideTyping(int) (hide func() (restore func())) { return nil }

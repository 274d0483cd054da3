package main

import "golang.org/x/sys/unix"

// setTermios drops what was typed and not read.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETSF
)

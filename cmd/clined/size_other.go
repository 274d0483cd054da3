//go:build !unix

package main

// onResize does nothing: no signal tells.
func onResize(func()) (stop func()) { return func() {} }

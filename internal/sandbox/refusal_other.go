//go:build !unix

package sandbox

func couldWrite(string, int) bool { return false }

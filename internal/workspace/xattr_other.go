//go:build !linux

package workspace

import "os"

func copyAttributes(f, like *os.File) error { return nil }

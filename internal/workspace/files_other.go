//go:build !unix

package workspace

import "io/fs"

const openNonblock = 0

func linkCount(fs.FileInfo) uint64 { return 1 }

func fileID(fs.FileInfo) string { return "" }

func copyOwner(*fileHandle, fs.FileInfo) error { return nil }

func syncDir(*dirHandle) error { return nil }

//go:build !linux && !darwin

package store

// bootID is not known here; a lease goes by its beats alone.
func bootID() string { return "" }

// processStart cannot tell here.
func processStart(int) (start string, known bool) { return "", false }

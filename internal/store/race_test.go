//go:build race

package store_test

// slow tells that the race detector watches SQLite, which is Go here.
const slow = true

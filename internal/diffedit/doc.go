// Package diffedit owns edits as text: the SEARCH/REPLACE blocks that models
// write (Parse), the search for the place each one means (the match ladder
// behind Apply), and diffs for people and models (Unified, Numbered).
//
// It is pure: text in, text out, no I/O, no file names beyond labels. It never
// guesses between two places, and a byte outside of an edit never changes.
// Anyone may import it.
//
// The stages are apart so that each can grow: parse.go knows markers and no
// file, lines.go cuts a text into lines, match.go finds places, render.go
// writes the new lines in the file's own style, apply.go puts them together,
// miss.go words what the model is told when nothing fits.
package diffedit

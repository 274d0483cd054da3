// Package diffedit owns edits as text: the SEARCH/REPLACE blocks that models
// write (Parser, Draft), the search for the place each one means (the match
// ladder behind Apply and Text), diffs for people, models and editors (Unified,
// Numbered, LineEdits), and taking some hunks of a change (Hunks, Accept).
//
// It is pure: text in, text out, no I/O, no file names beyond labels. It never
// guesses between two places, and a byte outside of an edit never changes. All
// of it takes time linear in its input, or gives up in words. Anyone may import
// it.
//
// The stages are apart so that each can grow: parse.go and marker.go know
// markers and no file, lines.go cuts a text into lines, reach.go finds where
// lines begin to stand, match.go the places of a SEARCH, reading.go and locate.go
// the one that is meant, indent.go, move.go and render.go write the new lines in
// the file's own style, where stray.go, doubt.go and blanks.go know what is not
// certain, apply.go puts them together, nested.go parts blocks that hold others,
// miss.go and nearby.go word what the model is told when nothing fits. diff.go
// compares texts.
package diffedit

// Package v4a owns the V4A patch format, the one of the tool apply_patch: the
// parser of what models write of it, whole or growing, and the search for the
// place that each chunk means.
//
//	*** Begin Patch
//	*** Update File: path
//	*** Move to: other path
//	@@ class A
//	@@ def run(self):
//	 a line that stays
//	-a line that goes
//	+a line that comes
//	*** End of File
//	*** Add File: path
//	+the lines of the file
//	*** Delete File: path
//	*** End Patch
//
// It is pure, like its parent: texts in, texts out; paths are labels to it, and
// whether a file exists or may be touched is the caller's to know. It never
// guesses between two places, leaves out no chunk, and changes no byte outside
// of what a chunk changes. Anyone may import it.
//
// patch.go says what a patch is, markers.go what its lines are, parser.go and
// section.go read it line by line, unified.go the headers of plain unified
// diffs; chunk.go has the readings of a chunk, scope.go and block.go what its
// anchors say, place.go finds where it is meant, order.go lets the order of
// chunks decide, apply.go puts them together, miss.go words what the model is
// told.
package v4a

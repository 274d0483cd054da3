package diffedit

// Kind says why blocks could not be applied.
type Kind string

// The kinds.
const (
	// Syntax: the diff is not made of blocks.
	Syntax Kind = "syntax"
	// Miss: SEARCH is nowhere in the text.
	Miss Kind = "miss"
	// Ambiguous: SEARCH fits several places.
	Ambiguous Kind = "ambiguous"
	// Overlap: two blocks want to change the same lines.
	Overlap Kind = "overlap"
	// EmptySearch: SEARCH is empty though the text is not.
	EmptySearch Kind = "empty search"
)

// Error says why nothing was changed, in words for the model, at most 2 kB.
type Error struct {
	Kind Kind
	// Block is the number of the first block concerned, from 1; 0 for none.
	Block int
	text  string
}

func (e *Error) Error() string { return e.text }

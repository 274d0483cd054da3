package console

import (
	"encoding/json"
	"errors"

	"clined/internal/rpc"
)

// Problem is what the user is told: a sentence, and what to do next.
type Problem struct {
	Text, Hint string
	// Usage is true when the command line was at fault.
	Usage bool
}

// Error returns the sentence.
func (p *Problem) Error() string { return p.Text }

// problem is what the daemon answered, without the code that programs go by.
func problem(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	var e *rpc.Error
	if !errors.As(err, &e) {
		return &Problem{Text: err.Error()}
	}
	var data struct {
		Hint string `json:"hint"`
	}
	_ = json.Unmarshal(e.Data, &data) // it may be of another kind, or missing
	return &Problem{Text: e.Message, Hint: data.Hint}
}

// fail shows why something did not work.
func (f *Front) fail(err error) {
	p := problem(err)
	f.show.failure(p.Text, p.Hint)
}

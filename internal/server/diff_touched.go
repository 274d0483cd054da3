package server

import (
	"clined/internal/diffedit"
	"clined/internal/tools"
)

// changed takes the proposed side as it is now. While the model writes it is not
// the user's to change.
func (v *view) changed(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.final && !v.ended {
		v.user = &text
		v.touches++
	}
}

// shows is the proposed side as the user left it.
func (v *view) showsLocked() string {
	if v.user != nil {
		return *v.user
	}
	return v.shown
}

// allow notes that what is shown now is allowed, and returns it if the user made
// another text of the proposal.
func (v *view) allow() (text string, changed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text = v.showsLocked()
	v.allowed = &text
	return text, text != v.shown
}

// touched makes on text what the user changed since it was allowed, and takes that
// for allowed too; see tools.Diffs.Touched.
func (v *view) touched(text string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	was, now := v.shown, v.showsLocked()
	if v.allowed != nil {
		was = *v.allowed
	}
	if was == now {
		return text, nil
	}
	merged, ok := diffedit.Merge(was, now, text)
	if !ok {
		return now, tools.ErrTouched
	}
	v.allowed = &now
	return merged, nil
}

func (v *view) timesTouched() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.touches
}

// touchedSince returns what the user made of the proposal since they had been at
// it so often, nil for nothing.
func (v *view) touchedSince(touches int) *string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.touches == touches {
		return nil
	}
	now := v.showsLocked()
	return &now
}

// userText returns what the user made of the proposal, if that is another text.
func (v *view) userText() (text string, changed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.user == nil || *v.user == v.shown {
		return "", false
	}
	return *v.user, true
}

package fakeeditor

// WaitingLocked are the decisions that are open, the oldest first, for Until.
func (e *Editor) WaitingLocked() (approvals []*Approval, asks []*Ask) {
	for _, a := range e.approvals {
		if !a.answered && !a.withdrawn {
			approvals = append(approvals, a)
		}
	}
	for _, a := range e.asks {
		if !a.answered && !a.withdrawn {
			asks = append(asks, a)
		}
	}
	return approvals, asks
}

// TextsLocked are the open buffers' texts by URI, for Until.
func (e *Editor) TextsLocked() map[string]string {
	texts := make(map[string]string, len(e.buffers))
	for uri, b := range e.buffers {
		texts[uri] = b.Text
	}
	return texts
}

package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/tools"
)

const (
	// applyLimit is how long an editor may take to answer an edit.
	applyLimit = 30 * time.Second
	// showLimit is how long it may take to show the text of an edit that it said
	// was applied, and doubtLimit of one that it did not say that of.
	showLimit  = 5 * time.Second
	doubtLimit = 200 * time.Millisecond
)

// editor changes open buffers by workspace/applyEdit.
type editor struct {
	s *server
	// operations are the changes to files that it does, from initialize on.
	operations []string

	mu sync.Mutex
	// changed is closed and replaced whenever a document changed.
	changed chan struct{}
	// onDisk has the documents that did not change since they were saved. Versions
	// would not tell: some editors say one twice.
	onDisk map[string]bool
}

// happened wakes who waits for a document to change.
func (e *editor) happened() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.changed)
	e.changed = make(chan struct{})
}

// saved and edited note what became of a document.
func (e *editor) saved(uri string) {
	if _, ok := e.s.workspace.Document(uri); !ok {
		return
	}
	e.mu.Lock()
	if e.onDisk == nil {
		e.onDisk = map[string]bool{}
	}
	e.onDisk[fileuri.Canonical(uri)] = true
	e.mu.Unlock()
	e.happened()
}

func (e *editor) edited(uri string) {
	e.mu.Lock()
	delete(e.onDisk, fileuri.Canonical(uri))
	e.mu.Unlock()
	e.happened()
}

func (e *editor) isSaved(uri string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.onDisk[fileuri.Canonical(uri)]
}

func (e *editor) next() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changed
}

// ApplyEdit implements workspace.Editor: one change, bound to the version, of no
// more than what differs, and then the buffer itself as the proof. What the editor
// answers is only a hint: some say "applied" before they did it, or to an edit
// of a version they do not have.
func (e *editor) ApplyEdit(ctx context.Context, path string, version int32, oldText, newText string) (text string, saved bool, err error) {
	doc, ok := e.s.workspace.Document(path)
	switch {
	case !ok:
		return "", false, fmt.Errorf("it is not open any more: %w", tools.ErrChanged)
	case doc.Version != version || doc.Text != oldText:
		return "", false, tools.ErrChanged
	case oldText == newText:
		return newText, e.isSaved(doc.URI), nil
	}
	limited, cancel := context.WithTimeout(ctx, applyLimit)
	defer cancel()
	res, err := e.s.client.ApplyEdit(limited, &protocol.ApplyEditParams{
		Label: "clined",
		Edit: protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentEdit{{
			TextDocument: protocol.VersionedDocument{URI: doc.URI, Version: version},
			Edits:        textEdits(e.s.encoding, oldText, newText),
		}}},
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return "", false, ctx.Err()
	case limited.Err() != nil:
		err = fmt.Errorf("the edit was not answered within %v", applyLimit)
	case err != nil:
		err = fmt.Errorf("the edit failed: %w", err)
	case res == nil:
		err = errors.New("the edit was answered with null")
	case !res.Applied && res.FailureReason != "":
		err = fmt.Errorf("the edit was refused: %s", res.FailureReason)
	case !res.Applied:
		err = errors.New("the edit was refused")
	}
	if err != nil {
		return e.doubt(ctx, doc.URI, oldText, newText, err)
	}
	return e.await(ctx, doc.URI, oldText, newText, showLimit)
}

// doubt looks whether an edit that is said to have failed was made all the same.
func (e *editor) doubt(ctx context.Context, uri, oldText, newText string, failure error) (string, bool, error) {
	text, saved, err := e.await(ctx, uri, oldText, newText, doubtLimit)
	switch {
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case err != nil:
		return "", false, failure
	case text != newText:
		return "", false, fmt.Errorf("%w; but its text is another by now", failure)
	}
	e.s.log.Warn("the editor made an edit without saying so", "uri", uri, "err", failure)
	return text, saved, nil
}

// await waits until the buffer holds newText. Another text that is still there
// at the limit is what the editor made of it.
func (e *editor) await(ctx context.Context, uri, oldText, newText string, most time.Duration) (string, bool, error) {
	limit := time.NewTimer(most)
	defer limit.Stop()
	for {
		next := e.next() // before the look, so that no change is missed
		doc, ok := e.s.workspace.Document(uri)
		if ok && doc.Text == newText {
			return newText, e.isSaved(uri), nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return "", false, ctx.Err()
		case <-limit.C:
			switch {
			case !ok:
				return "", false, errors.New("the file was closed while it was being edited")
			case doc.Text == oldText:
				return "", false, fmt.Errorf("the edit was said to be applied, but the new text did not show within %v", most)
			}
			return doc.Text, e.isSaved(uri), nil
		}
	}
}

// settle waits until the buffer of a saved file, if it has one, is known to hold
// the text that was saved: what the editor tells of it may come behind its answer.
func (e *editor) settle(ctx context.Context, uri, text string) {
	limit := time.NewTimer(showLimit)
	defer limit.Stop()
	for {
		next := e.next()
		doc, ok := e.s.workspace.Document(uri)
		if !ok || plain(doc.Text) == text {
			return
		}
		select {
		case <-next:
		case <-ctx.Done():
			return
		case <-limit.C:
			return
		}
	}
}

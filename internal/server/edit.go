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

// showLimit is how long an editor may take to show the text of an edit that it
// said was applied.
const showLimit = 5 * time.Second

// editor changes open buffers by workspace/applyEdit.
type editor struct {
	s *server

	mu sync.Mutex
	// changed is closed and replaced whenever a document changed.
	changed chan struct{}
	// onDisk holds the version of each document when it was last saved.
	onDisk map[string]int32
}

// happened wakes who waits for a document to change.
func (e *editor) happened() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.changed)
	e.changed = make(chan struct{})
}

func (e *editor) saved(uri string) {
	d, ok := e.s.workspace.Document(uri)
	if !ok {
		return
	}
	e.mu.Lock()
	if e.onDisk == nil {
		e.onDisk = map[string]int32{}
	}
	e.onDisk[fileuri.Canonical(uri)] = d.Version
	e.mu.Unlock()
	e.happened()
}

// closed forgets a document.
func (e *editor) closed(uri string) {
	e.mu.Lock()
	delete(e.onDisk, fileuri.Canonical(uri))
	e.mu.Unlock()
	e.happened()
}

func (e *editor) isSaved(uri string, version int32) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, ok := e.onDisk[fileuri.Canonical(uri)]
	return ok && v == version
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
		return newText, e.isSaved(doc.URI, version), nil
	}
	res, err := e.s.client.ApplyEdit(ctx, &protocol.ApplyEditParams{
		Label: "clined",
		Edit: protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentEdit{{
			TextDocument: protocol.VersionedDocument{URI: doc.URI, Version: version},
			Edits:        textEdits(e.s.encoding, oldText, newText),
		}}},
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return "", false, ctx.Err()
	case err != nil:
		return "", false, fmt.Errorf("the edit failed: %w", err)
	case res == nil:
		return "", false, errors.New("the edit was answered with null")
	case !res.Applied && res.FailureReason != "":
		return "", false, fmt.Errorf("the edit was refused: %s", res.FailureReason)
	case !res.Applied:
		return "", false, errors.New("the edit was refused")
	}
	return e.await(ctx, doc.URI, oldText, newText)
}

// await waits until the buffer holds newText. Another text that is still there
// at the limit is what the editor made of it.
func (e *editor) await(ctx context.Context, uri, oldText, newText string) (string, bool, error) {
	limit := time.NewTimer(showLimit)
	defer limit.Stop()
	for {
		next := e.next() // before the look, so that no change is missed
		doc, ok := e.s.workspace.Document(uri)
		if ok && doc.Text == newText {
			return newText, e.isSaved(uri, doc.Version), nil
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
				return "", false, fmt.Errorf("the edit was said to be applied, but the new text did not show within %v", showLimit)
			}
			return doc.Text, e.isSaved(uri, doc.Version), nil
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

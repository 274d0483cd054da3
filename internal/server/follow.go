package server

import (
	"context"
	"slices"
	"time"

	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/workspace"
)

var _ workspace.Follower = (*editor)(nil)

// RenameFile implements workspace.Follower.
func (e *editor) RenameFile(ctx context.Context, from, to string) bool {
	doc, ok := e.s.workspace.Document(from)
	if !ok || !slices.Contains(e.operations, protocol.ResourceRename) {
		return false
	}
	return e.operate(ctx, doc.URI, protocol.DocumentEdit{Kind: protocol.ResourceRename, OldURI: doc.URI, NewURI: fileuri.FromPath(to)})
}

// DeleteFile implements workspace.Follower.
func (e *editor) DeleteFile(ctx context.Context, path string) bool {
	doc, ok := e.s.workspace.Document(path)
	if !ok || !slices.Contains(e.operations, protocol.ResourceDelete) {
		return false
	}
	return e.operate(ctx, doc.URI, protocol.DocumentEdit{
		Kind: protocol.ResourceDelete, URI: doc.URI, Options: &protocol.ResourceOptions{IgnoreIfNotExists: true},
	})
}

// operate has the editor change a file that it has open. What counts is that the
// document of that name is closed then: it is waited for, as some editors tell of
// it behind their answer.
func (e *editor) operate(ctx context.Context, uri string, change protocol.DocumentEdit) bool {
	limited, cancel := context.WithTimeout(ctx, applyLimit)
	defer cancel()
	res, err := e.s.client.ApplyEdit(limited, &protocol.ApplyEditParams{
		Label: "clined", Edit: protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentEdit{change}},
	})
	limit := showLimit
	if err != nil || res == nil || !res.Applied {
		e.s.log.Warn("the editor did not follow", "kind", change.Kind, "uri", uri, "answer", res, "err", err)
		limit = doubtLimit
	}
	return e.awaitClosed(ctx, uri, limit)
}

// awaitClosed waits until a document is closed, but not for long.
func (e *editor) awaitClosed(ctx context.Context, uri string, most time.Duration) bool {
	limit := time.NewTimer(most)
	defer limit.Stop()
	for {
		next := e.next()
		if _, open := e.s.workspace.Document(uri); !open {
			return true
		}
		select {
		case <-next:
		case <-ctx.Done():
			return false
		case <-limit.C:
			return false
		}
	}
}

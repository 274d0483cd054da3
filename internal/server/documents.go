package server

import (
	"context"

	"clined/internal/protocol"
)

// DidOpen puts a document over the disk. Opened again it replaces what was there.
func (s *server) DidOpen(_ context.Context, p *protocol.DidOpenParams) error {
	d := p.TextDocument
	if d.URI == "" {
		return protocol.InvalidParams("textDocument.uri", "is missing")
	}
	s.workspace.Open(d.URI, d.LanguageID, d.Version, d.Text)
	s.edits.edited(d.URI)
	return nil
}

// DidChange applies full and incremental changes. Those of a document that is
// not open are ignored: there is no text to apply them to.
func (s *server) DidChange(ctx context.Context, p *protocol.DidChangeParams) error {
	uri := p.TextDocument.URI
	err := s.workspace.Edit(uri, p.TextDocument.Version, func(text string) (string, error) {
		return s.encoding.Apply(text, p.ContentChanges), nil
	})
	switch {
	case err == nil:
	case uri != s.stray: // once, for more of them will follow
		s.stray = uri
		s.tell(ctx, "change of a document that is not open was ignored: "+uri)
		return nil
	default:
		return nil
	}
	s.edits.edited(uri)
	return nil
}

// DidClose uncovers the disk.
func (s *server) DidClose(_ context.Context, p *protocol.DidCloseParams) error {
	s.workspace.Close(p.TextDocument.URI)
	s.edits.edited(p.TextDocument.URI)
	return nil
}

// DidSave tells that buffer and disk are equal. A text sent along is not used:
// it may be older than the last change.
func (s *server) DidSave(_ context.Context, p *protocol.DidSaveParams) error {
	s.workspace.Saved(p.TextDocument.URI)
	s.edits.saved(p.TextDocument.URI)
	return nil
}

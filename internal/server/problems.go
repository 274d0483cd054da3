package server

import (
	"context"
	"errors"
	"time"

	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// pullLimit is how much longer than it may wait for checkers an editor may take
// to answer.
const pullLimit = 500 * time.Millisecond

// EditorDidChangeDiagnostics replaces what is known of a document's problems.
func (s *server) EditorDidChangeDiagnostics(_ context.Context, p *protocol.FileDiagnostics) error {
	path, ok := fileuri.Path(p.URI)
	if !ok {
		return nil // nothing is edited there
	}
	s.workspace.Publish(workspace.FileDiagnostics{Path: path, Version: p.Version, Items: problems(p.Diagnostics)})
	return nil
}

// checker asks an editor for problems that can be asked.
type checker struct{ s *server }

// Check implements workspace.Checker.
func (c checker) Check(ctx context.Context, path string, settle time.Duration) (f workspace.FileDiagnostics, known bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, settle+pullLimit)
	defer cancel()
	uri, _, _, _ := c.s.document(tools.Path{Abs: path, Real: path})
	res, err := c.s.client.DiagnosticsPull(ctx, &protocol.DiagnosticsPullParams{URIs: []string{uri}, SettleMs: int(settle.Milliseconds())})
	switch {
	case err != nil:
		return f, false, err
	case res == nil:
		return f, false, errors.New("it was answered with null")
	}
	for _, item := range res.Items {
		if fileuri.Canonical(item.URI) == fileuri.Canonical(uri) {
			return workspace.FileDiagnostics{Path: path, Version: item.Version, Items: problems(item.Diagnostics)}, true, nil
		}
	}
	return f, false, nil
}

func problems(list []protocol.Diagnostic) []workspace.Diagnostic {
	out := make([]workspace.Diagnostic, 0, len(list))
	for _, d := range list {
		severity := "error" // also when the editor says nothing
		switch d.Severity {
		case protocol.SeverityWarning:
			severity = "warning"
		case protocol.SeverityInformation:
			severity = "information"
		case protocol.SeverityHint:
			severity = "hint"
		}
		out = append(out, workspace.Diagnostic{Line: int(d.Range.Start.Line) + 1, Severity: severity, Message: d.Message, Source: d.Source})
	}
	return out
}

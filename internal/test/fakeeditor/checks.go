package fakeeditor

import (
	"encoding/json"
	"strings"

	"clined/internal/protocol"
)

// Checks are what looks for problems in buffers: a line with "BUG" is an error,
// one with "WARN" a warning. The zero value looks for nothing.
type Checks struct {
	On bool
	// Versions are told with what was found.
	Versions bool
	// Stale: what was found in the text before comes once more, in front.
	Stale bool
	// Pull: nothing is told, but answered.
	Pull bool
}

// HaveChecks makes the editor one that checks its buffers.
func (e *Editor) HaveChecks(c Checks) { e.update(func() { e.checks = c }) }

// check tells what is wrong with a buffer, as after each change of it.
func (e *Editor) check(uri string) error {
	e.mu.Lock()
	c, b := e.checks, e.buffers[uri]
	var told []protocol.FileDiagnostics
	if b != nil && c.On && !c.Pull {
		if n := len(b.undo); c.Stale && n > 0 {
			told = append(told, c.find(uri, b.undo[n-1], b.Version-1))
		}
		told = append(told, c.find(uri, b.Text, b.Version))
	}
	e.mu.Unlock()
	for _, f := range told {
		if err := e.Notify("clined/editor/didChangeDiagnostics", f); err != nil {
			return err
		}
	}
	return nil
}

func (c Checks) find(uri, text string, version int32) protocol.FileDiagnostics {
	f := protocol.FileDiagnostics{URI: uri, Diagnostics: []protocol.Diagnostic{}}
	if c.Versions {
		f.Version = version
	}
	for i, line := range strings.Split(shown(text), "\n") {
		d := protocol.Diagnostic{Message: strings.TrimSpace(line), Source: "check"}
		d.Range.Start.Line, d.Range.End.Line = uint32(i), uint32(i)
		switch {
		case strings.Contains(line, "BUG"):
			d.Severity = protocol.SeverityError
		case strings.Contains(line, "WARN"):
			d.Severity = protocol.SeverityWarning
		default:
			continue
		}
		f.Diagnostics = append(f.Diagnostics, d)
	}
	return f
}

// onPull answers for what is open.
func (e *Editor) onPull(raw json.RawMessage) (any, error) {
	var p protocol.DiagnosticsPullParams
	if err := json.Unmarshal(raw, &p); err != nil {
		e.t.Errorf("a pull that cannot be read: %v: %s", err, raw)
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.checks.Pull {
		e.t.Errorf("the daemon pulls from an editor that did not announce that: %s", raw)
	}
	res := protocol.DiagnosticsPullResult{Items: []protocol.FileDiagnostics{}}
	for _, uri := range p.URIs {
		if b := e.buffers[uri]; b != nil {
			res.Items = append(res.Items, e.checks.find(uri, b.Text, b.Version))
		}
	}
	return res, nil
}

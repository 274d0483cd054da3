package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/tools"
	"clined/internal/workspace"
)

func (r *rig) text(uri string) string {
	r.t.Helper()
	r.settle()
	d, ok := r.backend.ws.Document(uri)
	if !ok {
		return "(not open)"
	}
	return fmt.Sprintf("%d:%s", d.Version, d.Text)
}

func (r *rig) open(uri, text string) {
	r.t.Helper()
	if err := r.server.DidOpen(r.ctx(), &protocol.DidOpenParams{TextDocument: protocol.TextDocumentItem{URI: uri, Version: 1, Text: text}}); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) change(uri string, version int, changes string) {
	r.t.Helper()
	r.notify(protocol.MethodDidChange, fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}`, uri, version, changes))
}

func TestDocumentSync(t *testing.T) {
	r := start(t, `{}`) // UTF-16
	const uri = "file:///w/a%20b.go"
	r.open(uri, "s := \"日本😀go\"\r\nx\n")
	r.change(uri, 2, `[{"range":{"start":{"line":0,"character":10},"end":{"line":0,"character":12}},"text":"C"},
		{"range":{"start":{"line":1,"character":99},"end":{"line":99,"character":0}},"text":"!"}]`)
	if got := r.text(uri); got != "2:s := \"日本😀C\"\r\nx!" {
		t.Errorf("incremental: %q", got)
	}
	r.change("file:///w/a b.go", 3, `[{"text":"whole"}]`) // another spelling
	if got := r.text(uri); got != "3:whole" {
		t.Errorf("full: %q", got)
	}
	r.change(uri, 4, `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"the "}]`)
	if got := r.text(uri); got != "4:the whole" {
		t.Errorf("an insertion at 0:0: %q", got)
	}
	r.open(uri, "again")
	if got := r.text(uri); got != "1:again" {
		t.Errorf("opened again: %q", got)
	}
	r.notify(protocol.MethodDidClose, `{"textDocument":{"uri":"`+uri+`"}}`)
	r.notify(protocol.MethodDidClose, `{"textDocument":{"uri":"`+uri+`"}}`)
	r.notify(protocol.MethodDidSave, `{"textDocument":{"uri":"`+uri+`"}}`)
	r.change(uri, 5, `[{"text":"late"}]`)
	r.change(uri, 6, `[{"text":"later"}]`)
	if got := r.text(uri); got != "(not open)" {
		t.Errorf("closed: %q", got)
	}
	r.client.until(t, "the log message", func() bool { return len(r.client.logs) == 1 })
	if !strings.Contains(r.client.logs[0], "not open was ignored: "+uri) {
		t.Errorf("log %q", r.client.logs)
	}
	r.settle()
	if len(r.client.logs) != 1 {
		t.Errorf("told more than once: %q", r.client.logs)
	}
	for _, other := range []string{"untitled:Untitled-1", "vscode-notebook-cell:/w/n.ipynb#W0", "git:/w/a.go"} {
		r.open(other, "x")
		if got := r.text(other); got != "1:x" {
			t.Errorf("%s: %q", other, got)
		}
		if d, _ := r.backend.ws.Document(other); d.Path != "" {
			t.Errorf("%s is on disk as %s", other, d.Path)
		}
	}
}

// Notifications that cannot be read do no harm.
func TestBadNotifications(t *testing.T) {
	r := start(t, everything)
	r.notify(protocol.MethodDidOpen, `{"textDocument":{"uri":7}}`)
	r.notify(protocol.MethodDidOpen, `{}`)
	r.notify(protocol.MethodDidChange, `[]`)
	r.notify(protocol.MethodDidChange, `{}`)
	r.notify(protocol.MethodEditorDidChangeState, `{"visible":"x"}`)
	r.settle()
	if docs := r.backend.ws.Documents(); len(docs) != 0 {
		t.Errorf("documents %v", docs)
	}
}

// buffer makes the client an editor with one open buffer.
func (r *rig) buffer(uri, text string, behave func(p *protocol.ApplyEditParams, show func(text string)) *protocol.ApplyEditResult) {
	r.open(uri, text)
	r.settle()
	r.client.apply = func(p *protocol.ApplyEditParams) (*protocol.ApplyEditResult, error) {
		e := p.Edit.DocumentChanges[0]
		version := e.TextDocument.Version
		return behave(p, func(text string) {
			version++
			r.change(e.TextDocument.URI, int(version), fmt.Sprintf(`[{"text":%q}]`, text))
		}), nil
	}
}

func TestApplyEdit(t *testing.T) {
	const before, after = "eins\nzwei 😀\ndrei\n", "eins\nzwei 😁\ndrei\n"
	applied := &protocol.ApplyEditResult{Applied: true}
	path := filepath.Join(t.TempDir(), "a b.txt")
	uri := "file://" + strings.ReplaceAll(filepath.ToSlash(path), " ", "%20")
	tests := []struct {
		name   string
		behave func(p *protocol.ApplyEditParams, show func(string)) *protocol.ApplyEditResult
		err    string
	}{
		{"shown, then answered", func(_ *protocol.ApplyEditParams, show func(string)) *protocol.ApplyEditResult {
			show(after)
			return applied
		}, ""},
		{"in two steps", func(_ *protocol.ApplyEditParams, show func(string)) *protocol.ApplyEditResult {
			show("eins\nzwei \ndrei\n")
			show(after)
			return applied
		}, ""},
		{"refused", func(*protocol.ApplyEditParams, func(string)) *protocol.ApplyEditResult {
			return &protocol.ApplyEditResult{FailureReason: "E325: swap file"}
		}, "the edit was refused: E325: swap file"},
		{"refused without a reason", func(*protocol.ApplyEditParams, func(string)) *protocol.ApplyEditResult {
			return &protocol.ApplyEditResult{}
		}, "the edit was refused"},
		{"null", func(*protocol.ApplyEditParams, func(string)) *protocol.ApplyEditResult { return nil },
			"the edit was answered with null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, everything)
			r.buffer(uri, before, func(p *protocol.ApplyEditParams, show func(string)) *protocol.ApplyEditResult {
				e := p.Edit.DocumentChanges[0]
				// The smallest edit, in UTF-8 columns, for the version, under the editor's own name.
				if len(e.Edits) != 1 || e.Edits[0].NewText != "😁" || e.Edits[0].Range.Start.Line != 1 ||
					e.Edits[0].Range.Start.Character != 5 || e.Edits[0].Range.End.Character != 9 ||
					e.TextDocument.Version != 1 || e.TextDocument.URI != uri {
					t.Errorf("%+v", e)
				}
				return tt.behave(p, show)
			})
			text, saved, err := r.backend.spec.Editor.ApplyEdit(r.ctx(), path, 1, before, after)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("err = %v", err)
				}
				return
			}
			if err != nil || text != after || saved {
				t.Errorf("%q, %v, %v", text, saved, err)
			}
		})
	}

	t.Run("stale", func(t *testing.T) {
		r := start(t, everything)
		r.buffer(uri, before, nil)
		editor := r.backend.spec.Editor
		for _, try := range []struct {
			path    string
			version int32
			old     string
		}{{path, 2, before}, {path, 1, "other"}, {path + "x", 1, before}} {
			if _, _, err := editor.ApplyEdit(r.ctx(), try.path, try.version, try.old, after); !errors.Is(err, tools.ErrChanged) {
				t.Errorf("%+v: %v", try, err)
			}
		}
		if text, saved, err := editor.ApplyEdit(r.ctx(), path, 1, before, before); text != before || saved || err != nil {
			t.Errorf("nothing to change: %q, %v, %v", text, saved, err)
		}
		r.notify(protocol.MethodDidSave, `{"textDocument":{"uri":"`+uri+`"}}`)
		r.settle()
		if _, saved, _ := editor.ApplyEdit(r.ctx(), path, 1, before, before); !saved {
			t.Error("a saved buffer is not told as saved")
		}
	})

	t.Run("an error of the editor", func(t *testing.T) {
		r := start(t, everything)
		r.buffer(uri, before, nil)
		r.client.apply = func(*protocol.ApplyEditParams) (*protocol.ApplyEditResult, error) {
			return nil, rpc.Errorf(32603, "version")
		}
		_, _, err := r.backend.spec.Editor.ApplyEdit(r.ctx(), path, 1, before, after)
		if err == nil || err.Error() != "the edit failed: version (code 32603)" {
			t.Errorf("err = %v", err)
		}
	})

	t.Run("cancelled while the editor asks", func(t *testing.T) {
		r := start(t, everything)
		ctx, cancel := context.WithCancel(t.Context())
		hold := make(chan struct{})
		r.buffer(uri, before, func(*protocol.ApplyEditParams, func(string)) *protocol.ApplyEditResult {
			cancel()
			<-hold
			return applied
		})
		if _, _, err := r.backend.spec.Editor.ApplyEdit(ctx, path, 1, before, after); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
		close(hold)
	})
}

func TestEditorState(t *testing.T) {
	r := start(t, everything)
	push := func(s string) workspace.State {
		r.notify(protocol.MethodEditorDidChangeState, s)
		r.settle()
		return r.backend.ws.State()
	}
	st := push(`{"rev":5,
		"active":{"uri":"file:///w/a%20b.go","selections":[
			{"start":{"line":3,"character":4},"end":{"line":3,"character":4}},
			{"start":{"line":1,"character":0},"end":{"line":4,"character":0}},
			{"start":{"line":9,"character":2},"end":{"line":7,"character":1}}]},
		"visible":[{"uri":"file:///w/a%20b.go","ranges":[]},{"uri":"untitled:U"},{"uri":"file:///w/c.go"}],
		"tabs":[{"uri":"file:///w/c.go","dirty":true},{"uri":"output:x"},{"uri":"file:///w/a%20b.go"}],
		"terminals":[{"id":"1","name":"zsh","cwd":"/w","busy":true,"command":"make","output":"ok"}],
		"checkedLanguages":["go","c"],
		"diagnostics":[{"uri":"file:///w/c.go","version":3,"diagnostics":[
			{"range":{"start":{"line":4,"character":0},"end":{"line":4,"character":1}},"severity":2,"message":"unused","source":"vet"},
			{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"message":"plain"}]}]}`)
	want := `{Active:/w/a b.go Visible:[/w/a b.go /w/c.go] Tabs:[{Path:/w/c.go Dirty:true} {Path:/w/a b.go Dirty:false}] ` +
		`Terminals:[{ID:1 Name:zsh Cwd:/w Busy:true Command:make Output:ok}] ` +
		`Selections:[{Path:/w/a b.go StartLine:2 EndLine:4} {Path:/w/a b.go StartLine:8 EndLine:10}] ` +
		`Diagnostics:[{Path:/w/c.go Version:3 Items:[{Line:5 Severity:warning Message:unused Source:vet} {Line:1 Severity:error Message:plain Source:}]}] Checked:[go c]}`
	if got := fmt.Sprintf("%+v", st); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if st := push(`{"rev":4,"visible":[],"tabs":[]}`); len(st.Visible) != 2 {
		t.Errorf("an older state counts: %+v", st)
	}
	if st := push(`{"rev":6,"visible":[{"uri":"file:///w/d.go"}],"tabs":[]}`); len(st.Visible) != 1 || st.Active != "" {
		t.Errorf("a newer state: %+v", st)
	}
	if st := push(`{"visible":[],"tabs":[]}`); len(st.Visible) != 0 {
		t.Errorf("an unnumbered state: %+v", st)
	}
}

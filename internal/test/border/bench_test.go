package border

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"clined/internal/approval"
	"clined/internal/codedefs"
	"clined/internal/doctext"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/tools/builtin"
	"clined/internal/workspace"
)

// A bench is the tools of one task in a real folder. The user allows everything
// inside of it and answers no to every question.
type bench struct {
	t        *testing.T
	top, dir string // dir is the workspace, in top
	ws       *workspace.Workspace
	set      *tools.Set
	mode     tools.Mode

	// between runs when a call is judged: it was looked at, and is not done yet.
	between func()

	mu    sync.Mutex
	asked []approval.Request
}

func newBench(t *testing.T, roots ...string) *bench {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, top: top, dir: filepath.Join(top, "ws"), mode: tools.Act}
	var paths []string
	for _, r := range append([]string{"ws"}, roots...) {
		paths = append(paths, filepath.Join(top, r))
		if err := os.MkdirAll(paths[len(paths)-1], 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.ws = workspace.New(workspace.Options{Roots: paths, Own: []string{filepath.Join(top, "config")}, Log: slog.New(slog.DiscardHandler)})
	tree := b.ws.Tree()
	var r tools.Registry
	builtin.Register(&r, builtin.Deps{
		Files: b.ws, Images: b.ws, Lister: tree, Searcher: tree, Definitions: codedefs.New(), CWD: b.dir,
		Documents: &doctext.Reader{Files: b.ws},
	})
	b.set = tools.NewSet(tools.SetConfig{
		Registry: &r, Context: func() tools.Context { return tools.Context{Family: llm.NextGen, CWD: b.dir, Images: true} },
		Runner: approval.NewGate(approval.GateOptions{Approver: b, Policy: func() approval.Policy {
			p := approval.Policy{Settings: approval.Settings{Read: true, Edit: true}}
			p.Hidden = b.ws.Words().Hidden
			if b.between != nil {
				b.between()
			}
			return p
		}}),
	})
	return b
}

// Approve implements approval.Approver.
func (b *bench) Approve(_ context.Context, r approval.Request) (approval.Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, r)
	return approval.Answer{}, nil
}

// questions returns how often the user was asked since the last time.
func (b *bench) questions() []approval.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	asked := b.asked
	b.asked = nil
	return asked
}

func (b *bench) put(files ...string) {
	b.t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(b.top, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) link(target, name string) {
	b.t.Helper()
	if err := os.Symlink(target, filepath.Join(b.top, name)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) text(name string) string {
	raw, err := os.ReadFile(filepath.Join(b.top, name))
	if err != nil {
		return "missing"
	}
	return string(raw)
}

// A call is a tool with arguments.
type call struct {
	tool string
	args map[string]any
}

func (b *bench) run(c call) tools.Result {
	args := tools.Args{}
	for name, v := range c.args {
		raw, err := json.Marshal(v)
		if err != nil {
			b.t.Error(err)
		}
		args[name] = raw
	}
	return b.set.Run(b.t.Context(), tools.Call{ID: "c", Name: c.tool, Args: args, Mode: b.mode})
}

const searchMark, divider, replaceMark = "------- SEARCH\n", "=======\n", "+++++++ REPLACE\n"

func patch(sections ...string) string {
	return "*** Begin Patch\n" + strings.Join(sections, "") + "*** End Patch\n"
}

// fileText is what the file has that calls are about. Its canary is in no call.
const fileText = "first\nKEY=CANARY\nlast\n"

// calls are all ways to get at a file by its path. open.txt stands beside it and
// holds "open".
func calls(path string) []call {
	return []call{
		{"read_file", map[string]any{"path": path}},
		{"read_file", map[string]any{"path": path, "start_line": 2, "end_line": 2}},
		{"read_file", map[string]any{"files": []map[string]any{{"path": "open.txt"}, {"path": path}}}},
		{"list_files", map[string]any{"path": path}},
		{"list_files", map[string]any{"path": path, "recursive": true}},
		{"search_files", map[string]any{"path": path, "regex": "K.Y|."}},
		{"search_files", map[string]any{"path": ".", "regex": "K.Y", "file_pattern": path}},
		{"list_code_definition_names", map[string]any{"path": path}},
		{"write_to_file", map[string]any{"path": path, "content": "taken"}},
		{"replace_in_file", map[string]any{"path": path, "diff": searchMark + "first\n" + divider + "taken\n" + replaceMark}},
		{"replace_in_file", map[string]any{"path": path, "diff": searchMark + "KEY=CANERY\n" + divider + "taken\n" + replaceMark}}, // nearly what is there
		{"apply_patch", map[string]any{"input": patch("*** Update File: "+path+"\n@@\n-first\n", "+taken\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: "+path+"\n@@\n-KEY=CANERY\n", "+taken\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Delete File: " + path + "\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Add File: " + path + "\n+taken\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: "+path+"\n*** Move to: moved.txt\n@@\n-first\n", "+taken\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: open.txt\n*** Move to: "+path+"\n@@\n-open\n", "+taken\n")}},
	}
}

// onDisk returns where a path leads.
func (b *bench) onDisk(path string) string {
	p, err := b.ws.Resolve(path)
	if err != nil {
		b.t.Fatal(err)
	}
	return p.Real
}

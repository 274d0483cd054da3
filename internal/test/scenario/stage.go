// Package scenario plays stories: a txtar file holds a workspace, the script of
// a model and the script of a user in an editor; the real daemon runs between
// a fake editor and a fake model that is a real HTTP server.
//
// The parts of a file:
//
//	comment             what the story shows
//	-- script --        what the editor and its user do and see (see verbs.go)
//	-- model --         the model's replies (see package fakellm)
//	-- env --           variables of the daemon, one a line
//	-- settings.json -- the user's settings; $MODEL_URL is the model's address
//	-- mcp.json --      MCP servers; $FAKEMCP is the entry of a server that echoes,
//	                    $SERVER(NAME) that of the next part, $WEATHER a command
//	-- mcp/NAME.json -- a scripted MCP server (fakemcp.Script); its Entry is what
//	                    the settings say of it besides
//	-- ws/… --          files of the workspace; other top folders lie beside it
//	-- want/… --        what a file of that name holds in the end
//	-- want-events --   all events but deltas, in a stable form (see golden.go)
//
// In all of them but files $WS is the workspace's path, $DIR the folder above it,
// $OUTSIDE a folder that no sandbox lets commands write, $SLEEP a number of some
// minutes that is this story's alone, so that what sleeps so long is found,
// $PROGRAM the program that plays servers, and $REPEAT(N,TEXT) is TEXT that often,
// with its number for each #. In scripts $TASK is the task's id and $APPROVAL the
// last approval's. Only tests import it.
package scenario

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/test/fakeeditor"
	"clined/internal/test/fakellm"

	"golang.org/x/tools/txtar"
)

// Daemon is a running daemon as a scenario sees it.
type Daemon interface {
	io.ReadWriteCloser
	// Wait returns the exit code once the daemon has ended.
	Wait() int
}

// Setup is where a daemon is to run.
type Setup struct {
	// Dir holds the workspace folders, Home is CLINED_HOME.
	Dir, Home string
	// Env are further variables, as "KEY=value".
	Env []string
	// Log gets what the daemon writes for maintainers.
	Log io.Writer
}

// Start starts a daemon for a scenario: in this process or as a child.
type Start func(t testing.TB, s Setup) Daemon

// Stage is a story being played.
type Stage struct {
	t      testing.TB
	ctx    context.Context
	dir    string
	ws     string
	model  *fakellm.Server
	daemon Daemon
	start  Start
	setup  Setup
	reader *bufio.Reader
	log    *Log

	// parts are the story's, by name; commands are those of Play and of its servers.
	parts, commands map[string]string

	// Editor is nil in raw stories.
	Editor *fakeeditor.Editor
	TaskID string

	// kept are files as they were, by name; checks what the editor has of them;
	// resources are its ways with files.
	kept         map[string]kept
	checks       fakeeditor.Checks
	resources    fakeeditor.Resources
	initialized  bool
	gone         bool
	seen         int
	stateRev     int
	diffCaps     []string // what of diff views is announced, nil for nothing
	lastEnd      event.State
	lastApproval *fakeeditor.Approval
	lastClosed   string // the view that was last seen to be closed
	lastMessage  *fakeeditor.Message
	// approvalID is the id that a sentence named last, without an approval.
	approvalID    string
	nativeWindows *fakeeditor.Windows
	plainArgs     []string // of the verb plain, nil for a native editor
	lastResult    json.RawMessage
	lastError     error
	subst         *strings.Replacer
}

// hangGuard ends a story that waits for something that never comes.
const hangGuard = 2 * time.Minute

// closeGuard is how long a view may stay open when a story is over.
const closeGuard = 20 * time.Second

// Play runs the story of a file. commands maps names such as "$FAKEMCP" to what
// they stand for in mcp.json, as JSON without the outer quotes.
func Play(t *testing.T, file string, start Start, commands map[string]string) {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range ar.Files {
		parts[f.Name] = string(f.Data)
	}
	steps, err := parseScript(parts["script"])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), hangGuard, errors.New("it never came"))
	defer cancel()
	s := &Stage{t: t, ctx: ctx, dir: t.TempDir(), log: newLog(), parts: parts, commands: maps.Clone(commands)}
	s.ws = filepath.Join(s.dir, "ws")
	s.build(ar)
	defer s.model.Close()
	s.start, s.setup = start, Setup{Dir: s.dir, Home: filepath.Join(s.dir, "home"), Env: envOf(strings.ReplaceAll(parts["env"], "$MODEL_URL", s.model.URL())), Log: s.log}
	s.daemon = start(t, s.setup)
	defer context.AfterFunc(ctx, func() { _ = s.daemon.Close() })() // wakes a raw read
	defer s.end()
	for _, st := range steps {
		if err := s.do(st); err != nil {
			t.Fatalf("%s: script line %d: %s %s: %v%s", filepath.Base(file), st.line, st.verb, strings.Join(st.args, " "), err, s.diagnosis())
		}
	}
	s.checkWanted(ar)
	s.checkEvents(file, ar)
}

func (s *Stage) do(st step) error {
	v, ok := verbs[st.verb]
	if !ok {
		v, ok = diffVerbs[st.verb]
	}
	if !ok {
		v, ok = editVerbs[st.verb]
	}
	if !ok {
		v, ok = plainVerbs[st.verb]
	}
	if !ok {
		v, ok = commandVerbs[st.verb]
	}
	if !ok {
		return errors.New("unknown verb")
	}
	if len(st.args) < v.words {
		return fmt.Errorf("usage: %s %s", st.verb, v.usage)
	}
	if !s.initialized && st.verb != "initialize" && st.verb != "connect" && !setUpVerbs[st.verb] {
		if err := s.initialize(nil); err != nil {
			return err
		}
	}
	return v.run(s, st.args)
}

// setUpVerbs may stand before the handshake.
var setUpVerbs = map[string]bool{"write": true, "link": true, "many": true, "servers": true, "diffs": true, "checks": true, "resources": true, "plain": true, "windows": true}

// end hangs up and looks for what was left behind.
func (s *Stage) end() {
	if s.Editor != nil {
		if !s.t.Failed() {
			for _, open := range s.Editor.Unanswered() {
				s.t.Errorf("left unanswered: %s", open)
			}
			if !s.gone {
				ctx, cancel := context.WithTimeout(context.Background(), closeGuard)
				for _, uri := range s.Editor.OpenViews(ctx) {
					s.t.Errorf("a diff view was left open: %s", uri)
				}
				cancel()
			}
		}
		s.Editor.Close()
	} else {
		_ = s.daemon.Close()
	}
	if !s.gone {
		s.daemon.Wait()
	}
}

func (s *Stage) path(name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.ws, name)
}

func (s *Stage) uri(name string) string {
	if strings.Contains(name, "://") || strings.HasPrefix(name, "untitled:") {
		return name
	}
	return fakeeditor.URI(s.path(name))
}

// expand replaces the names that a script may use.
func (s *Stage) expand(text string) string {
	approval, hash := s.approvalID, ""
	if s.lastApproval != nil {
		approval, hash = s.lastApproval.ApprovalID, s.lastApproval.SubjectHash
	}
	text = strings.NewReplacer("$TASK", s.TaskID, "$APPROVAL", approval, "$HASH", hash, "$MODEL_URL", s.model.URL()).Replace(text)
	return s.subst.Replace(repeat(text))
}

func (s *Stage) expandAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = s.expand(t)
	}
	return out
}

// diagnosis shows the last events and requests of a story that failed.
func (s *Stage) diagnosis() string {
	var b strings.Builder
	if s.Editor != nil {
		events := s.Editor.Events()
		for _, e := range events[max(0, len(events)-6):] {
			fmt.Fprintf(&b, "\n  event %d %s", e.Seq, tail(jsonText(e.Event), 600))
		}
	}
	fmt.Fprintf(&b, "\n  log: %s", tail(s.log.String(), 4000))
	return b.String()
}

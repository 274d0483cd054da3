package console_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// noon is when the tests of lists look.
func noon() time.Time { return time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC) }

// stored is a store of tasks as a daemon shows it, in pages of two.
type stored struct {
	tasks  []protocol.TaskInfo
	events map[string][]protocol.TaskEventParams
	busy   string // the task that cannot be deleted
}

func (s *fakeServer) TaskList(_ context.Context, p *protocol.TaskListParams) (*protocol.TaskListResult, error) {
	s.note(fmt.Sprintf("list cwd=%s query=%s favorite=%v limit=%d cursor=%s", p.Cwd, p.Query, p.Favorite, p.Limit, p.Cursor))
	var fit []protocol.TaskInfo
	for _, t := range s.stored.tasks {
		if (p.Cwd == "" || t.Cwd == p.Cwd) && strings.Contains(t.Title, p.Query) && (t.Favorite || !p.Favorite) {
			fit = append(fit, t)
		}
	}
	from := 0
	_, _ = fmt.Sscan(p.Cursor, &from)
	res := &protocol.TaskListResult{Tasks: fit[from:]}
	if n := min(p.Limit, 5); len(res.Tasks) > n {
		res.Tasks, res.NextCursor = res.Tasks[:n], fmt.Sprint(from+n)
	}
	return res, nil
}

func (s *fakeServer) info(id string) (protocol.TaskInfo, error) {
	i := slices.IndexFunc(s.stored.tasks, func(t protocol.TaskInfo) bool { return t.TaskID == id })
	if i < 0 {
		return protocol.TaskInfo{}, rpc.Errorf(protocol.CodeTaskNotFound, "there is no task %q", id)
	}
	return s.stored.tasks[i], nil
}

// TaskRead gives pages of three events.
func (s *fakeServer) TaskRead(_ context.Context, p *protocol.TaskReadParams) (*protocol.TaskReadResult, error) {
	info, err := s.info(p.TaskID)
	res := &protocol.TaskReadResult{Task: info, Events: s.stored.events[p.TaskID]}
	if i := slices.IndexFunc(res.Events, func(e protocol.TaskEventParams) bool { return e.Seq == p.Before }); i >= 0 {
		res.Events = res.Events[:i]
	}
	if n := len(res.Events) - 3; n > 0 {
		res.Events, res.More = res.Events[n:], true
	}
	return res, err
}

func (s *fakeServer) TaskAttach(_ context.Context, p *protocol.TaskAttachParams) (*protocol.TaskAttachResult, error) {
	s.note("attach " + p.TaskID)
	info, err := s.info(p.TaskID)
	return &protocol.TaskAttachResult{Task: info, Events: s.stored.events[p.TaskID]}, err
}

func (s *fakeServer) TaskResume(ctx context.Context, p *protocol.TaskResumeParams) (*protocol.TaskPromptResult, error) {
	if s.refuse != nil {
		return nil, s.refuse
	}
	words := ""
	if len(p.Prompt) > 0 {
		words = p.Prompt[0].Text
	}
	s.note("resume " + p.TaskID + ": " + words)
	s.turn(ctx)
	return &protocol.TaskPromptResult{TurnID: s.turnID()}, nil
}

func (s *fakeServer) TaskDelete(_ context.Context, p *protocol.TaskDeleteParams) (*protocol.Empty, error) {
	if p.TaskID == s.stored.busy {
		return nil, rpc.Errorf(protocol.CodeTaskBusy, "the task is at work; stop it first").WithData(map[string]string{"hint": "stop it"})
	}
	s.note("delete " + p.TaskID)
	return &protocol.Empty{}, nil
}

func (s *fakeServer) TaskRename(_ context.Context, p *protocol.TaskRenameParams) (*protocol.Empty, error) {
	s.note("rename " + p.TaskID + " " + p.Title)
	return &protocol.Empty{}, nil
}

func (s *fakeServer) TaskFavorite(_ context.Context, p *protocol.TaskFavoriteParams) (*protocol.Empty, error) {
	s.note(fmt.Sprintf("favorite %s %v", p.TaskID, p.Favorite))
	return &protocol.Empty{}, nil
}

func (s *fakeServer) TaskExport(_ context.Context, p *protocol.TaskExportParams) (*protocol.TaskExportResult, error) {
	if p.Format == "pdf" {
		return nil, protocol.InvalidParams("format", "is unknown")
	}
	return &protocol.TaskExportResult{Text: "# " + p.TaskID, FileName: "x.md"}, nil
}

func id(n int) string { return fmt.Sprintf("0195934a-7c00-7000-8000-%012x", n) }

// someTasks are tasks in all states.
func someTasks() []protocol.TaskInfo {
	mk := func(n int, title, cwd string, age time.Duration, state string, stop event.StopReason, cost float64) protocol.TaskInfo {
		return protocol.TaskInfo{TaskID: id(n), Title: title, Cwd: cwd, Mode: "act", Model: "gpt-5", State: state, StopReason: stop, Cost: cost,
			Created: noon().Add(-age - time.Hour).Format(time.RFC3339), Updated: noon().Add(-age).Format(time.RFC3339)}
	}
	running := mk(0x5105, "Wait for the deployment", "/srv/shop", 3*time.Second, "running", "", 0)
	running.Owner = &protocol.TaskOwner{PID: 4242, Since: "2026-03-14T11:59:57Z"}
	starred := mk(0x7107, "给解析器加上更好的错误信息,并且说明每一个错误出现的位置和原因", "/home/me/src/a-very-long-name-of-a-project/with/a/deep/folder", 26*time.Hour, "idle", event.PlanPresented, 12.5)
	starred.Favorite = true
	return []protocol.TaskInfo{
		running,
		mk(0x5106, "Fix the discount of the shop, which takes off the wrong amount, and run all tests", "/home/me/src/shop", 3*time.Minute, "interrupted", "", 0.4231),
		mk(0x5a01, "Why does the test of the parser fail?", "/home/me/src/shop", 2*time.Hour, "idle", event.Completed, 0.004),
		starred,
		mk(0x6001, "title with \x1b[2Jescapes\nand lines", "/home/me", 3*24*time.Hour, "idle", event.Failed, 0),
		mk(0x6002, "Stopped by hand", "/home/me/src/shop", 20*24*time.Hour, "idle", event.Cancelled, 0),
		mk(0x6003, "", "/home/me/src/shop", 30*24*time.Hour, "idle", "", 0),
	}
}

// looking is a front that looks at tasks.
func looking(t *testing.T, o console.Options, s *fakeServer) *front {
	t.Helper()
	o.Home, o.Now = "/home/me", noon
	f := newFront(t, o)
	hangUp, _ := connect(t, f, s)
	t.Cleanup(hangUp)
	return f
}

func TestList(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    console.Options
		l    console.Listing
	}{
		{"tasks-120-color", console.Options{Width: 120, Color: true}, console.Listing{All: true}},
		{"tasks-80", console.Options{Width: 80}, console.Listing{All: true}},
		{"tasks-here-80", console.Options{Width: 80}, console.Listing{All: true, Cwd: "/home/me/src/shop"}},
		{"tasks-55", console.Options{Width: 55}, console.Listing{All: true}},
		{"tasks-40", console.Options{Width: 40}, console.Listing{All: true}},
		{"tasks-piped", console.Options{}, console.Listing{All: true}},
		{"tasks-newest", console.Options{Width: 80}, console.Listing{}},
		{"tasks-json", console.Options{JSON: true}, console.Listing{All: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := looking(t, tt.o, &fakeServer{stored: stored{tasks: someTasks()}})
			if err := f.List(t.Context(), tt.l); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name, f.both())
			wantHarmless(t, f.out.String())
			for line := range strings.Lines(sgr.ReplaceAllString(f.out.String(), "")) {
				if n := columnsOf(strings.TrimSuffix(line, "\n")); tt.o.Width > 0 && n > tt.o.Width {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}

// columnsOf counts Han characters and their punctuation twice.
func columnsOf(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x2e80 {
			n++
		}
	}
	return n
}

func TestListOfNothing(t *testing.T) {
	for _, tt := range []struct {
		l    console.Listing
		want string
	}{
		{console.Listing{}, "no tasks yet; begin one: clined run"},
		{console.Listing{Cwd: "/home/me/src"}, "no tasks in ~/src; those of all folders: clined tasks\n"},
		{console.Listing{Query: "a \x1b[2Jb"}, "no task has all of these words: a b\n"},
		{console.Listing{Favorite: true}, "no task is a favorite"},
	} {
		f := looking(t, console.Options{}, &fakeServer{})
		if err := f.List(t.Context(), tt.l); err != nil || f.out.String() != "" {
			t.Errorf("%v, %q", err, f.out)
		}
		wantIn(t, f.err.String(), tt.want)
	}
	f := looking(t, console.Options{JSON: true}, &fakeServer{})
	if err := f.List(t.Context(), console.Listing{}); err != nil || f.out.String() != "{\"tasks\":[]}\n" {
		t.Errorf("%v, %q", err, f.out)
	}
}

func TestFind(t *testing.T) {
	for name, tt := range map[string]struct {
		w    console.Which
		want int
		errs []string
	}{
		"the end":             {w: console.Which{ID: "5A01"}, want: 0x5a01},
		"what is shown":       {w: console.Which{ID: "00005a01"}, want: 0x5a01},
		"its beginning":       {w: console.Which{ID: "00005a"}, want: 0x5a01},
		"a whole id":          {w: console.Which{ID: id(0x6001)}, want: 0x6001},
		"last":                {w: console.Which{ID: "last", Cwd: "/home/me/src/shop"}, want: 0x5106},
		"--last":              {w: console.Which{Last: true, Cwd: "/home/me"}, want: 0x6001},
		"ambiguous":           {w: console.Which{ID: "01"}, errs: []string{`"01" fits 7 tasks`, "00005105", "(nothing was said yet)", "hint: give more"}},
		"ambiguous ends":      {w: console.Which{ID: "10"}, errs: []string{"no task"}},
		"unknown":             {w: console.Which{ID: "abc"}, errs: []string{`no task "abc"; the newest are`, "00005105", "Wait for", "hint: all of them"}},
		"unknown as a whole":  {w: console.Which{ID: id(1)}, errs: []string{"no task"}},
		"nothing":             {w: console.Which{}, errs: []string{"which task", "see clined tasks"}},
		"last of other folds": {w: console.Which{Last: true, Cwd: "/home/me/x"}, errs: []string{"no task in ~/x"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := looking(t, console.Options{}, &fakeServer{stored: stored{tasks: someTasks()}})
			got, err := f.Find(t.Context(), tt.w)
			if len(tt.errs) == 0 {
				if err != nil || got.TaskID != id(tt.want) {
					t.Errorf("%s, %v", got.TaskID, err)
				}
				return
			}
			var p *console.Problem
			if !errors.As(err, &p) {
				t.Fatalf("%v", err)
			}
			wantIn(t, p.Text+"\nhint: "+p.Hint, tt.errs...)
			wantHarmless(t, p.Text)
		})
	}
	f := looking(t, console.Options{}, &fakeServer{})
	if _, err := f.Find(t.Context(), console.Which{ID: "a"}); err == nil || !strings.Contains(err.Error(), "none at all") {
		t.Errorf("%v", err)
	}
}

// past is what a daemon tells of a task that was interrupted while the user had
// steered and queued. The words that waited are told where they were typed.
func pastStory() []protocol.TaskEventParams {
	user := func(mid, text string, status event.Status) event.Message {
		return event.Message{MessageID: mid, Role: "user", Status: status, Content: []event.Content{{Type: "text", Text: text}}}
	}
	thinking := said("m1", "I will look first.")
	thinking.Content = slices.Insert(thinking.Content, 0, event.Content{Type: "thought", Text: "Where is it?"})
	image := user("u0", "Fix the discount.\nRun the tests.", event.Done)
	image.Content = append(image.Content, event.Content{Type: "image", MimeType: "image/png", Data: "AA=="})
	var list []protocol.TaskEventParams
	add := func(seq int64, e event.Event) {
		p := envelope(seq, e)
		list = append(list, *p)
	}
	add(1, event.Info{Title: "x"})
	add(2, image)
	add(5, thinking)
	add(7, event.ToolCall{ToolCallID: "c1", Name: "read_file", Kind: "read", Args: `{"path":"price.go"}`, Status: event.Done, Title: "Read price.go", Output: "1 | package shop\n2 |\n3 | func Discount()"})
	add(9, event.ToolCall{ToolCallID: "c2", Name: "replace_in_file", Kind: "edit", Args: `{"path":"price.go"}`, Status: event.Done, Title: "Edit price.go", Diff: diff})
	add(20, user("u1", "but keep the comment", event.Done)) // typed here, heard later
	add(11, event.ToolCall{ToolCallID: "c3", Name: "write_to_file", Kind: "edit", Args: `{"path":"b.go"}`, Status: event.Denied, Title: "Write b.go", Output: "The user said no: not there."})
	add(12, event.ToolCall{ToolCallID: "c4", Name: "ask_followup_question", Kind: "ask", Args: `{"question":"Which one?"}`, Status: event.Done, Output: "<answer>\nthe first\n</answer>"})
	add(13, event.ToolCall{ToolCallID: "c5", Name: "attempt_completion", Kind: "control", Args: `{}`, Status: event.Discarded})
	add(14, event.State{State: event.Idle, StopReason: event.Cancelled})
	add(15, event.Notice{Severity: "warning", Text: "the server is gone", Hint: "start it"})
	add(21, said("m2", "Now the tests."))
	add(22, event.Plan{Entries: []event.PlanEntry{{Text: "look", Done: true}, {Text: "test"}}})
	add(23, event.Usage{Used: 10, Cost: 0.42})
	add(24, event.ToolCall{ToolCallID: "c6", Name: "execute_command", Kind: "command", Args: `{"command":"go test ./..."}`, Status: event.InProgress})
	add(25, event.ToolCall{ToolCallID: "c7", Name: "read_file", Kind: "read", Args: `{"path":"a.go"}`, Status: event.InProgress})
	add(26, event.ToolCall{ToolCallID: "c8", Name: "write_to_file", Kind: "edit", Args: `{"path":"c.go"}`, Status: event.Pending})
	add(27, user("u2", "and then commit", event.Pending))
	return list
}

func withPast() *fakeServer {
	return &fakeServer{stored: stored{tasks: someTasks(), events: map[string][]protocol.TaskEventParams{id(0x5106): pastStory()}}}
}

func TestShowTask(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    console.Options
		full bool
	}{
		{"show-80", console.Options{Width: 80, OutTTY: true}, false},
		{"show-full-color", console.Options{Color: true}, true},
		{"show-piped", console.Options{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := looking(t, tt.o, withPast())
			if err := f.ShowTask(t.Context(), id(0x5106), tt.full); err != nil {
				t.Fatal(err)
			}
			text := f.out.String()
			golden(t, tt.name, strings.ReplaceAll(text, noon().Add(-63*time.Minute).Local().Format("2006-01-02 15:04"), "THEN"))
			wantHarmless(t, text)
			if !tt.o.OutTTY && f.err.String() != "" {
				t.Errorf("on Err: %q", f.err)
			}
		})
	}
	f := looking(t, console.Options{JSON: true}, withPast())
	if err := f.ShowTask(t.Context(), id(0x5106), false); err != nil {
		t.Fatal(err)
	}
	var res protocol.TaskReadResult
	if err := json.Unmarshal([]byte(f.out.String()), &res); err != nil || len(res.Events) != len(pastStory()) || res.More {
		t.Errorf("%d events, %v", len(res.Events), err)
	}
	for i, e := range res.Events {
		if e.Seq != pastStory()[i].Seq {
			t.Errorf("event %d has the number %d", i, e.Seq)
		}
	}
	if err := f.ShowTask(t.Context(), id(1), false); err == nil {
		t.Error("a task that does not exist is shown")
	}
}

// How a task stands is told with the command to go on.
func TestShowTellsHowToGoOn(t *testing.T) {
	for n, want := range map[int]string{
		0x5105: "another clined is at it: process 4242",
		0x5a01: "done, 2 h ago\nsay more: clined run --resume 00005a01 \"…\"\n",
		0x7107: "waits, yesterday\ncarry it out: clined run --resume 00007107 --mode act \"go ahead\"\n",
		0x6001: "failed, 3 days\ngo on: clined run --resume 00006001\n",
		0x6002: "stopped, 22 Feb\ngo on: clined run --resume 00006002\n",
	} {
		f := looking(t, console.Options{}, &fakeServer{stored: stored{tasks: someTasks()}})
		if err := f.ShowTask(t.Context(), id(n), false); err != nil {
			t.Fatal(err)
		}
		wantIn(t, f.out.String(), want)
	}
}

func TestDelete(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		sure bool
		busy string
		code int
		errs []string
		log  string
	}{
		"yes":       {in: "y\n", errs: []string{"delete these 2 tasks", "00005a01", "Stopped by hand", "› y", `deleted "Stopped by hand"`}, log: "delete " + id(0x5a01) + "\ndelete " + id(0x6002)},
		"no":        {in: "\n", code: console.ExitFailed, errs: []string{"nothing was deleted"}},
		"nobody":    {code: console.ExitNeedsUser, errs: []string{"nobody is there", "--yes"}},
		"sure":      {sure: true, errs: []string{`deleted "Why`}, log: "delete " + id(0x6002)},
		"one works": {sure: true, busy: id(0x5a01), code: console.ExitFailed, errs: []string{`"Why does the test of the parser fail?" is not deleted: the task is at work`, "hint: stop it", `deleted "Stopped`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &fakeServer{stored: stored{busy: tt.busy}}
			f := looking(t, console.Options{In: strings.NewReader(tt.in)}, s)
			tasks := someTasks()
			if code := f.Delete(t.Context(), []protocol.TaskInfo{tasks[2], tasks[5]}, tt.sure); code != tt.code {
				t.Errorf("exit code %d", code)
			}
			wantIn(t, f.err.String(), tt.errs...)
			wantIn(t, s.noted(), tt.log)
			if tt.code == console.ExitNeedsUser && strings.Contains(s.noted(), "delete") {
				t.Error(s.noted())
			}
		})
	}
}

func TestRenameFavoriteExport(t *testing.T) {
	s := &fakeServer{}
	f := looking(t, console.Options{}, s)
	task := someTasks()[2]
	if err := errors.Join(f.Rename(t.Context(), task, "new title"), f.Favorite(t.Context(), task, true), f.Favorite(t.Context(), task, false)); err != nil {
		t.Fatal(err)
	}
	wantIn(t, s.noted(), "rename "+task.TaskID+" new title", "favorite "+task.TaskID+" true", "favorite "+task.TaskID+" false")
	wantIn(t, f.err.String(), `00005a01 is now "new title"`, "is a favorite now", "is no favorite any more")
	if res, err := f.Export(t.Context(), "x", "markdown"); err != nil || res.Text != "# x" {
		t.Errorf("%+v, %v", res, err)
	}
	var p *console.Problem
	if _, err := f.Export(t.Context(), "x", "pdf"); !errors.As(err, &p) {
		t.Errorf("%v", err)
	}
}

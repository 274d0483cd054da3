package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/store"
)

// childEnv tells this binary to be another process that shares the folder.
const childEnv = "CLINED_STORE_CHILD"

// children by name; each gets its arguments.
var children = map[string]func(args []string) error{"many": childMany, "hold": childHold, "disk": childDisk, "begin": childBegin}

func TestMain(m *testing.M) {
	if name := os.Getenv(childEnv); name != "" {
		if err := children[name](os.Args[1:]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(name string, args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Env = append(os.Environ(), childEnv+"="+name)
	return cmd
}

// childMany makes 50 tasks, each with a turn, two at a time.
func childMany(args []string) error {
	s := store.Open(args[0], store.Options{})
	done := make(chan error)
	for half := range 2 {
		go func() {
			for n := half; n < 50; n += 2 {
				if err := oneTask(s, fmt.Sprint(args[1], "-", n)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	return errors.Join(<-done, <-done, s.Close())
}

func oneTask(s *store.Store, id string) error {
	ctx, stop := deadline()
	defer stop()
	task, err := s.Create(ctx, store.New{ID: id, Cwd: "/" + id, Mode: "act"})
	if err != nil {
		return err
	}
	for turn := range 2 {
		if _, err := task.Begin(ctx, fmt.Sprint("turn", turn)); err != nil {
			return err
		}
		for n := range 3 {
			say(task, fmt.Sprint(id, turn, n), id)
			if _, err := task.Append(ctx, text(fmt.Sprint(turn, n), id), store.Notes{Title: id}); err != nil {
				return err
			}
		}
		if err := task.End(ctx, fmt.Sprint("turn", turn), "completed"); err != nil {
			return err
		}
	}
	return task.Close()
}

// Two processes on one folder.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	var cmds []*exec.Cmd
	for _, name := range []string{"a", "b"} {
		cmd := child("many", dir, name)
		cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	s := openStore(t, dir, store.Options{})
	list, _, err := s.List(t.Context(), store.Query{Limit: 1000})
	if err != nil || len(list) != 100 {
		t.Fatalf("%d tasks, %v", len(list), err)
	}
	for _, info := range list {
		h := load(t, s, info.ID)
		if info.Title != info.ID || info.Cwd != "/"+info.ID || info.State != store.Idle || len(h.Messages) != 6 {
			t.Errorf("%+v", info)
		}
		for _, m := range h.Messages {
			if m.Text() != info.ID {
				t.Errorf("%s has a message of %s", info.ID, m.Text())
			}
		}
		hits, err := s.Search(t.Context(), info.ID, 1000)
		if err != nil || len(hits) < 7 {
			t.Errorf("%s: %d hits, %v", info.ID, len(hits), err)
		}
	}
	if s.Trouble() != "" {
		t.Error(s.Trouble())
	}
}

// childBegin says whether it got the task.
func childBegin(args []string) error {
	ctx, stop := deadline()
	defer stop()
	s := store.Open(args[0], store.Options{})
	task, err := s.Task(ctx, "t1")
	if err != nil {
		return err
	}
	var busy *store.BusyError
	_, err = task.Begin(ctx, "turn")
	if err != nil && !errors.As(err, &busy) {
		return err
	}
	fmt.Println(err == nil)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	return s.Close()
}

func TestSameTaskByTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	say(task, "m1", "x")
	if err := task.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got string
		var all []*held
		for range 2 {
			all = append(all, start(t, "begin", dir))
		}
		for _, h := range all {
			got += h.line(t) + " "
		}
		for _, h := range all {
			h.end(t)
		}
		if got != "true false " && got != "false true " {
			t.Fatalf("begun: %s", got)
		}
	}
}

// childHold begins a turn, says so, waits for a line, appends and says how that went.
func childHold(args []string) error {
	ctx, stop := deadline()
	defer stop()
	s := store.Open(args[0], store.Options{})
	task, err := s.Create(ctx, store.New{ID: args[1]})
	if err == nil {
		_, err = task.Begin(ctx, "turn")
	}
	if err == nil {
		_, err = task.Append(ctx, text("m1", "mine"), store.Notes{})
	}
	fmt.Println(err)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	_, err = task.Append(ctx, text("m2", "mine too"), store.Notes{})
	fmt.Println(errors.Is(err, store.ErrLost), err)
	return s.Close()
}

// held is a child that talks by lines.
type held struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t *testing.T, name string, args ...string) *held {
	t.Helper()
	cmd := child(name, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return &held{cmd, in, bufio.NewReader(out)}
}

func (h *held) line(t *testing.T) string {
	t.Helper()
	line, err := h.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (h *held) end(t *testing.T) {
	t.Helper()
	if err := h.in.Close(); err != nil {
		t.Error(err)
	}
	if err := h.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestKilledHolder(t *testing.T) {
	dir := t.TempDir()
	h := start(t, "hold", dir, "t1")
	if line := h.line(t); line != "<nil>" {
		t.Fatal(line)
	}
	s := openStore(t, dir, store.Options{})
	task, err := s.Task(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	var busy *store.BusyError
	if _, err := task.Begin(t.Context(), "turn2"); !errors.As(err, &busy) || busy.Owner.PID != h.cmd.Process.Pid {
		t.Fatal(err)
	}
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = h.cmd.Wait()
	if info, err := s.Info(t.Context(), "t1"); err != nil || info.State != store.Interrupted || info.TurnID != "turn" {
		t.Errorf("%+v, %v", info, err)
	}
	begin(t, task, "turn2")
	if h := load(t, s, "t1"); ids(h.Messages) != "m1" {
		t.Error(ids(h.Messages))
	}
}

func TestStoppedHolder(t *testing.T) {
	dir := t.TempDir()
	h := start(t, "hold", dir, "t1")
	if line := h.line(t); line != "<nil>" {
		t.Fatal(line)
	}
	if err := h.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	s := openStore(t, dir, store.Options{Now: func() time.Time { return now }})
	task, err := s.Task(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	var busy *store.BusyError
	if _, err := task.Begin(t.Context(), "turn2"); !errors.As(err, &busy) {
		t.Fatal(err)
	}
	now = now.Add(16 * time.Second)
	begin(t, task, "turn2")
	add(t, task, text("m3", "other"))
	if err := h.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(h.in)
	if line := h.line(t); !strings.HasPrefix(line, "true ") {
		t.Error(line)
	}
	h.end(t)
	if got := load(t, s, "t1"); ids(got.Messages) != "m1 m3" || got.State != store.Running {
		t.Errorf("%+v", got)
	}
}

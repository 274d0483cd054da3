package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/test/fakellm"
)

// smallDisk is the variable that names where a small disk is to be, before the
// rest of the command line is run.
const smallDisk = "CLINED_SOAK_DISK"

// onSmallDisk mounts a small disk in a name space of its own and becomes the
// program of the arguments. It returns only when that fails.
func onSmallDisk(dir string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		return err
	}
	return syscall.Exec(os.Args[1], os.Args[1:], os.Environ())
}

// small has the daemons of a place keep their state on a small disk.
func (p *place) small() {
	state := filepath.Join(p.home, "state")
	if err := os.MkdirAll(state, 0o755); err != nil {
		p.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	p.as = func(cmd *exec.Cmd) {
		cmd.Args = append([]string{self}, cmd.Args...)
		cmd.Path = self
		cmd.Env = append(cmd.Env, smallDisk+"="+state)
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		}
	}
}

// fill takes all space of a daemon's disk; the result gives it back.
func (d *daemon) fill() (free func()) {
	d.p.t.Helper()
	path := filepath.Join(fmt.Sprintf("/proc/%d/root", d.cmd.Process.Pid), d.p.home, "state", "ballast")
	f, err := os.Create(path)
	if err != nil {
		d.p.t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.p.t.Fatal(err)
	}
	return func() {
		if err := errors.Join(f.Close(), os.Remove(path)); err != nil {
			d.p.t.Fatal(err)
		}
	}
}

// chat is a place with a model that completes each prompt at once, or when it
// was released.
func chat(t *testing.T) (*place, *fakellm.Server) {
	p := newPlace(t)
	model := fakellm.Start(t, "")
	n := 0
	model.Decide(func(req *fakellm.Request) string {
		n++
		for _, m := range req.Messages[len(req.Messages)-1:] {
			if strings.Contains(m.Text, "Hold ") {
				return fmt.Sprintf("reply\nhold here\ncall id=c%d attempt_completion {\"result\":\"Held.\"}\n", n)
			}
		}
		return fmt.Sprintf("reply\ncall id=c%d attempt_completion {\"result\":\"Done.\"}\n", n)
	})
	p.settings(map[string]any{"model": "fake-model", "baseUrl": model.URL()})
	p.write(filepath.Join(p.ws, "a.txt"), "alpha\n")
	return p, model
}

// ended waits for the end of a turn.
func (d *daemon) ended(turn string) (end event.State) {
	d.p.t.Helper()
	err := d.editor.Until(d.p.ctx, "the end of turn "+turn, func() bool {
		for _, p := range d.editor.EventsLocked() {
			if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle && p.TurnID == turn {
				end = st
				return true
			}
		}
		return false
	})
	if err != nil {
		d.p.t.Fatal(err)
	}
	return end
}

// hinted holds an error of the daemon to have these words and a hint with those.
func hinted(t *testing.T, err error, words, hint string) {
	t.Helper()
	var e *rpc.Error
	var data struct{ Hint string }
	if !errors.As(err, &e) || e.Code != protocol.CodeStorage || !strings.Contains(e.Message, words) ||
		json.Unmarshal(e.Data, &data) != nil || !strings.Contains(data.Hint, hint) {
		t.Errorf("the error is %v %s, want %q and the hint %q", err, jsonOf(e), words, hint)
	}
}

// A disk that is full says so, takes nothing from what was kept, and the task
// goes on once there is space.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	p, model := chat(t)
	p.small()
	d := p.start()
	d.must("initialize", handshake(p), nil)
	var task protocol.TaskNewResult
	d.must("clined/task/new", map[string]any{"prompt": protocol.Text("Say one.")}, &task)
	if end := d.ended(task.TurnID); end.StopReason != event.Completed {
		t.Fatalf("%+v", end)
	}
	say := func(words string) (turn string, err error) {
		var acc protocol.TaskPromptResult
		err = d.call("clined/task/prompt", map[string]any{"taskId": task.TaskID, "prompt": protocol.Text(words)}, &acc)
		return acc.TurnID, err
	}

	free := d.fill()
	_, err := say("Say two.")
	hinted(t, err, "full", "free some space")
	err = d.call("clined/task/new", map[string]any{"prompt": protocol.Text("Say other.")}, nil)
	hinted(t, err, "full", "free some space")
	free()

	turn, err := say("Hold three.")
	if err != nil {
		t.Fatal(err)
	}
	model.WaitHeld("here")
	free = d.fill()
	model.Release("here")
	end := d.ended(turn)
	if end.StopReason != event.Failed || end.Error == nil || !strings.Contains(end.Error.Message, "full") || !strings.Contains(end.Error.Hint, "free some space") {
		t.Errorf("a turn on a full disk ended with %s", jsonOf(end))
	}
	var past protocol.TaskReadResult
	d.must("clined/task/read", map[string]any{"taskId": task.TaskID}, &past)
	if !strings.Contains(jsonOf(past.Events), "Say one.") {
		t.Errorf("on a full disk the past is %s", jsonOf(past))
	}
	free()

	if turn, err = say("Say four."); err != nil {
		t.Fatal(err)
	}
	if end := d.ended(turn); end.StopReason != event.Completed {
		t.Errorf("with space again the turn ended with %s", jsonOf(end))
	}
	d.must("clined/task/read", map[string]any{"taskId": task.TaskID}, &past)
	for _, words := range []string{"Say one.", "Hold three.", "Say four."} {
		if !strings.Contains(jsonOf(past.Events), words) {
			t.Errorf("%q is lost: %s", words, jsonOf(past.Events))
		}
	}
	all := model.Requests()
	if text := all[len(all)-1].View(); !strings.Contains(text, "Say one.") || !strings.Contains(text, "Hold three.") || strings.Contains(text, "Say two.") {
		t.Errorf("the model is told %s", text)
	}
	if err := d.quit(); err != nil {
		t.Error(err)
	}
}

// A state folder that may not be written says so, and it works again once it
// may, with all that was in it.
func TestReadOnlyState(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	p, _ := chat(t)
	const nobody = 65534
	p.as = func(cmd *exec.Cmd) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	for dir := p.dir; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	state := filepath.Join(p.home, "state")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	p.own(state, nobody, 0o700, 0o600)
	d := p.start()
	d.must("initialize", handshake(p), nil)
	var task protocol.TaskNewResult
	d.must("clined/task/new", map[string]any{"prompt": protocol.Text("Say one.")}, &task)
	d.ended(task.TurnID)
	if err := d.quit(); err != nil {
		t.Fatal(err)
	}

	p.own(state, nobody, 0o500, 0o400)
	d = p.start()
	d.must("initialize", handshake(p), nil)
	prompt := map[string]any{"taskId": task.TaskID, "prompt": protocol.Text("Say two.")}
	hinted(t, d.call("clined/task/prompt", prompt, nil), "cannot be written", "writable")
	err := d.call("clined/task/new", map[string]any{"prompt": protocol.Text("Say other.")}, nil)
	hinted(t, err, "cannot be written", "writable")
	if err := d.call("clined/task/list", map[string]any{}, nil); err != nil {
		hinted(t, err, "cannot be written", "writable")
	}
	p.own(state, nobody, 0o700, 0o600)
	var list protocol.TaskListResult
	d.must("clined/task/list", map[string]any{}, &list)
	if len(list.Tasks) != 1 || list.Tasks[0].Title != "Say one." {
		t.Errorf("writable again the list is %s", jsonOf(list))
	}
	var acc protocol.TaskPromptResult
	d.must("clined/task/prompt", prompt, &acc)
	if end := d.ended(acc.TurnID); end.StopReason != event.Completed {
		t.Errorf("writable again the turn ended with %s", jsonOf(end))
	}
	if err := d.quit(); err != nil {
		t.Error(err)
	}
}

// own gives a folder with all in it an owner and modes.
func (p *place) own(dir string, uid int, folders, files os.FileMode) {
	p.t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		mode := files
		if err == nil && d.IsDir() {
			mode = folders
		}
		return errors.Join(err, os.Chown(path, uid, uid), os.Chmod(path, mode))
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

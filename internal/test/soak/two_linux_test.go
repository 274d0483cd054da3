package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/store"
	"clined/internal/test/binary"
	"clined/internal/test/fakellm"
)

// TestTwoDaemons has two daemons work on one state folder at once.
func TestTwoDaemons(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	for round := range min(20, max(2, number(t, "SOAK", 50)/50)) {
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) {
			t.Parallel()
			s := &shared{place: newPlace(t), tasks: 50}
			s.model = fakellm.Start(t, "")
			s.model.Decide(s.reply)
			s.settings(map[string]any{"model": "fake-model", "baseUrl": s.model.URL()})
			s.write(filepath.Join(s.ws, "a.txt"), "alpha\n")
			s.sideBySide()
			s.oneTask()
			s.queues(uint64(round))
			s.model.Dismiss()
		})
	}
}

// shared is a place for several daemons.
type shared struct {
	*place
	model *fakellm.Server
	// tasks of each daemon.
	tasks int
}

// jobs are the words by which tasks are told apart.
var jobs = regexp.MustCompile(`job-[a-z]+-[0-9]+-`)

// reply reads a file, then completes; it sees one job in each task.
func (s *shared) reply(req *fakellm.Request) string {
	var names []string
	calls := 0
	for _, m := range req.Messages {
		names = append(names, jobs.FindAllString(m.Text, -1)...)
		calls += len(m.Calls)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) != 1 {
		s.t.Errorf("a request tells of the jobs %q", names)
		return "reply\nstatus 400\n"
	}
	reply := "reply\nconversation " + names[0] + "\n"
	switch {
	case calls%2 == 0 && strings.Contains(names[0], "held"):
		return reply + "hold " + names[0] + "\ncall read_file {\"path\":\"a.txt\"}\n"
	case calls%2 == 0:
		return reply + fmt.Sprintf("call id=r%d read_file {\"path\":\"a.txt\"}\n", calls)
	}
	return reply + fmt.Sprintf("call id=e%d attempt_completion {\"result\":\"Done with %s.\"}\n", calls, names[0])
}

// sideBySide makes tasks and changes settings in both at once.
func (s *shared) sideBySide() {
	var all []func() error
	made := map[string][]string{}
	for _, name := range []string{"a", "b"} {
		d := s.start()
		ids := make([]string, s.tasks)
		made[name] = ids
		all = append(all, func() error { return s.work(d, name, ids) })
	}
	wanted := map[string]string{}
	for _, settings := range []map[string]string{
		{"commandTimeout": "77", "limits.requests": "88", "log.level": "info"},
		{"contextWindow": "123000", "limits.cost": "9", "plainTextEnds": "true"},
	} {
		for key, value := range settings {
			wanted[key] = value
		}
		all = append(all, func() error { return s.configure(settings) })
	}
	if err := atOnce(all); err != nil {
		s.t.Fatal(err)
	}
	s.checkSettings(wanted)
	s.checkTasks(made)
}

// atOnce runs all and waits for them.
func atOnce(all []func() error) error {
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, f := range all {
		wg.Go(func() { errs[i] = f() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// work makes the tasks of one daemon, with a turn and a mode for each.
func (s *shared) work(d *daemon, name string, ids []string) error {
	if err := d.initialize(); err != nil {
		return err
	}
	mode := map[string]string{"a": "plan", "b": "act"}[name] // the default of one is not the other's
	if err := d.call("clined/config/set", map[string]any{"id": "mode", "value": mode}, nil); err != nil {
		return err
	}
	for i := range ids {
		var res protocol.TaskNewResult
		err := d.call("clined/task/new", map[string]any{"prompt": protocol.Text(fmt.Sprintf("Do job-%s-%d-.", name, i))}, &res)
		if err != nil {
			return err
		}
		ids[i] = res.TaskID
		if i%3 == 0 {
			other := map[string]string{"plan": "act", "act": "plan"}[mode]
			if err := d.call("clined/config/set", map[string]any{"taskId": res.TaskID, "id": "mode", "value": other}, nil); err != nil {
				return err
			}
		}
	}
	err := d.editor.Until(d.p.ctx, "the ends", func() bool {
		over := map[string]bool{}
		for _, p := range d.editor.EventsLocked() {
			if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle {
				if st.StopReason != event.Completed {
					s.t.Errorf("a task of %s ended with %s", name, jsonOf(st))
				}
				over[p.TaskID] = true
			}
		}
		return len(over) == len(ids)
	})
	var got protocol.ConfigResult
	err = errors.Join(err, d.call("clined/config/get", map[string]any{}, &got))
	if i := slices.IndexFunc(got.Options, func(o event.Option) bool { return o.ID == "mode" }); err == nil && got.Options[i].Value != mode {
		err = fmt.Errorf("the default mode of %s is %q", name, got.Options[i].Value)
	}
	return errors.Join(err, d.quit())
}

// configure changes settings as a person does in a terminal.
func (s *shared) configure(settings map[string]string) error {
	for key, value := range settings {
		cmd := exec.Command(binary.Path(s.t), "config", "set", key, value)
		cmd.Env, cmd.Dir = s.environ(), s.ws
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("config set %s: %w: %s", key, err, out)
		}
	}
	return nil
}

func (s *shared) checkSettings(wanted map[string]string) {
	s.t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.home, "settings.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		s.t.Fatalf("%v: %s", err, raw)
	}
	for key, want := range wanted {
		var v any = got
		for _, name := range strings.Split(key, ".") {
			m, _ := v.(map[string]any)
			v = m[name]
		}
		if strings.Trim(jsonOf(v), `"`) != want {
			s.t.Errorf("%s is %s, want %s: %s", key, jsonOf(v), want, raw)
		}
	}
}

// checkTasks looks for all tasks in a third process.
func (s *shared) checkTasks(made map[string][]string) {
	s.t.Helper()
	st := store.Open(filepath.Join(s.home, "state"), store.Options{})
	defer st.Close()
	list, _, err := st.List(s.ctx, store.Query{Limit: 500})
	if err != nil || len(list) != 2*s.tasks {
		s.t.Errorf("%d tasks are listed, want %d: %v", len(list), 2*s.tasks, err)
	}
	found := map[string]store.Info{}
	for _, info := range list {
		found[info.ID] = info
	}
	for name, ids := range made {
		for i, id := range ids {
			job, info := fmt.Sprintf("job-%s-%d-", name, i), found[id]
			mode := map[bool]string{true: "plan", false: "act"}[(name == "a") != (i%3 == 0)]
			task, err := st.Task(s.ctx, id)
			if err != nil {
				s.t.Fatal(err)
			}
			h, err := task.Load(s.ctx)
			if err != nil {
				s.t.Fatal(err)
			}
			text := jsonOf(h.Messages)
			others := slices.DeleteFunc(jobs.FindAllString(text, -1), func(j string) bool { return j == job })
			if !strings.Contains(info.Title, job) || info.State != store.Idle || len(h.Messages) != 5 || len(others) > 0 || !strings.Contains(text, job) {
				s.t.Errorf("%s is %+v with %d messages that tell of %q", job, info, len(h.Messages), others)
			}
			if info.Mode != mode && i%3 != 0 { // a change behind the last message is not kept
				s.t.Errorf("%s is in mode %q, want %q", job, info.Mode, mode)
			}
		}
	}
}

// oneTask has two daemons want the same task.
func (s *shared) oneTask() {
	s.t.Helper()
	owner, other := s.start(), s.start()
	for _, d := range []*daemon{owner, other} {
		if err := d.initialize(); err != nil {
			s.t.Fatal(err)
		}
	}
	var res protocol.TaskNewResult
	owner.must("clined/task/new", map[string]any{"prompt": protocol.Text("Do job-held-1-.")}, &res)
	s.model.WaitHeld("job-held-1-")
	named := map[string]any{"taskId": res.TaskID}
	var seen protocol.TaskAttachResult
	other.must("clined/task/attach", named, &seen)
	if seen.Task.Owner == nil || seen.Task.Owner.PID != owner.cmd.Process.Pid || seen.Task.State != "running" || !strings.Contains(jsonOf(seen.Events), "job-held-1-") {
		s.t.Errorf("who attaches sees %s", jsonOf(seen))
	}
	var read protocol.TaskReadResult
	other.must("clined/task/read", named, &read)
	if !strings.Contains(jsonOf(read.Events), "job-held-1-") {
		s.t.Errorf("who reads sees %s", jsonOf(read))
	}
	more := map[string]any{"taskId": res.TaskID, "prompt": protocol.Text("And job-held-1- again.")}
	for _, method := range []string{"clined/task/prompt", "clined/task/resume", "clined/task/delete"} {
		s.refused(other, owner, method, more)
	}
	owner.kill()
	var acc protocol.TaskPromptResult
	other.must("clined/task/prompt", more, &acc)
	s.model.Release("job-held-1-")
	story := &story{task: res.TaskID}
	if err := story.await(other, acc.TurnID); err != nil {
		s.t.Fatal(err)
	}
	if err := other.quit(); err != nil {
		s.t.Error(err)
	}
}

// refused calls a method that must tell who has the task.
func (s *shared) refused(d, owner *daemon, method string, params any) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	_, err := d.editor.Call(ctx, method, params)
	var e *rpc.Error
	var data struct{ Owner protocol.TaskOwner }
	if !errors.As(err, &e) || e.Code != protocol.CodeTaskBusy || json.Unmarshal(e.Data, &data) != nil || data.Owner.PID != owner.cmd.Process.Pid {
		s.t.Errorf("%s: %v %s", method, err, jsonOf(e))
	}
}

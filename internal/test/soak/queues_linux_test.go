package soak

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/store"
	"clined/internal/transcript"
)

// words are what one daemon's user said in a task, by whether it was accepted.
type words struct{ accepted, refused []string }

// queues has two daemons prompt the same task at once, each with prompts that
// wait: what was accepted is said once, whoever had the task meanwhile.
func (s *shared) queues(seed uint64) {
	s.t.Helper()
	var both []func() error
	var said [2]words
	task := ""
	for i := range said {
		d := s.start()
		if err := d.initialize(); err != nil {
			s.t.Fatal(err)
		}
		if task == "" {
			task = s.newTask(d)
		}
		both = append(both, func() error {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			return errors.Join(s.crowd(d, task, fmt.Sprint(i), r, &said[i]), d.quit())
		})
	}
	if err := atOnce(both); err != nil {
		s.t.Fatal(err)
	}
	s.checkWords(task, said[:], false)
	last := s.start()
	if err := last.initialize(); err != nil {
		s.t.Fatal(err)
	}
	var acc protocol.TaskPromptResult
	last.must("clined/task/prompt", map[string]any{"taskId": task, "prompt": protocol.Text("The last of job-queues-1-.")}, &acc)
	if err := errors.Join((&story{}).await(last, acc.TurnID), last.quit()); err != nil {
		s.t.Fatal(err)
	}
	s.checkWords(task, said[:], true)
}

// newTask makes a task and waits for the end of its first turn.
func (s *shared) newTask(d *daemon) string {
	s.t.Helper()
	var res protocol.TaskNewResult
	d.must("clined/task/new", map[string]any{"prompt": protocol.Text("Do job-queues-1-.")}, &res)
	if err := (&story{}).await(d, res.TurnID); err != nil {
		s.t.Fatal(err)
	}
	return res.TaskID
}

// crowd says some things at a time, whether the other one has the task or not,
// and waits for the ends of the turns that it was promised.
func (s *shared) crowd(d *daemon, task, name string, r *rand.Rand, said *words) error {
	for round := range 60 {
		var turns []string
		for n := range 1 + r.IntN(3) {
			mark := fmt.Sprintf("word-%s-%d-%d-", name, round, n)
			var acc protocol.TaskPromptResult
			err := d.call("clined/task/prompt", map[string]any{"taskId": task, "prompt": protocol.Text("For job-queues-1-: " + mark)}, &acc)
			var e *rpc.Error
			switch {
			case err == nil:
				said.accepted, turns = append(said.accepted, mark), append(turns, acc.TurnID)
			case errors.As(err, &e) && e.Code == protocol.CodeTaskBusy:
				said.refused = append(said.refused, mark)
			default:
				return err
			}
		}
		for _, turn := range turns {
			if err := (&story{}).await(d, turn); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWords: what was accepted was said once, or waits; in the end it was said.
func (s *shared) checkWords(task string, all []words, over bool) {
	s.t.Helper()
	st := store.Open(filepath.Join(s.home, "state"), store.Options{})
	defer st.Close()
	stored, err := st.Task(s.ctx, task)
	if err != nil {
		s.t.Fatal(err)
	}
	h, err := stored.Load(s.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	items, _, err := stored.Items(s.ctx, store.ItemQuery{Limit: 100_000})
	if err != nil {
		s.t.Fatal(err)
	}
	var told, waits, dropped strings.Builder
	for _, m := range h.Messages {
		if m.Role == transcript.User {
			told.WriteString(m.Text() + "\n")
		}
	}
	for _, i := range items {
		m, ok := i.Event.(event.Message)
		switch {
		case !ok || m.Role != "user":
		case m.Status == event.Pending:
			waits.WriteString(jsonOf(m.Content))
		case m.Status == event.Discarded:
			dropped.WriteString(jsonOf(m.Content))
		}
	}
	accepted := 0
	for _, w := range all {
		for _, mark := range w.accepted {
			n, waiting := strings.Count(told.String(), mark), strings.Contains(waits.String(), mark)
			if n > 1 || n == 0 && (over || !waiting) || strings.Contains(dropped.String(), mark) {
				s.t.Errorf("%s was accepted and said %d times; it waits: %v; it is shown as dropped: %v", mark, n, waiting, strings.Contains(dropped.String(), mark))
			}
		}
		for _, mark := range w.refused {
			if strings.Contains(told.String()+waits.String(), mark) {
				s.t.Errorf("%s was refused and said", mark)
			}
		}
		accepted += len(w.accepted)
	}
	if accepted == 0 {
		s.t.Error("nothing was accepted")
	}
}

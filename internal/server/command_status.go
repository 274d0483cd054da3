package server

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"clined/internal/protocol"
)

// listed is how many stored tasks clined.tasks shows.
const listed = 20

// commandStatus tells how the tasks of this session stand, and asks again what
// the user left open. Not every editor shows the result of a command, so a
// message does; it is on its way before the answer, see wire.
func (s *server) commandStatus(ctx context.Context, _ *commandArgs) (any, error) {
	s.tasksMu.Lock()
	tasks := slices.Collect(maps.Values(s.tasks))
	s.tasksMu.Unlock()
	slices.SortFunc(tasks, func(a, b *task) int { return cmp.Compare(b.nth, a.nth) })
	var lines []string
	for _, t := range tasks {
		page, err := s.past(ctx, t.id, 0, 0, 1)
		if err != nil {
			return nil, err
		}
		lines = append(lines, taskLine(page.task))
		for _, p := range s.desk.waiting(kindApproval, t.id) {
			lines = append(lines, fmt.Sprintf("  waits: %s (clined.approve %s)", headline(p.Title, 120), p.ID))
		}
		for _, p := range s.desk.waiting(kindQuestion, t.id) {
			lines = append(lines, fmt.Sprintf("  asks: %s (clined.answer)", headline(p.Title, 120)))
		}
		if v := t.stream.plain; v != nil {
			if path := v.book.file(ctx); path != "" {
				lines = append(lines, "  written down in "+path)
			}
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "there is no task; begin one by clined.newTask")
	}
	s.desk.offerAgain()
	return s.shown(lines), nil
}

// commandTasks lists the tasks on this machine, the newest first.
func (s *server) commandTasks(ctx context.Context, a *commandArgs) (any, error) {
	list, err := s.TaskList(ctx, &protocol.TaskListParams{Query: a.text(), Cwd: a.Cwd, Limit: listed})
	if err != nil {
		return nil, err
	}
	lines := []string{"there are no tasks"}
	if len(list.Tasks) > 0 {
		lines = nil
	}
	for _, info := range list.Tasks {
		lines = append(lines, taskLine(info))
	}
	return s.shown(lines), nil
}

// taskLine is a task in a list for people.
func taskLine(info protocol.TaskInfo) string {
	state := info.State
	if info.StopReason != "" && state == "idle" {
		state = string(info.StopReason)
	}
	return fmt.Sprintf("%s  %s: %s", info.TaskID, state, cmp.Or(headline(info.Title, 80), "(nothing was said yet)"))
}

// shown shows lines to a user whose editor may not show results, and joins them.
func (s *server) shown(lines []string) string {
	text := strings.Join(lines, "\n")
	if !s.native {
		s.say(protocol.MessageInfo, text)
	}
	return text
}

package console

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/protocol"
)

// Delete removes tasks after it was asked, unless the user is sure. What could
// not be removed is told; it returns the exit code.
func (f *Front) Delete(ctx context.Context, tasks []protocol.TaskInfo, sure bool) int {
	code := ExitDone
	if !sure {
		if code = f.confirmDelete(ctx, tasks); code != ExitDone {
			return code
		}
	}
	for _, t := range tasks {
		if _, err := f.daemon().TaskDelete(ctx, &protocol.TaskDeleteParams{TaskID: t.TaskID}); err != nil {
			p := problem(err)
			f.show.failure(fmt.Sprintf("%q is not deleted: %s", titleOf(t), p.Text), p.Hint)
			code = ExitFailed
			continue
		}
		f.show.note(fmt.Sprintf("deleted %q", titleOf(t)))
	}
	return code
}

// confirmDelete asks whether tasks are to be deleted; ExitDone is yes.
func (f *Front) confirmDelete(ctx context.Context, tasks []protocol.TaskInfo) int {
	what := "this task"
	if len(tasks) > 1 {
		what = fmt.Sprintf("these %d tasks", len(tasks))
	}
	yes := false
	question := fmt.Sprintf("delete %s, with all that was said?%s", what, f.choices(tasks))
	answered := f.ask(ctx, func() { f.show.confirm(question) }, func(text string) bool {
		text = strings.ToLower(strings.TrimSpace(text))
		yes = text == "y" || text == "yes"
		return true
	})
	switch {
	case answered == silence:
		f.show.failure("nobody is there to say whether to delete "+what, "delete it without a question: --yes")
		return ExitNeedsUser
	case answered != taken:
		return ExitCancelled
	case !yes:
		f.show.note("nothing was deleted")
		return ExitFailed
	}
	return ExitDone
}

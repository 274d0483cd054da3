package console

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
)

const checklistHelp = `/checklist           shows it
/checklist 2 3       ticks these items, or takes the tick away
/checklist 2 words   gives an item other words
/checklist + words   adds an item at the end
/checklist -2        removes an item`

// editChecklist shows the task's checklist, or changes it as args say.
func (f *Front) editChecklist(ctx context.Context, args string) {
	if f.task() == "" {
		f.show.note("there is no task yet, and so no checklist")
		return
	}
	f.mu.Lock()
	list := slices.Clone(f.plan)
	f.mu.Unlock()
	if args == "" {
		f.show.numbered(list)
		return
	}
	list, err := changed(list, args)
	if err != nil {
		f.fail(err)
		return
	}
	params := &protocol.TaskSetChecklistParams{TaskID: f.task(), Markdown: markdown(list)}
	if _, err := f.daemon().TaskSetChecklist(context.WithoutCancel(ctx), params); err != nil {
		f.fail(err)
		return
	}
	f.setPlan(list)
}

// changed applies a change as the user typed it.
func changed(list []event.PlanEntry, args string) ([]event.PlanEntry, error) {
	if words, ok := strings.CutPrefix(args, "+"); ok {
		if words = oneLine(words); words == "" {
			return nil, unclearChange("what is to be added")
		}
		return append(list, event.PlanEntry{Text: words}), nil
	}
	if which, ok := strings.CutPrefix(args, "-"); ok {
		items, rest, err := numbers(which, len(list))
		if err != nil || rest != "" || len(items) == 0 {
			return nil, cmpError(err, "which item is to be removed")
		}
		kept := list[:0]
		for i, e := range list {
			if !slices.Contains(items, i) {
				kept = append(kept, e)
			}
		}
		return kept, nil
	}
	items, rest, err := numbers(args, len(list))
	switch {
	case err != nil:
		return nil, err
	case len(items) == 0, rest != "" && len(items) > 1:
		return nil, unclearChange("what is to be changed")
	case rest != "":
		list[items[0]].Text = rest
		return list, nil
	}
	for _, i := range items {
		list[i].Done = !list[i].Done
	}
	return list, nil
}

func cmpError(err error, unclear string) error {
	if err != nil {
		return err
	}
	return unclearChange(unclear)
}

func unclearChange(what string) error {
	return &Problem{Text: "the checklist is as it was: it is not clear " + what, Hint: "see /help"}
}

// numbers reads the numbers of items at the beginning of text, each once and
// from 0, and what follows them.
func numbers(text string, n int) (items []int, rest string, err error) {
	words := strings.Fields(text)
	for len(words) > 0 {
		i, err := strconv.Atoi(strings.Trim(words[0], ",."))
		if err != nil {
			break
		}
		if i < 1 || i > n {
			return nil, "", &Problem{Text: fmt.Sprintf("the checklist has no item %d", i), Hint: "/checklist shows it with its numbers"}
		}
		if !slices.Contains(items, i-1) {
			items = append(items, i-1)
		}
		words = words[1:]
	}
	return items, strings.Join(words, " "), nil
}

// markdown writes a list as the daemon reads it.
func markdown(list []event.PlanEntry) string {
	var b strings.Builder
	for _, e := range list {
		mark := " "
		if e.Done {
			mark = "x"
		}
		fmt.Fprintf(&b, "- [%s] %s\n", mark, oneLine(e.Text))
	}
	return b.String()
}

// numbered shows the checklist with the numbers that commands go by.
func (r *renderer) numbered(list []event.PlanEntry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(list) == 0 {
		r.line(r.p.faint("  the checklist is empty; add to it: /checklist + words"))
		return
	}
	for i, e := range list {
		number := fmt.Sprintf("%3d", i+1)
		text := r.prose(oneLine(e.Text), "        ")
		if e.Done {
			r.line(r.p.strong(number) + " " + r.p.good("☑") + " " + r.p.faint(text))
		} else {
			r.line(r.p.strong(number) + " ☐ " + text)
		}
	}
}

package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"clined/internal/tools"
)

const (
	// problemsLimit is how long to wait for the editor to check a changed file.
	problemsLimit = 1500 * time.Millisecond
	// maxProblems is how many new problems the model is told of.
	maxProblems = 20
)

// problems returns what the editor shows for a file; known is false when it
// does not check that file as far as is known.
func (s State) problems(p tools.Path) (items []Diagnostic, known bool) {
	for _, f := range s.Diagnostics {
		if f.Path == p.Abs || f.Path == p.Real {
			items, known = append(items, f.Items...), true
		}
	}
	return items, known
}

// newProblems waits until the editor shows other problems for a file than in
// the state before, and returns the errors and warnings that are new. It does
// not wait for a file that the editor does not check.
func (w *Workspace) newProblems(ctx context.Context, p tools.Path, before State) string {
	old, known := before.problems(p)
	if !known {
		return ""
	}
	limit := time.NewTimer(problemsLimit)
	defer limit.Stop()
	for {
		now, next := w.s.nextState()
		items, _ := now.problems(p)
		if !slices.Equal(items, old) {
			return describe(added(old, items))
		}
		select {
		case <-next:
		case <-limit.C:
			return ""
		case <-ctx.Done():
			return ""
		}
	}
}

// added returns the errors and warnings of now that old does not have. Lines
// do not count: an edit moves them.
func added(old, now []Diagnostic) []Diagnostic {
	same := func(d Diagnostic) Diagnostic { d.Line = 0; return d }
	count := map[Diagnostic]int{}
	for _, d := range old {
		count[same(d)]++
	}
	var out []Diagnostic
	for _, d := range now {
		if count[same(d)]--; count[same(d)] < 0 && (d.Severity == "error" || d.Severity == "warning") {
			out = append(out, d)
		}
	}
	return out
}

func describe(items []Diagnostic) string {
	var b strings.Builder
	for i, d := range items {
		if i == maxProblems {
			fmt.Fprintf(&b, "… %d more\n", len(items)-i)
			break
		}
		fmt.Fprintf(&b, "line %d: %s: %s", d.Line, d.Severity, strings.Join(strings.Fields(d.Message), " "))
		if d.Source != "" {
			fmt.Fprintf(&b, " (%s)", d.Source)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

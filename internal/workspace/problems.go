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
	// maxProblems is how many new problems the model is told of, maxGone how many
	// that went.
	maxProblems = 20
	maxGone     = 5
)

// checkOf returns what waits for the problems of a file that is about to change,
// or to be moved to p. It is to be used after that.
func (w *Workspace) checkOf(ctx context.Context, was, p tools.Path) func(ctx context.Context) tools.Checked {
	w.pull(ctx, was, 0)
	w.s.stateMu.Lock()
	before := *w.s.diagnostics.of(was)
	since := w.s.diagnostics.tick
	w.s.stateMu.Unlock()
	return func(ctx context.Context) tools.Checked {
		known, answered := w.pull(ctx, p, problemsLimit)
		if answered && !known || !answered && before.tick == 0 && !w.isChecked(p) {
			return tools.Checked{}
		}
		now, ok := w.await(ctx, p, since)
		if !ok {
			return tools.Checked{}
		}
		return tools.Checked{
			New:  describe(missing(before.items, now), maxProblems),
			Gone: describe(missing(now, before.items), maxGone),
		}
	}
}

// isChecked reports whether something is likely to check a file that nothing was
// told of yet. A clean file is not told of by all editors, and a new one by none,
// so files like it count, and what the editor says of its language. Of a file
// that is not open nothing is expected.
func (w *Workspace) isChecked(p tools.Path) bool {
	doc := w.s.docs.find(p.Real)
	if doc == nil {
		return false
	}
	w.s.stateMu.Lock()
	defer w.s.stateMu.Unlock()
	d := &w.s.diagnostics
	return d.kinds[kindOf(p.Abs)] || slices.Contains(d.languages, doc.language)
}

// await waits until what was told of a file is newer than since, and for its
// document as it is by then, where versions are told.
func (w *Workspace) await(ctx context.Context, p tools.Path, since uint64) (items []Diagnostic, ok bool) {
	limit := time.NewTimer(problemsLimit)
	defer limit.Stop()
	for {
		now, next := w.s.nextProblems(p)
		doc := w.s.docs.find(p.Real)
		if now.tick > since && (now.version == 0 || doc == nil || now.version >= doc.version) {
			return now.items, true
		}
		select {
		case <-next:
		case <-limit.C:
			return nil, false
		case <-ctx.Done():
			return nil, false
		}
	}
}

// nextProblems returns what was told of a file, and what is closed when anything
// newer is told.
func (s *session) nextProblems(p tools.Path) (published, <-chan struct{}) {
	s.stateMu.Lock()
	defer s.stateMu.Unlock()
	if s.next == nil {
		s.next = make(chan struct{})
	}
	return *s.diagnostics.of(p), s.next
}

// missing returns the errors and warnings of b that a does not have. Lines do not
// count: an edit moves them.
func missing(a, b []Diagnostic) []Diagnostic {
	same := func(d Diagnostic) Diagnostic { d.Line = 0; return d }
	count := map[Diagnostic]int{}
	for _, d := range a {
		count[same(d)]++
	}
	var out []Diagnostic
	for _, d := range b {
		if count[same(d)]--; count[same(d)] < 0 && (d.Severity == "error" || d.Severity == "warning") {
			out = append(out, d)
		}
	}
	return out
}

// describe makes lines for the model, at most so many.
func describe(items []Diagnostic, most int) string {
	var b strings.Builder
	for i, d := range items {
		if i == most {
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

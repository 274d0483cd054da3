package console

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"clined/internal/event"
	"clined/internal/protocol"
)

// shortest is how much of an id is shown at least: its end, for ids that were
// made at one time begin alike.
const shortest = 8

// shortID is the end of an id; see shortIDs for one that is among others.
func shortID(id string) string {
	id = oneLine(clean(id))
	return id[max(0, len(id)-shortest):]
}

// shortIDs are the ends of ids, as long as is needed to tell them apart.
func shortIDs(tasks []protocol.TaskInfo) []string {
	short := make([]string, len(tasks))
	for n := shortest; ; n++ {
		seen, whole := map[string]bool{}, true
		for i, t := range tasks {
			id := oneLine(clean(t.TaskID))
			short[i] = id[max(0, len(id)-n):]
			seen[short[i]] = true
			whole = whole && n >= len(id)
		}
		if len(seen) == len(tasks) || whole {
			return short
		}
	}
}

// titleOf is a title on one line.
func titleOf(t protocol.TaskInfo) string {
	return cmp.Or(oneLine(clean(t.Title)), "(nothing was said yet)")
}

// stateOf says in a word how a task stands.
func stateOf(t protocol.TaskInfo) string {
	switch {
	case t.State == string(event.Running) && t.Owner != nil:
		return fmt.Sprintf("running (%d)", t.Owner.PID)
	case t.State == string(event.RequiresAction):
		return "waits"
	case t.State != string(event.Idle):
		return oneLine(clean(t.State))
	}
	switch t.StopReason {
	case event.Completed:
		return "done"
	case event.Failed:
		return "failed"
	case event.Cancelled:
		return "stopped"
	case event.NeedsUser, event.PlanPresented:
		return "waits"
	case "":
		return "new"
	}
	return oneLine(clean(string(t.StopReason)))
}

func isInterrupted(t protocol.TaskInfo) bool { return t.State == string(event.Interrupted) }

// ago says how long ago something was, in at most ten columns.
func ago(now, then time.Time) string {
	d := now.Sub(then)
	switch {
	case then.IsZero():
		return "–"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	case d < 48*time.Hour:
		return "yesterday"
	case d < 14*24*time.Hour:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
	if then.Year() == now.Year() {
		return then.Local().Format("2 Jan")
	}
	return then.Local().Format("2006-01-02")
}

// price shows US dollars; "" when they are not known.
func price(usd float64) string {
	switch {
	case usd <= 0:
		return ""
	case usd < 0.01:
		return "<$0.01"
	}
	return fmt.Sprintf("$%.2f", usd)
}

// tilde writes a path with ~ for the user's home.
func (o Options) tilde(path string) string { return o.belowHome(oneLine(clean(path))) }

func (o Options) belowHome(path string) string {
	if o.Home == "" {
		return path
	}
	rel, err := filepath.Rel(o.Home, path)
	switch {
	case err != nil, rel == "..", strings.HasPrefix(rel, ".."+string(filepath.Separator)):
		return path
	case rel == ".":
		return "~"
	}
	return "~" + string(filepath.Separator) + rel
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

// Columns that a narrow terminal does without.
const (
	wideForPath   = 100
	wideForFolder = 72
	wideForCost   = 60
	wideForWhen   = 50
)

// column is one of a table. A width of 0 shows all of it.
type column struct {
	head  string
	cells []string
	width int
	right bool
	paint func(row int, text string) string
}

// table is a list of tasks.
type table struct {
	o       Options
	p       palette
	columns []column
	below   []string // a line below each row, "" for none
}

func newTable(o Options, tasks []protocol.TaskInfo, folders bool) *table {
	t := &table{o: o, p: newPalette(o.Color)}
	ids := shortIDs(tasks)
	var states, whens, dirs, titles, costs []string
	anyCost := false
	for i, task := range tasks {
		states = append(states, stateOf(task))
		whens = append(whens, ago(o.now(), parseTime(task.Updated)))
		dirs = append(dirs, o.tilde(task.Cwd))
		title := titleOf(task)
		if task.Favorite {
			title = "★ " + title
		}
		titles = append(titles, title)
		costs = append(costs, price(task.Cost))
		anyCost = anyCost || task.Cost > 0
		below := ""
		if isInterrupted(task) {
			below = "clined run --resume " + ids[i]
		}
		t.below = append(t.below, below)
	}
	faint := func(_ int, s string) string { return t.p.faint(s) }
	t.add(column{head: "ID", cells: ids, paint: func(_ int, s string) string { return t.p.mark(s) }})
	t.add(column{head: "STATE", cells: states, paint: func(i int, s string) string { return t.state(tasks[i], s) }})
	if t.fits(wideForWhen) {
		t.add(column{head: "WHEN", cells: whens, paint: faint})
	}
	if folders && t.fits(wideForFolder) {
		t.add(column{head: "FOLDER", cells: o.cut(dirs), paint: faint})
	}
	if anyCost && t.fits(wideForCost) {
		t.add(column{head: "COST", cells: costs, right: true, paint: faint})
	}
	t.add(column{head: "TITLE", cells: titles})
	return t
}

// fits reports whether there is room for what needs so many columns.
func (t *table) fits(columns int) bool { return t.o.Width == 0 || t.o.Width >= columns }

// state paints how a task stands: what wants the user stands out.
func (t *table) state(task protocol.TaskInfo, s string) string {
	switch word, _, _ := strings.Cut(strings.TrimSpace(s), " "); {
	case isInterrupted(task), word == "waits":
		return t.p.warn(s)
	case word == "failed":
		return t.p.bad(s)
	case word == "running":
		return t.p.good(s)
	}
	return s
}

// cut shortens paths by their beginnings; where there is little room only their
// last names are shown.
func (o Options) cut(paths []string) []string {
	if o.Width == 0 {
		return paths
	}
	n := o.Width / 4
	if o.Width < wideForPath {
		n = 14
	}
	for i, p := range paths {
		if o.Width < wideForPath {
			p = filepath.Base(p)
		}
		if w := ansi.StringWidth(p); w > n {
			p = ansi.TruncateLeft(p, w-n+1, "…")
		}
		paths[i] = p
	}
	return paths
}

func (t *table) add(c column) {
	c.width = ansi.StringWidth(c.head)
	for _, cell := range c.cells {
		c.width = max(c.width, ansi.StringWidth(cell))
	}
	if c.paint == nil {
		c.paint = func(_ int, s string) string { return s }
	}
	t.columns = append(t.columns, c)
}

const gap = "  "

// String lays the table out; the last column takes what room is left.
func (t *table) String() string {
	var b strings.Builder
	if t.o.Width > 0 {
		last := &t.columns[len(t.columns)-1]
		last.width = t.o.Width
		for _, c := range t.columns[:len(t.columns)-1] {
			last.width -= c.width + len(gap)
		}
		last.width = max(last.width, 10)
	}
	t.row(&b, func(c column) string { return c.head }, func(_ column, s string) string { return t.p.faint(s) })
	for i, below := range t.below {
		t.row(&b, func(c column) string { return c.cells[i] }, func(c column, s string) string { return c.paint(i, s) })
		if below != "" {
			indent := t.columns[0].width + len(gap)
			if t.o.Width > 0 {
				indent = max(0, min(indent, t.o.Width-len(below)))
			}
			b.WriteString(strings.Repeat(" ", indent) + t.p.warn(below) + "\n")
		}
	}
	return b.String()
}

func (t *table) row(b *strings.Builder, cell func(column) string, paint func(column, string) string) {
	for i, c := range t.columns {
		text := cell(c)
		last := i == len(t.columns)-1
		if last {
			if t.o.Width > 0 {
				text = clip(text, c.width)
			}
			b.WriteString(paint(c, text) + "\n")
			return
		}
		pad := strings.Repeat(" ", c.width-ansi.StringWidth(text))
		if c.right {
			b.WriteString(pad + paint(c, text) + gap)
		} else {
			b.WriteString(paint(c, text) + pad + gap)
		}
	}
}

package prompt

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"clined/internal/llm"
	"clined/internal/tools"
)

// Bounds of the sections: entries, and bytes of their lists. All bytes together
// stay below 20 kB.
const (
	maxRoots      = 20
	maxVisible    = 20
	maxTabs       = 20
	maxProblems   = 20
	maxSelections = 5
	maxFiles      = 200
	maxRemotes    = 5

	rootBytes      = 1000
	visibleBytes   = 1500
	tabBytes       = 1500
	selectionBytes = 400
	problemBytes   = 1200
	fileBytes      = 6000
	remoteBytes    = 600
	joinedBytes    = 1500
)

// checklistEvery is after how many requests without an update the model is
// reminded of its checklist; checklistFirst, of making one.
const (
	checklistEvery = 6
	checklistFirst = 2
)

// block collects the sections of one environment_details.
type block struct{ b strings.Builder }

func (b *block) section(title, text string) {
	if text != "" {
		fmt.Fprintf(&b.b, "# %s\n%s\n\n", title, text)
	}
}

// changed adds a section if it is not what the model was told last; gone are
// the words for one that is empty now and was not before.
func (p *Prompt) changed(b *block, title, text, gone string) {
	if p.told[title] == text {
		return
	}
	p.told[title] = text
	if text == "" {
		text = gone
	}
	b.section(title, text)
}

// Environment returns the environment_details of the request about to be sent:
// everything in the first one, later what changed since the last, and always
// the time, the size of the context and the mode.
func (p *Prompt) Environment(ctx context.Context, e Environment) string {
	chat := p.c.Family() == llm.TextOnly
	var b block
	p.editor(&b)
	b.section("Background Commands", p.background())
	b.section("Current Time", p.time())
	if e.First && p.c.Cwd != "" {
		p.folder(ctx, &b, chat)
	}
	if !chat {
		b.section("MCP Servers", p.moved(ctx))
		b.section("Checklist", checklist(e))
	}
	b.section("Context Window Usage", usage(e.Used, e.Window))
	b.section("Current Mode", mode(e, chat))
	return "<environment_details>\n" + strings.TrimSpace(b.b.String()) + "\n</environment_details>"
}

const none = "(none)"

// editor adds what the user sees.
func (p *Prompt) editor(b *block) {
	s := p.c.Workspace.State()
	if len(p.c.Roots) > 1 {
		p.changed(b, "Workspace Roots", p.roots(), none)
	}
	p.changed(b, "Visible Files", cmp.Or(p.visible(s), none), none)
	p.changed(b, "Open Tabs", cmp.Or(p.tabs(s), none), none)
	p.changed(b, "Selected Text", p.selections(s), none)
	busy, quiet := p.news(s.Terminals)
	b.section("Actively Running Terminals", busy)
	b.section("Inactive Terminals", quiet)
	p.changed(b, "Problems", p.problems(s), "(no errors)")
}

// time is ISO 8601 with the offset and the zone's name.
func (p *Prompt) time() string {
	now := p.c.Now()
	zone := now.Location().String()
	if zone == "Local" || zone == "" {
		zone, _ = now.Zone()
	}
	return now.Format("2006-01-02T15:04:05-07:00") + " (" + zone + ")"
}

// usage is the meter: the figures of the last request, never an estimate on top.
func usage(used, window int) string {
	if window <= 0 {
		return thousands(used) + " tokens used"
	}
	return fmt.Sprintf("%s / %sK tokens used (%d%%)", thousands(used), thousands(window/1000), used*100/window)
}

func mode(e Environment, chat bool) string {
	title := "ACT MODE"
	words := ""
	switch {
	case e.Mode == tools.Plan:
		title = "PLAN MODE"
		words = "Change nothing: explore, ask, and present the plan with plan_mode_respond once you know enough."
		if e.ModeChanged {
			words = "The user switched from act to plan. " + words
		}
	case e.ModeChanged:
		words = "The user switched from plan to act: send the complete checklist and do the work."
	}
	if chat || words == "" {
		return title
	}
	return title + "\n" + words
}

var checklistItem = regexp.MustCompile(`(?m)^[ \t]*(?:[-*+]|\d+[.)])[ \t]*\[([ xX])\]`)

// checklist reminds of a list that is missing or was not touched for long. In
// plan mode there is nothing to tick.
func checklist(e Environment) string {
	n := e.SinceChecklist
	switch {
	case e.ChecklistByUser && e.Checklist == "":
		return "The user emptied it. Write a new one only if several steps are left."
	case e.ChecklistByUser:
		return "The user changed it. Work by it as it is now, and tick its items in task_progress:\n" + strings.TrimSpace(e.Checklist)
	}
	if e.Mode == tools.Plan || e.ModeChanged {
		return ""
	}
	if e.Checklist == "" {
		if n%checklistEvery != checklistFirst {
			return ""
		}
		return "There is none yet. If several steps are left, send a complete one in task_progress with your next call."
	}
	if n == 0 || n%checklistEvery != 0 {
		return ""
	}
	done, all := 0, 0
	for _, m := range checklistItem.FindAllStringSubmatch(e.Checklist, -1) {
		if all++; m[1] != " " {
			done++
		}
	}
	return fmt.Sprintf("%d of %d items are ticked, and the list was not updated for %d requests. "+
		"Tick what is done, or rewrite it, in task_progress with your next call.", done, all, n)
}

package console

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"clined/internal/event"
)

// How long a call may be written or run before the terminal says so. Most are
// shown once, by their result.
const (
	slowWriting = 1500 * time.Millisecond
	slowRunning = 700 * time.Millisecond
)

// call is a tool call on its way.
type call struct {
	event.ToolCall
	// written are the arguments as far as the model has written them.
	written strings.Builder
	timer   *time.Timer
	// headed is true once its name stands on the terminal; approved is what
	// was shown of its change when it was asked for.
	headed, asked bool
	approved      string
	output        output
}

func (r *renderer) call(c event.ToolCall) {
	k := r.calls[c.ToolCallID]
	if k == nil {
		k = &call{}
		r.calls[c.ToolCallID] = k
	}
	k.ToolCall = c
	k.stop()
	switch c.Status {
	case event.Pending:
		if c.Args == "" || c.Args == "{}" {
			k.timer = time.AfterFunc(slowWriting, func() { r.slow(k, "writing ", "…") })
		}
	case event.InProgress:
		r.running(k)
	default:
		delete(r.calls, c.ToolCallID)
		r.finished(k)
	}
}

// running says after a while that the call runs.
func (r *renderer) running(k *call) {
	if !k.headed && k.Kind != "control" && k.Kind != "ask" {
		k.timer = time.AfterFunc(slowRunning, func() { r.slow(k, "", "▸") })
	}
}

func (k *call) stop() {
	if k.timer != nil {
		k.timer.Stop()
		k.timer = nil
	}
}

// slow shows a call that takes its time.
func (r *renderer) slow(k *call, doing, mark string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k.timer == nil || r.question { // over, or the line is needed
		return
	}
	k.timer = nil
	if doing == "" {
		r.head(k)
		return
	}
	r.line("  " + r.p.mark(mark) + " " + r.p.faint(doing) + r.callName(k))
}

// head names a call that has something to show before its result.
func (r *renderer) head(k *call) {
	if !k.headed {
		k.headed = true
		r.line("  " + r.p.mark("▸") + " " + r.callName(k))
	}
}

func (r *renderer) dropCalls() {
	for _, k := range r.calls {
		k.stop()
	}
	clear(r.calls)
}

// callName is the tool and its most telling arguments.
func (r *renderer) callName(k *call) string {
	name := clean(k.Name)
	if k.Server != "" {
		name = clean(k.Server + " · " + k.Tool)
	}
	if k.Kind == "control" {
		return r.p.strong("the answer")
	}
	args := argSummary(k.Args)
	if args == "" {
		args = firstArg(k.written.String())
	}
	args = clip(oneLine(clean(args)), r.columns()-len("  … writing  ")-len(name))
	return strings.TrimRight(r.p.strong(name)+" "+r.p.faint(args), " ")
}

// columns is the width that clipped lines go by.
func (r *renderer) columns() int {
	if r.o.Width > 0 {
		return r.o.Width
	}
	return 160
}

func (r *renderer) callDelta(d event.ToolCallDelta) {
	k := r.calls[d.ToolCallID]
	if k == nil {
		return
	}
	if d.ArgsText != "" && k.written.Len() < 4<<10 { // enough for its first arguments
		k.written.WriteString(d.ArgsText)
	}
	if d.Output == "" {
		return
	}
	for i, line := range k.output.add(clean(d.Output)) {
		if k.stop(); i == 0 && !k.asked {
			r.head(k)
		}
		r.outputLine(line)
	}
}

func (r *renderer) outputLine(line string) {
	r.line(r.p.faint(strings.TrimRight("    │ "+clip(untab(line), r.columns()-6), " ")))
}

// finished shows a call's result.
func (r *renderer) finished(k *call) {
	c := &k.ToolCall
	quiet := c.Kind == "control" || c.Kind == "ask"
	if c.Status == event.Discarded || quiet && c.Status != event.Error {
		return // the answer follows as a message, and a question stands there already
	}
	for _, line := range k.output.rest() {
		r.outputLine(line)
	}
	title := clip(callTitle(c), r.columns()-4)
	text := r.markOf(c.Status) + " " + title
	if rule := clean(c.AutoApproved); rule != "" && c.Kind != "read" {
		between := " · "
		if ansi.StringWidth(title+between+rule)+4 > r.columns() {
			between = "\n    "
		}
		text += r.p.faint(between + r.layOut(rule, "    "))
	}
	r.line("  " + text)
	switch {
	case c.Diff != "" && c.Diff != k.approved:
		r.shortDiff(c.Diff)
	case c.Diff != "", c.Status == event.Stopped, c.Status == event.Denied && k.asked:
	case c.Status != event.Done && k.output.lines == 0:
		r.reason(c.Output)
	case c.Kind == "command" && k.output.lines > 0: // it stands there already
		first, _, _ := strings.Cut(c.Output, "\n")
		r.block(first, 1, 0)
	default:
		head, tail := shownOf(c)
		r.block(c.Output, head, tail)
	}
}

// callTitle names a call for people; one that was not prepared has no title.
func callTitle(c *event.ToolCall) string {
	title := c.Title
	if title == "" {
		title = c.Name + " " + argSummary(c.Args)
	}
	return oneLine(clean(title))
}

// reason writes why a call came to nothing, broken at words.
func (r *renderer) reason(text string) {
	width := 0
	if r.o.Width > 0 {
		width = r.o.Width - len("    │ ") // bytes: a little to spare
	}
	f := flow{width: width}
	r.block(f.add(clean(text))+f.rest(), 4, 8)
}

func (r *renderer) markOf(s event.Status) string {
	switch s {
	case event.Done:
		return r.p.good("✓")
	case event.Error:
		return r.p.bad("✗")
	}
	return r.p.warn("–")
}

// shownOf says how many lines of a result stand on the terminal: of what was
// read its beginning, of a command also the end.
func shownOf(c *event.ToolCall) (head, tail int) {
	switch {
	case c.Kind == "command":
		return 2, 8
	case c.Kind == "read":
		return 4, 0
	}
	return 8, 0
}

// block writes the first and the last lines of a text, indented and faint.
// Lines without anything on them are left out.
func (r *renderer) block(text string, head, tail int) {
	lines := strings.Split(clean(text), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	left := len(lines) - head - tail
	for i, line := range lines {
		switch {
		case left <= 1 || i < head || i >= head+left:
			r.outputLine(line)
		case i == head:
			r.outputLine(fmt.Sprintf("… %d more lines", left))
		}
	}
}

// telling are the arguments that say most about a call, best first.
var telling = []string{"path", "absolutePath", "command", "regex", "question", "uri", "server_name"}

// argSummary shows the arguments of a call: the telling ones, else all.
func argSummary(args string) string {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &m) != nil {
		return ""
	}
	delete(m, "task_progress")
	var out []string
	for _, k := range telling {
		if v, ok := m[k]; ok {
			out = append(out, plain(v))
		}
	}
	if len(out) > 0 {
		return strings.Join(out, " ")
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+plain(m[k]))
	}
	return strings.Join(out, " ")
}

func plain(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

var writtenArg = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:path|absolutePath|command)"\s*:\s*("(?:[^"\\]|\\.)*")`)
})

// firstArg finds a telling argument in arguments that are not complete.
func firstArg(written string) string {
	m := writtenArg().FindStringSubmatch(written)
	if m == nil {
		return ""
	}
	s, err := strconv.Unquote(m[1])
	if err != nil {
		return ""
	}
	return s
}

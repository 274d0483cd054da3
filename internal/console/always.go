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

// always are the options that store a rule, in the order they were offered. One
// that does not say what it would store is none.
func always(p *protocol.ApprovalRequestParams) (list []protocol.ApprovalOption) {
	for _, o := range p.Options {
		if o.Kind == "allow_always" && o.Rule != nil {
			list = append(list, o)
		}
	}
	return list
}

// byPattern puts what is offered for one pattern side by side, as it is shown
// and counted.
func byPattern(list []protocol.ApprovalOption) (groups [][]protocol.ApprovalOption) {
	for _, o := range list {
		i := slices.IndexFunc(groups, func(g []protocol.ApprovalOption) bool { return g[0].Rule.Pattern == o.Rule.Pattern })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], o)
	}
	return groups
}

// chosen returns the option of a number that was shown, nil for none.
func chosen(list []protocol.ApprovalOption, answer string) *protocol.ApprovalOption {
	n, err := strconv.Atoi(strings.Trim(answer, " \t.)"))
	list = slices.Concat(byPattern(list)...)
	if err != nil || n < 1 || n > len(list) {
		return nil
	}
	return &list[n-1]
}

// keys says what can be answered.
func (r *renderer) keys(p *protocol.ApprovalRequestParams) {
	list := always(p)
	keys := "y yes · n no"
	if len(list) > 1 {
		keys += " · a always …"
	}
	if p.AllowFeedback {
		keys += " · or say what to do instead"
	}
	r.line("    " + r.p.faint(keys))
	if len(list) == 1 {
		text := "a always " + ruleText(list[0].Rule)
		r.line("    " + r.p.faint(r.layOut(text, "      ")))
	}
}

func ruleText(rule *protocol.Rule) string {
	return reach(rule.Scope) + ": " + oneLine(exact(rule.Pattern))
}

// reach says how far the scope of a rule goes.
func reach(scope string) string {
	switch scope {
	case "task", "workspace":
		return "in this " + scope
	case "user":
		return "everywhere"
	}
	return "(" + oneLine(exact(scope)) + ")"
}

// choices shows what may be allowed from now on, numbered.
func (r *renderer) choices(list []protocol.ApprovalOption) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line("    from now on without asking:")
	n := 0
	for _, group := range byPattern(list) {
		r.line("      " + r.layOut(oneLine(exact(group[0].Rule.Pattern)), "        "))
		var scopes []string
		for _, o := range group {
			n++
			scopes = append(scopes, r.p.strong(fmt.Sprint(n))+" "+reach(o.Rule.Scope))
		}
		r.line("        " + strings.Join(scopes, r.p.faint(" · ")))
	}
	r.line("    " + r.p.faint("a number · y only this time · n no"))
}

// granted is a rule of the user's whose call has not begun: it is stored before
// that.
type granted struct {
	callID string
	rule   protocol.Rule
}

// allowed remembers what the user has just allowed for longer than its task; a
// rule of the task holds at once.
func (f *Front) allowed(callID string, rule *protocol.Rule) {
	if rule.Scope == "task" {
		f.show.note("    from now on " + ruleText(rule))
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.server == nil { // a single tool, whose events nobody tells
		f.show.note("    from now on " + ruleText(rule) + " · clined rules shows it")
		return
	}
	f.grants = append(f.grants, granted{callID, *rule})
}

// stored tells of a rule once its call runs, and how to take it back.
func (f *Front) stored(c event.ToolCall) {
	f.mu.Lock()
	i := slices.IndexFunc(f.grants, func(g granted) bool { return g.callID == c.ToolCallID })
	if c.Status == event.Pending || i < 0 {
		f.mu.Unlock()
		return
	}
	rule := f.grants[i].rule
	f.grants = slices.Delete(f.grants, i, i+1)
	f.mu.Unlock()
	f.spawn(func(ctx context.Context) {
		f.show.event("", aside(f.howStored(ctx, rule)))
	})
}

// howStored finds the rule among those that are stored, the newest first.
func (f *Front) howStored(ctx context.Context, rule protocol.Rule) string {
	text := "from now on " + ruleText(&rule)
	res, err := f.daemon().RuleList(ctx, &protocol.RuleListParams{})
	if err != nil {
		return text + " · clined rules shows it"
	}
	for _, r := range slices.Backward(res.Rules) {
		if r.Rule == rule {
			return fmt.Sprintf("%s · taken back by: clined rules remove %d", text, r.ID)
		}
	}
	rule.Scope = "task"
	return "it could not be stored: from now on " + ruleText(&rule)
}

// aside is a line of the front's own among what happens.
type aside string

// Type is not on any wire.
func (aside) Type() string { return "" }

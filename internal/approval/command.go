package approval

import (
	"fmt"
	"slices"
	"strings"

	"clined/internal/tools"
)

// judgeCommand judges a command line as a whole and each simple command in it.
func (p Policy) judgeCommand(s tools.Subject, mode tools.Mode) Judgement {
	p.noted = noted{lists: map[string][]Rule{}, ruled: map[string]*Rule{}}
	l := p.parse(s.Command)
	j := p.judgeLine(s, l, mode)
	for _, c := range l.shown {
		j.Parts = append(j.Parts, p.judgeShown(s, c, l, mode))
	}
	if j.Verdict == Ask {
		j.Offers = p.offers(s, l, mode)
	}
	if p.ForeignShell != "" && j.Verdict == Ask && !strings.Contains(j.Reason, l.odd) {
		j.Reason += " " + l.odd
	}
	return j
}

// parse takes a line apart. That of a foreign shell is only guessed at.
func (p Policy) parse(src string) line {
	l := parseLine(src)
	if p.PlainCaret {
		l.plainCarets()
	}
	if p.ForeignShell == "" {
		return l
	}
	foreign := unreadable(fmt.Sprintf("Commands run in %s, whose lines cannot be judged.", p.ForeignShell))
	foreign.nested, foreign.inputs, foreign.values, foreign.sets, foreign.redirects = l.nested, l.inputs, l.values, l.sets, l.redirects
	foreign.words = appendNew([]string{src}, l.words)
	foreign.given = foreign.words
	return foreign
}

// plainCarets fixes the words of a line that only a leading "^" left open.
func (l *line) plainCarets() {
	for _, c := range slices.Concat(l.commands, l.shown, l.nested) {
		for i, w := range c.words {
			if w.caret {
				c.words[i].fixed, c.words[i].single, c.words[i].safe = true, true, true
			}
		}
		if c.own != nil {
			c.own.plainCarets()
		}
	}
}

// judgeLine goes by what is strongest: deny, plan mode, the user's ask, hidden
// files, then whether each simple command is allowed.
func (p Policy) judgeLine(s tools.Subject, l line, mode tools.Mode) Judgement {
	deny, ask := p.with(tools.Command, Deny), p.with(tools.Command, Ask)
	rule, denied := newFinder(deny).in(l, 0)
	if rule != nil {
		return Judgement{Verdict: Deny, By: ByRule, Rule: rule.name(), Reason: rule.says()}
	}
	limited, unclear := p.Limits.refuses(l)
	if limited != "" {
		return Judgement{Verdict: Deny, By: BySettings, Rule: LimitsVariable, Reason: limited}
	}
	if mode == tools.Plan {
		if why := l.changes(); why != "" {
			return planDenies(planCommands + " (" + why + ")")
		}
	}
	asks, unsure := newFinder(ask).in(l, 0)
	named, mayBeDenied := p.judgeNames("The command", l, l, s.Cwd)
	switch {
	case denied != "":
		return Judgement{Verdict: Ask, unsure: true, By: BySettings, Reason: "Rules deny some commands, and " + denied + "."}
	case unclear != "":
		return Judgement{Verdict: Ask, unsure: true, By: BySettings, Reason: unclear}
	case mayBeDenied:
		return Judgement{Verdict: Ask, unsure: true, By: BySettings, Reason: named}
	case asks != nil:
		return askFor(asks.says())
	case unsure != "":
		return askFor("Rules ask before some commands, and " + unsure + ".")
	case named != "":
		return askFor(named)
	case s.Unsandboxed:
		return askFor(outsideSandbox(s))
	case p.Command == AllCommands && !(l.unread && p.Hidden != nil):
		return Judgement{Verdict: Allow, By: BySettings, Rule: "autoApprove.command"}
	case l.odd != "":
		return askFor(oddBeside(l.odd, l.commands))
	case p.Hidden != nil && l.strays():
		return askFor("The command goes to a folder that is known only when it runs, and the ignore file may hide what it reads there.")
	}
	return p.judgeParts(s, l)
}

// oddBeside is what is odd about a line; a redirection comes after what its
// commands themselves do.
func oddBeside(odd string, commands []simple) string {
	if odd != toFile {
		return odd
	}
	for _, c := range commands {
		if why := danger(c); why != "" && len(c.words) > 0 {
			return why + " " + odd
		}
	}
	return odd
}

// outsideSandbox is why a command without the sandbox is asked about.
func outsideSandbox(s tools.Subject) string {
	if s.Refused != "" {
		return s.Refused + " It would run once more, without the sandbox."
	}
	return "The command would run outside of the sandbox."
}

const planCommands = "only commands known to read are run, and this one is not"

// judgeParts judges a line that consists of simple commands alone.
func (p Policy) judgeParts(s tools.Subject, l line) Judgement {
	var rules []string
	asks, by := "", BySettings
	for _, c := range l.commands {
		allowed := p.judgeSimple(s, c, l)
		switch {
		case allowed.Verdict != Allow:
			if asks == "" || allowed.Reason != asksFirst {
				asks = allowed.Reason
			}
			continue
		case allowed.By == ByRule:
			by = ByRule
		}
		if !slices.Contains(rules, allowed.Rule) {
			rules = append(rules, allowed.Rule)
		}
	}
	if asks != "" {
		return askFor(asks)
	}
	return Judgement{Verdict: Allow, By: by, Rule: strings.Join(rules, ", ")}
}

// judgeShown says of one simple command what would be said if it stood alone.
func (p Policy) judgeShown(s tools.Subject, c simple, l line, mode tools.Mode) Part {
	part := func(v Verdict, reason, rule string) Part {
		return Part{Command: c.text, Verdict: v, Reason: reason, Rule: rule}
	}
	if len(c.words) > 0 {
		if rule, _ := newFinder(p.with(tools.Command, Deny)).command(c, 0); rule != nil {
			return part(Deny, rule.says(), rule.name())
		}
	}
	if text := strings.Join(c.allWords(), " "); p.Limits != nil && len(p.Limits.allow) > 0 && text != "" && !p.Limits.allows(text) {
		return part(Deny, fmt.Sprintf("%s does not allow it.", LimitsVariable), LimitsVariable)
	}
	if mode == tools.Plan {
		if why := c.changes(); why != "" {
			return part(Deny, "In plan mode "+planCommands+" ("+why+").", "")
		}
	}
	if len(c.words) > 0 {
		if rule, _ := newFinder(p.with(tools.Command, Ask)).command(c, 0); rule != nil {
			return part(Ask, rule.says(), rule.name())
		}
	}
	if why, _ := p.judgeNames("It", *c.own, l, s.Cwd); why != "" {
		return part(Ask, why, "")
	}
	switch {
	case s.Unsandboxed:
		return part(Ask, outsideSandbox(s), "")
	case p.Command == AllCommands:
		return part(Allow, "", "autoApprove.command")
	case c.odd != "":
		return part(Ask, oddBeside(c.odd, []simple{c}), "")
	}
	j := p.judgeSimple(s, c, l)
	return part(j.Verdict, j.Reason, j.Rule)
}

const asksFirst = "Running commands asks first."

// judgeSimple judges one simple command by its words: what its exact words
// allow, what takes code or writes, what its beginning allows.
func (p Policy) judgeSimple(s tools.Subject, c simple, l line) Judgement {
	if c.name() == "git" && c.moved {
		return askFor("`git` after a change of directory would follow the configuration it finds there.")
	}
	if to, ok := p.strays(c, s.Cwd); ok {
		return askFor(fmt.Sprintf("`%s` after `%s` may run code from outside of the workspace.", c.name(), strings.TrimSpace("cd "+to)))
	}
	bad := danger(c)
	allow := p.with(tools.Command, Allow)
	byRule := func(r Rule) Judgement { return Judgement{Verdict: Allow, By: ByRule, Rule: r.name()} }
	for _, r := range allow {
		// What reads code from a pipe, or finds it where a cd leads, is more
		// than its words.
		if r.isExactly(c.words) && !(bad != "" && (c.piped || c.moved)) {
			return byRule(r)
		}
	}
	for _, r := range allow {
		if bad == "" && r.begins(c.words) || bad != "" && r.allowsTargets(c) {
			return byRule(r)
		}
	}
	if bad != "" {
		return askFor(bad)
	}
	if p.Command != SafeCommands {
		return askFor(asksFirst)
	}
	switch {
	case !readOnly(c):
		return askFor(asksFirst)
	case s.WantsApproval:
		return askFor("The model asks for a look at this command.")
	}
	if p.Hidden != nil && searchesAll(c) {
		return askFor("The command may read what the ignore file hides: search_files does not.")
	}
	if w, ok := p.leaves(c, l, s.Cwd); ok {
		return askFor(fmt.Sprintf("The command may read outside the workspace: %s.", w))
	}
	return Judgement{Verdict: Allow, By: BySettings, Rule: "autoApprove.command (safe)"}
}

// isExactly and begins tell whether a rule covers a command whole, or by its
// beginning.
func (r Rule) isExactly(words []word) bool {
	same := func(want []string) bool { return len(want) > 0 && equalWords(words, want) }
	return slices.ContainsFunc(r.Commands, same) || slices.ContainsFunc(r.Exact, same)
}

func (r Rule) begins(words []word) bool {
	return slices.ContainsFunc(r.Commands, func(prefix []string) bool {
		if len(prefix) > 1 && prefix[0] == "git" {
			words = withoutGlobals(words)
		}
		return len(prefix) > 0 && len(words) >= len(prefix) && equalWords(words[:len(prefix)], prefix)
	})
}

// withoutGlobals leaves the options out of a git command that change no meaning.
func withoutGlobals(words []word) []word {
	if len(words) == 0 || words[0].text != "git" {
		return words
	}
	rest, _ := gitSkip(words[1:])
	return append([]word{words[0]}, rest...)
}

// equalWords compares with words whose values are certain; an obfuscated or
// expanded word equals nothing.
func equalWords(words []word, want []string) bool {
	return slices.EqualFunc(words, want, func(w word, s string) bool { return w.fixed && w.text == s })
}

// changes says why a line is not known only to read; "" when it is.
func (l line) changes() string {
	if l.odd != "" {
		return strings.TrimSuffix(l.odd, ".")
	}
	for _, c := range l.commands {
		if why := c.changes(); why != "" {
			return why
		}
	}
	return ""
}

func (c simple) changes() string {
	if c.odd != "" {
		return strings.TrimSuffix(c.odd, ".")
	}
	if why := danger(c); why != "" {
		return strings.TrimSuffix(why, ".")
	}
	if !readOnly(c) {
		return "`" + c.name() + "` may do more"
	}
	return ""
}

// allWords are the texts of a command's words.
func (c simple) allWords() (list []string) {
	for _, w := range c.words {
		list = append(list, w.text)
	}
	return list
}

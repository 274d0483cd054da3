package approval

import (
	"fmt"
	"strings"

	"clined/internal/tools"
)

// judgePaths judges reading or editing; every path must be allowed.
func (p Policy) judgePaths(s tools.Subject, paths []tools.Path) Judgement {
	if len(paths) == 0 {
		if s.Kind == tools.Edit {
			return askFor("The edit names no file.")
		}
		paths = []tools.Path{{}} // reads something, but no file of its choice
	}
	result := Judgement{Verdict: Allow}
	for _, at := range paths {
		j := p.judgePath(s.Kind, at)
		switch {
		case j.Verdict == Deny:
			return j
		case result.Verdict == Allow || j.Verdict == Ask && weight(j) > weight(result):
			result = j
		}
	}
	return result
}

// weight orders asks: a path that nothing may be offered for comes first.
func weight(j Judgement) int {
	switch {
	case len(j.Offers) == 0:
		return 2
	case !j.Offers[0].Inside:
		return 1
	}
	return 0
}

// judgePath judges one path: deny, the user's ask, what protects it, what
// allows it.
func (p Policy) judgePath(kind tools.Kind, at tools.Path) Judgement {
	covers := func(v Verdict) *Rule {
		for _, r := range p.with(kind, v) {
			if p.coversPath(r, kind, at) {
				return &r
			}
		}
		return nil
	}
	auto, outside, setting := p.Read, p.ReadOutside, "autoApprove.read"
	if kind == tools.Edit {
		auto, outside, setting = p.Edit, p.EditOutside, "autoApprove.edit"
	}
	if at.Ignored {
		return Judgement{Verdict: Deny, By: BySettings, Reason: fmt.Sprintf("%s is hidden by the ignore file.", at.Display)}
	}
	if r := covers(Deny); r != nil {
		return Judgement{Verdict: Deny, By: ByRule, Rule: r.name(), Reason: fmt.Sprintf("%s: %s", at.Display, r.says())}
	}
	if kind == tools.Edit && at.Protected != "" {
		return askFor(fmt.Sprintf("%s is protected: %s.", at.Display, strings.TrimSuffix(at.Protected, ".")))
	}
	if r := covers(Ask); r != nil {
		return askFor(fmt.Sprintf("%s: %s", at.Display, r.says()))
	}
	switch r := covers(Allow); {
	case r != nil:
		return Judgement{Verdict: Allow, By: ByRule, Rule: r.name()}
	case auto && at.Outside && outside:
		return Judgement{Verdict: Allow, By: BySettings, Rule: setting + "Outside"}
	case auto && !at.Outside:
		return Judgement{Verdict: Allow, By: BySettings, Rule: setting}
	}
	return askForPath(kind, at)
}

// askForPath asks and offers what would have allowed it. Writing outside of the
// workspace is never offered.
func askForPath(kind tools.Kind, at tools.Path) Judgement {
	verb := map[tools.Kind]string{tools.Read: "Reading", tools.Edit: "Editing"}[kind]
	j := askFor(verb + " files asks first.")
	if at.Outside {
		j.Reason = fmt.Sprintf("%s is outside the workspace.", at.Real)
	}
	if kind == tools.Read || !at.Outside {
		j.Offers = []Rule{{Scope: TaskScope, Kind: kind, Inside: !at.Outside}}
	}
	return j
}

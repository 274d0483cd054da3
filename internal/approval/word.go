package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

var namedEscape = lazy(`\\[0-9A-Za-z]`)

// readWord unquotes a word and tells refuse, if given, of everything in it that
// could run something.
func readWord(w *syntax.Word, refuse func(why string)) word {
	if refuse == nil {
		refuse = func(string) {}
	}
	out := word{fixed: true, plain: true, single: true}
	head := -1
	if w == nil {
		return word{}
	}
	var b strings.Builder
	for i, part := range w.Parts {
		from := b.Len()
		switch p := part.(type) {
		case *syntax.Lit:
			if i == 0 {
				out.safe = startsFixed(p.Value)
			}
			text, quoted := unescape(p.Value, "")
			if quoted && namedEscape().MatchString(p.Value) { // fish
				refuse("The command has a backslash before a letter, which shells read differently.")
			}
			out.plain = out.plain && !quoted
			glob := expands(p.Value, i == 0)
			if out.caret = out.caret || i == 0 && strings.HasPrefix(p.Value, "^") && !expands(p.Value, false); out.caret && i == 0 {
				glob = false
			}
			out.fixed, out.single = out.fixed && !glob, out.single && !glob
			b.WriteString(text)
		case *syntax.SglQuoted:
			out.plain = false
			if p.Dollar {
				refuse("The command uses $'…' quoting, which shells read differently.")
			}
			if tail := len(p.Value) - len(strings.TrimRight(p.Value, `\`)); tail%2 == 1 { // fish
				refuse("The command has a backslash before a closing quote, which shells read differently.")
			}
			out.fixed = out.fixed && !p.Dollar
			b.WriteString(singleQuoted(p))
		case *syntax.DblQuoted:
			out.plain = false
			if p.Dollar {
				refuse("The command uses $\"…\" quoting, which shells read differently.")
			}
			if !readQuoted(p, &b, refuse) {
				out.fixed, out.variable = false, true
				if lit, ok := p.Parts[0].(*syntax.Lit); ok {
					text, _ := unescape(lit.Value, "$`\"\\\n")
					from += len(text)
				}
			}
			out.single = out.single && !slices.ContainsFunc(p.Parts, func(part syntax.WordPart) bool { return variableIn(part) == "@" })
			out.fixed = out.fixed && !p.Dollar
		default:
			out.plain, out.fixed, out.variable, out.single = false, false, true, false
			refuse(whyExpansion(part))
		}
		if out.variable && head < 0 {
			head = from
		}
	}
	if out.text, out.head = b.String(), head; head < 0 {
		out.head = len(out.text)
	}
	if out.caret = out.caret && out.fixed; out.caret {
		out.fixed, out.single = false, false
	}
	out.safe = out.fixed || out.safe && !out.variable
	return out
}

// singleQuoted is the text in single quotes, for $'…' as the shells with that
// quoting read it.
func singleQuoted(q *syntax.SglQuoted) string {
	if !q.Dollar {
		return q.Value
	}
	text, _, err := expand.Format(nil, q.Value, nil)
	if err != nil {
		return q.Value
	}
	text, _, _ = strings.Cut(text, "\x00") // where bash ends it
	return text
}

// readQuoted unquotes what stands in double quotes; fixed is false when
// something in it is expanded.
func readQuoted(q *syntax.DblQuoted, b *strings.Builder, refuse func(string)) (fixed bool) {
	fixed = true
	for _, part := range q.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			text, _ := unescape(lit.Value, "$`\"\\\n")
			b.WriteString(text)
			continue
		}
		fixed = false
		refuse(whyExpansion(part))
	}
	return fixed
}

// unescape takes away backslashes: before every character when special is "",
// else only before those in it.
func unescape(s, special string) (text string, quoted bool) {
	if !strings.Contains(s, `\`) {
		return s, false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (special == "" || strings.IndexByte(special, s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), true
}

// expands tells whether an unquoted literal is subject to globs, braces or a
// leading tilde ("=name" is a path in zsh, a leading "^" may negate there).
func expands(raw string, first bool) bool {
	if first && raw != "" && strings.IndexByte("~=^", raw[0]) >= 0 {
		return true
	}
	if strings.Contains(raw, "{") && (strings.Contains(raw, ",") || strings.Contains(raw, "..")) {
		return true
	}
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '*', '?', '[':
			if raw != "[" && raw != "[[" {
				return true
			}
		case '~':
			if i > 0 && (raw[i-1] == '=' || raw[i-1] == ':') {
				return true
			}
		}
	}
	return false
}

// startsFixed tells whether every word that raw can expand to begins with a
// character that begins no option.
func startsFixed(raw string) bool {
	if raw == "" { // of a list in braces
		return false
	}
	c := raw[0]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._/~", c) >= 0
}

// whyExpansion words why a part of a word cannot be judged; "" when it is a
// plain variable, which at worst gives other arguments to the same program.
func whyExpansion(part syntax.WordPart) string {
	switch p := part.(type) {
	case *syntax.CmdSubst:
		return "The command runs another one inside it (command substitution)."
	case *syntax.ProcSubst:
		return "The command runs another one inside it (process substitution)."
	case *syntax.ArithmExp:
		return "The command computes something (arithmetic expansion)."
	case *syntax.ParamExp:
		if plainVariable(p) {
			return ""
		}
		return "The command uses a variable expansion that could run something."
	}
	return "The command uses an expansion that shells read differently."
}

// plainVariable is $name or ${name}.
func plainVariable(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet &&
		p.Split == syntax.OptUnset && p.GlobSubst == syntax.OptUnset && p.RcExpand == syntax.OptUnset &&
		p.NestedParam == nil && p.Index == nil && len(p.Modifiers) == 0 && p.Slice == nil &&
		p.Repl == nil && p.Names == 0 && p.Exp == nil
}

// maxBraces is how many words a word with braces is expanded to.
const maxBraces = 64

// expandBraces returns what a word with alternatives such as "a.{go,c}" stands
// for; all is false when these are more than are looked at.
func expandBraces(w *syntax.Word) (list []string, all bool) {
	split := *w
	if !syntax.SplitBraces(&split) {
		return nil, true
	}
	for alternative, err := range expand.BracesSeq(nil, &split) {
		if err != nil || len(list) == maxBraces {
			return list, false
		}
		list = append(list, readWord(alternative, nil).text)
	}
	return list, true
}

// spread writes out the lists in braces of a command's words; nil when there are
// none.
func spread(words []*syntax.Word) (list []word) {
	found := false
	for _, w := range words {
		split := *w
		if !syntax.SplitBraces(&split) {
			list = append(list, readWord(w, nil))
			continue
		}
		found = true
		n := 0
		for alternative, err := range expand.BracesSeq(nil, &split) {
			if n++; err != nil || n > maxBraces {
				break
			}
			if r := readWord(alternative, nil); !r.plain || r.text != "" { // else it goes
				list = append(list, r)
			}
		}
	}
	if !found {
		return nil
	}
	return list
}

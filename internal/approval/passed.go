package approval

import (
	"slices"
	"strings"
	"sync"
)

// passers run the command that stands in their arguments behind one of these
// words, or from the beginning where there is none. Other words of theirs are
// lines of code, or none of a command.
var passers = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"npx": nil, "pnpx": nil, "bunx": nil, "uvx": nil,
		"npm": {"exec", "x"}, "pnpm": {"exec", "dlx"}, "yarn": {"exec", "dlx"}, "bun": {"x"},
		"uv": {"run"}, "poetry": {"run"}, "pipenv": {"run"}, "pdm": {"run"}, "hatch": {"run"}, "conda": {"run"}, "mamba": {"run"}, "micromamba": {"run"},
		"bundle": {"exec"}, "bundler": {"exec"}, "gdb": {"--args"}, "lldb": {"--"},
	}
})

// passersFlags are options of passers that take no further word.
var passersFlags = fields("-y --yes --no --no-install -g --global -q --quiet -s --silent -v --verbose --frozen --locked --no-sync --offline --isolated --all-extras --all-groups --no-dev --active --exact --bun")

// maxPassed bounds the words at which a command that is passed on may begin.
const maxPassed = 200

// passesOn are where the command that a program runs may begin among its words.
func passesOn(words []word) (at []int) {
	texts := simple{words: words}.allWords()
	name, _ := programOf(texts)
	behind, ok := passers()[name]
	if !ok {
		return nil
	}
	from := 1
	if behind != nil {
		subs := subsAt(texts[1:], passersFlags()...)
		i := slices.IndexFunc(texts[1:], func(t string) bool { return slices.Contains(behind, t) })
		if i < 0 || texts[1+i][0] != '-' && !slices.Contains(subs, i) {
			return nil
		}
		from = i + 2
	}
	for _, i := range subsAt(texts[from:], passersFlags()...) {
		at = append(at, from+i)
		if texts[from+i-1] == "--" {
			break
		}
	}
	return at
}

// passedOn looks at the commands that programs are given to run, and at what
// these run. unclear is set when it is not known which program that is.
func (f finder) passedOn(c simple) (found *Rule, unclear bool) {
	todo := passesOn(c.words)
	if todo == nil {
		return nil, false
	}
	texts := c.allWords()
	known := map[int]bool{}
	for n := 0; n < len(todo); n++ {
		i := todo[n]
		if known[i] {
			continue
		}
		if known[i] = true; len(known) > maxPassed {
			return nil, true
		}
		if rule := f.at(texts[i:]); rule != nil {
			return rule, false
		}
		inner := simple{words: c.words[i:]}
		unclear = unclear || c.words[i].variable && (texts[i-1] == "--" || !strings.HasPrefix(texts[i-1], "-") || slices.Contains(passersFlags(), texts[i-1]))
		for _, next := range passesOn(inner.words) {
			todo = append(todo, i+next)
		}
		if words, _ := carries(inner); words {
			unclear = unclear || runsUnknown(inner)
			for next := i + 1; next < min(len(texts), i+1+maxPassed); next++ {
				todo = append(todo, next)
			}
		}
	}
	return nil, unclear
}

package approval

import (
	"path"
	"slices"
	"strings"

	"clined/internal/tools"
)

// offers are the rules of which each would allow the line: by the beginnings of
// its commands where that may be, and by their exact words. Only what allows
// this very line is offered, so nothing where a rule or a setting is in the way.
func (p Policy) offers(s tools.Subject, l line, mode tools.Mode) (list []Rule) {
	if l.odd != "" {
		return nil
	}
	short := Rule{Scope: TaskScope, Kind: tools.Command}
	exact := short
	for _, c := range l.commands {
		j := p.judgeSimple(s, c, l)
		if j.Verdict == Allow {
			continue
		}
		prefix, whole := suggest(c), suggestExact(c)
		if j.Reason != asksFirst {
			prefix = nil
		}
		switch {
		case prefix != nil:
			short.Commands = appendWords(short.Commands, prefix)
		case whole != nil:
			short.Exact = appendWords(short.Exact, whole)
		default:
			return nil
		}
		exact.Exact = appendWords(exact.Exact, whole)
		if whole == nil {
			exact.Kind = ""
		}
	}
	candidates := []Rule{short}
	if len(short.Commands) > 0 {
		candidates = append(candidates, exact)
	}
	for _, r := range candidates {
		with := p
		with.noted.lists = nil
		with.Rules = append(slices.Clone(p.Rules), r)
		if r.Kind != "" && with.judgeLine(s, l, mode).Verdict == Allow {
			list = append(list, r)
		}
	}
	return list
}

func appendWords(list [][]string, words []string) [][]string {
	if words == nil || slices.ContainsFunc(list, func(m []string) bool { return slices.Equal(m, words) }) {
		return list
	}
	return append(list, words)
}

// families are programs whose subcommand says what they do.
var families = fields("git go cargo docker dotnet kubectl")

var subcommand = lazy(`^[a-z][a-z0-9-]*$`)

// suggest returns the prefix that an "always" would store for a command, nil
// when none should be: never for what takes code, writes, or is destructive.
func suggest(c simple) []string {
	if danger(c) != "" {
		return nil
	}
	name := c.name()
	if !slices.Contains(families(), name) {
		return []string{name}
	}
	a := args(c.words[1:])
	if !subcommand().MatchString(a.sub()) || name == "git" && slices.Contains(gitDestroys(), a.sub()) {
		return nil
	}
	return []string{name, a.sub()}
}

// builders run what the workspace's own files say: their exact words may be
// offered.
var builders = fields("make gmake ninja cmake meson bazel bazelisk rake just task gradle mvn sbt lein tox nox " +
	"npm pnpm yarn bun deno npx uv poetry bundle composer mix rebar stack cabal pre-commit " +
	"python node ruby perl php pytest jest mocha vitest tsc eslint prettier ruff mypy")

// runners are the subcommands that run the workspace's own code.
var runners = map[string][]string{"go": {"run", "generate"}, "cargo": {"run"}, "dotnet": {"run"}}

// undoes are words that throw something away, publish it or give it out of
// hand.
var undoes = fields("publish unpublish uninstall remove rm delete del clean distclean purge destroy deploy push reset drop " +
	"prune kill format wipe apply release upload exec run-script eval login adduser token config set init create dlx -c -e -p --eval --print -r --require")

// undoingPart finds such words among those of a target or a script's name.
var undoingPart = lazy(`clean|deploy|apply|publish|install|destroy|purge|wipe|release|upload|delete|remove|teardown|rollback|obliterate|(^(un|re)?|^db|^all)(reset|drop|rm|del|push|kill|prune|nuke|erase|trash|revert|migrate|flash|ship|promote|rollout)(db|all|ed|s)?$|^(down|mrproper|distribute|provision)$`)

// undoing tells of a word that is one of undoes, or, with parts, has one in it:
// deploy-prod, db:reset, dist/clean, resetDatabase.
func undoing(w string, parts bool) bool {
	if slices.Contains(undoes(), w) {
		return true
	}
	split := func(r rune) bool { return strings.ContainsRune("-_./:@+", r) }
	w = strings.ToLower(hump().ReplaceAllString(w, "$1-$2"))
	return parts && slices.ContainsFunc(strings.FieldsFunc(w, split), undoingPart().MatchString)
}

// hump is where a word begins in one like resetDatabase.
var hump = lazy(`([a-z0-9])([A-Z])`)

var plainWord = lazy(`^[A-Za-z0-9_./:=@%+,~^-]+$`)

// suggestExact returns the whole command where an "always" may store it: what
// only reads, and what runs the workspace's own code without further words.
func suggestExact(c simple) (words []string) {
	for _, w := range c.words {
		if !w.fixed {
			return nil
		}
		words = append(words, w.text)
	}
	if danger(c) == "" {
		if suggest(c) == nil {
			return nil
		}
		return words
	}
	if c.piped || c.moved || !runsOwnCode(c.name(), words[1:]) {
		return nil
	}
	for _, w := range words[1:] {
		installs := w == "install" && !isMake(c) // npm install and the like
		if !plainWord().MatchString(w) || undoing(w, !strings.Contains(w, "/")) && !installs {
			return nil
		}
	}
	return words
}

func runsOwnCode(name string, words []string) bool {
	base := strings.TrimRight(name, "0123456789.")
	switch {
	case runners[name] != nil:
		return len(words) > 1 && slices.Contains(runners[name], words[0]) &&
			!slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
	case base == "make" || base == "pytest":
		return true
	case localProgram().MatchString(name):
		return kindOf(path.Base(name)) == "" && argued()[path.Base(name)] == nil
	}
	return slices.Contains(builders(), base) && len(words) > 0
}

// allowsTargets tells of a rule that the user wrote for make, with no target of
// its own, that it covers what is given targets. What an "always" stored is no
// more than was shown.
func (r Rule) allowsTargets(c simple) bool {
	alone := func(prefix []string) bool { return len(prefix) == 1 && prefix[0] == c.name() }
	return r.Scope == SettingsScope && slices.ContainsFunc(r.Commands, alone) && buildsTargets(c)
}

// buildsTargets tells of a make that is given names of targets and no more: it
// runs what the workspace's own file says, as it does without any.
func buildsTargets(c simple) bool {
	return isMake(c) && !c.piped && !c.moved && !slices.ContainsFunc(c.words[1:], func(w word) bool {
		return !w.fixed || !targetName().MatchString(w.text) && !makeFlag().MatchString(w.text) || isElsewhere(w) || undoing(w.text, true)
	})
}

func isMake(c simple) bool { return slices.Contains([]string{"make", "gmake"}, c.name()) }

var targetName = lazy(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)

// makeFlag finds options of make that say how, not what.
var makeFlag = lazy(`^(-j[0-9]*|-[ksnB]|--keep-going|--silent|--dry-run|--no-print-directory)$`)

// localProgram is a script of the workspace, such as ./gradlew.
var localProgram = lazy(`^\./[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$`)

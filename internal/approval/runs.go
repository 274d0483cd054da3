package approval

import (
	"slices"
	"strings"
	"sync"
)

// runsUnknown tells of a program that runs others where a variable, or more, may
// be what it runs. A variable that is one word cannot be more than the value of
// the option before it; others may be any words, or none.
func runsUnknown(c simple) bool {
	name, _ := programOf(c.allWords())
	rest := behindOptions(name, c.words[1:])
	if reads := readingSubs()[name]; reads != nil && len(rest) > 0 && rest[0].fixed && slices.Contains(reads, rest[0].text) {
		return false
	}
	before, maybe := leading()[name], false // operands before the program; the next one may be the value of an option
	for _, w := range rest {
		if strings.HasPrefix(w.text, "-") {
			maybe = !strings.Contains(w.text, "=") && !attached().MatchString(w.text) && !slices.Contains(valueless()[name], w.text)
			continue
		}
		switch {
		case strings.Contains(w.text, "="):
		case !w.fixed:
			return true
		case maybe:
		case before == 0:
			return false
		default:
			before--
		}
		maybe = false
	}
	return false
}

// leading are how many operands stand before the program that a wrapper runs.
var leading = sync.OnceValue(func() map[string]int {
	return map[string]int{
		"timeout": 1, "gtimeout": 1, "flock": 1, "lockf": 1, "chroot": 1, "taskset": 1, "chrt": 1, "setarch": 1, "chpst": 1, "su": 1, "sg": 1, "runuser": 1,
		"setuidgid": 1, "envdir": 1, "gosu": 1, "su-exec": 1, "ssh": 1, "autossh": 1,
	}
})

// attached finds an option with a number for its value.
var attached = lazy(`^-[A-Za-z]*[0-9]+$`)

// valueless are options of wrappers that take no further word.
var valueless = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"xargs":   strings.Fields("-0 -r -t -x -p -0r -r0 -rt --null --no-run-if-empty -I{} -I% -I@"),
		"sudo":    strings.Fields("-E -n -H -S -k -b -nE -En --preserve-env --non-interactive --"),
		"env":     strings.Fields("-i - -0 -v --ignore-environment --"),
		"timeout": strings.Fields("--foreground --preserve-status -v --verbose --"),
		"time":    strings.Fields("-p -v"),
		"strace":  strings.Fields("-f -ff -c -t -tt -y"),
		"stdbuf":  strings.Fields("-oL -eL -iL"),
		"command": strings.Fields("-p -v -V"),
		"exec":    strings.Fields("-c -l"),
		"watch":   strings.Fields("-d -t -b -e -g -x -c"),
	}
})

// readingSubs are the subcommands that run nothing of what follows them.
var readingSubs = sync.OnceValue(func() map[string][]string {
	return map[string][]string{"kubectl": kubectlReads(), "docker": dockerReads()}
})

// valued are options before a subcommand that take the next word, whatever it is.
var valued = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"kubectl": strings.Fields("-n --namespace --context --cluster --user -l --selector -o --output"),
		"helm":    strings.Fields("-n --namespace --kube-context"),
		"docker":  strings.Fields("-H --host -c --context -l --log-level"),
		"git":     strings.Fields("-C --git-dir --work-tree --namespace"),
		"npm":     strings.Fields("--prefix --workspace -w"),
		"gh":      strings.Fields("-R --repo"),
		"cargo":   strings.Fields("--manifest-path --color -C"),
		"go":      strings.Fields("-C"),
	}
})

// behindOptions leaves out the options with a value that stand before the
// subcommand, as far as they are known and their values single words.
func behindOptions(name string, words []word) []word {
	options := valued()[name]
	for len(words) > 1 && words[0].fixed && slices.Contains(options, words[0].text) && (words[1].fixed || words[1].single) {
		words = words[2:]
	}
	return words
}

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
	if inside, ok := insideContainer(name, rest); ok {
		if len(inside) == 0 {
			return false
		}
		words, _ := carries(simple{words: inside})
		return !inside[0].fixed || words && runsUnknown(simple{words: inside})
	}
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
	if len(words) > 0 && slices.Contains(rustProxies(), name) && words[0].fixed && strings.HasPrefix(words[0].text, "+") {
		words = words[1:]
	}
	options := valued()[name]
	for len(words) > 1 && words[0].fixed && slices.Contains(options, words[0].text) && (words[1].fixed || words[1].single) {
		words = words[2:]
	}
	return words
}

// insideContainer is the command that a program runs in a container, as far as
// its words tell where it begins; none where it is the container's own, and what
// is not known as its first word where it may begin earlier. ok is set when that
// is what the program does.
func insideContainer(name string, words []word) (inside []word, ok bool) {
	pod := name == "kubectl" || name == "oc"
	if !pod && !slices.Contains(containers(), name) || len(words) == 0 {
		return nil, false
	}
	if words[0].text == "compose" || words[0].text == "container" {
		if words = words[1:]; len(words) == 0 {
			return nil, false
		}
	}
	if sub := words[0].text; sub != "exec" && (pod || sub != "run" && sub != "create") {
		return nil, false
	}
	words = words[1:]
	if pod {
		if i := slices.IndexFunc(words, func(w word) bool { return w.text == "--" }); i >= 0 {
			return words[i+1:], true
		}
	}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case strings.HasPrefix(w.text, "-"):
			if !strings.Contains(w.text, "=") && !containerFlag().MatchString(w.text) {
				i++ // its value
			}
		case w.variable && !w.single:
			return words[i:], true
		default: // the container or image
			return words[i+1:], true
		}
	}
	return nil, true
}

// containers run commands in containers that their first operand names.
var containers = fields("docker podman nerdctl docker-compose podman-compose")

// containerFlag finds the options that take no further word.
var containerFlag = lazy(`^(-[diPqtT]+|--(rm|detach|init|interactive|no-healthcheck|no-deps|no-TTY|oom-kill-disable|privileged|publish-all|quiet|read-only|service-ports|sig-proxy|stdin|tty|build))$`)

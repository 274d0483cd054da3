package approval

import (
	"slices"
	"strings"
	"sync"
)

// maxForms bounds the other ways to write a command that are looked at, and
// maxFormWords the words of all of them together.
const (
	maxForms     = 64
	maxFormWords = 100_000
)

// maxSubs bounds the words that are looked at for a subcommand.
const maxSubs = 16

// forms are a command's words and other words for the same command, or for what
// it runs: rules may name any of them.
func forms(texts []string) [][]string {
	list, words := [][]string{texts}, len(texts)
	for i := 0; i < len(list) && words < maxFormWords; i++ {
		for _, other := range alike(list[i]) {
			known := slices.ContainsFunc(list, func(seen []string) bool { return slices.Equal(seen, other) })
			if !known && len(list) < maxForms {
				list, words = append(list, other), words+len(other)
			}
		}
	}
	return list
}

// alike are the forms that are one step away.
func alike(texts []string) (list [][]string) {
	name, rest := programOf(texts)
	as := func(words ...string) { list = append(list, words) }
	switch {
	case slices.Contains(rustProxies(), name) && toolchain(rest):
		as(append([]string{name}, rest[1:]...)...)
	case name != "pip" && pipName().MatchString(name):
		as(append([]string{"pip"}, rest...)...)
	case pythonName().MatchString(name):
		if module := pythonModule(rest); module != nil {
			as(module...)
		}
	case name == "git":
		if ran := gitAliased(rest); ran != nil {
			as(ran...)
		}
	case name == "yarn" && len(subsAt(rest)) == 0 && !slices.ContainsFunc(rest, func(t string) bool { return slices.Contains(tellOnly(), t) }):
		as("yarn", "install")
	}
	takesNext := valued()[name]
	if name == "git" {
		takesNext = gitValued()
	}
	for _, i := range subsAt(rest, passersFlags()...) {
		if i > 0 && slices.Contains(takesNext, rest[i-1]) {
			continue
		}
		for _, same := range synonyms()[name] {
			if !slices.Contains(same, rest[i]) {
				continue
			}
			for _, other := range same {
				as(slices.Concat([]string{name}, rest[:i], []string{other}, rest[i+1:])...)
			}
		}
		if i > 0 && (takesNext != nil || slices.Contains(families(), name)) {
			as(append([]string{name}, rest[i:]...)...)
		}
	}
	return list
}

// rustProxies take a toolchain before their arguments.
var rustProxies = fields("cargo rustc rustdoc rustfmt rustup clippy-driver cargo-clippy cargo-fmt cargo-miri rust-analyzer rust-gdb rust-lldb")

func toolchain(rest []string) bool {
	return len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '+'
}

var (
	pipName    = lazy(`^pip[0-9.]*$`)
	pythonName = lazy(`^(python|pypy)[0-9.]*$|^py$`)
	moduleFlag = lazy(`^-[bBdEiIOPqRsSuv]*m`)
)

// pythonModule is the command that "python -m" is for: most modules that are
// run that way are programs, too.
func pythonModule(rest []string) []string {
	for i := 0; i < len(rest) && strings.HasPrefix(rest[i], "-"); i++ {
		switch flag := moduleFlag().FindString(rest[i]); {
		case flag == rest[i]:
			return rest[i+1 : len(rest) : len(rest)]
		case flag != "":
			return append([]string{rest[i][len(flag):]}, rest[i+1:]...)
		case rest[i] == "-X" || rest[i] == "-W":
			i++
		}
	}
	return nil
}

// subsAt are where a subcommand may stand: behind the options, of which each may
// take the next word unless it is one of flags.
func subsAt(rest []string, flags ...string) (at []int) {
	maybe := false
	for i, t := range rest {
		switch {
		case strings.HasPrefix(t, "-"):
			maybe = !strings.Contains(t, "=") && !slices.Contains(flags, t)
			continue
		case !maybe || len(at) == maxSubs:
			return append(at, i)
		}
		at, maybe = append(at, i), false
	}
	return at
}

// tellOnly are options with which a program does nothing else.
var tellOnly = fields("-v --version -h --help")

// synonyms are subcommands with the same meaning.
var synonyms = sync.OnceValue(func() map[string][][]string {
	lists := func(texts ...string) (all [][]string) {
		for _, t := range texts {
			all = append(all, strings.Fields(t))
		}
		return all
	}
	return map[string][][]string{
		"npm": lists("install i in ins inst insta instal isnt isnta isntal isntall add", "uninstall unlink remove rm r un", "test t tst", "run run-script rum urn",
			"ci clean-install ic install-clean isntall-clean", "update up upgrade udpate", "exec x", "link ln", "rebuild rb", "adduser add-user login"),
		"pnpm": lists("install i", "remove rm uninstall un", "update up upgrade", "test t tst", "run run-script"),
	}
})

// gitValued are the options before git's subcommand that take the next word.
var gitValued = fields("-c -C --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source")

// gitSub is where git's subcommand stands, len(rest) when there is none.
func gitSub(rest []string) int {
	i := 0
	for i < len(rest) && strings.HasPrefix(rest[i], "-") {
		if slices.Contains(gitValued(), rest[i]) {
			i++
		}
		i++
	}
	return min(i, len(rest))
}

// gitAliased is the command of git for which its options make the subcommand an
// alias. One that begins with "!" is a line of its own.
func gitAliased(rest []string) []string {
	at := gitSub(rest)
	if at == len(rest) {
		return nil
	}
	for i := range rest[:at] {
		if rest[i] != "-c" {
			continue
		}
		key, value, _ := strings.Cut(rest[i+1], "=")
		section, name, _ := strings.Cut(key, ".")
		if strings.EqualFold(section, "alias") && strings.EqualFold(name, rest[at]) && !strings.HasPrefix(value, "!") {
			return slices.Concat([]string{"git"}, rest[:at], strings.Fields(value), rest[at+1:])
		}
	}
	return nil
}

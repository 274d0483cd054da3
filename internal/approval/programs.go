package approval

import (
	"regexp"
	"slices"
	"strings"
)

func fdDanger(a args) string {
	return a.when(a.long("exec", "exec-batch") || a.short("xX"), runsOther)
}

// testDanger: subscripts in a variable's name are evaluated by bash, and may
// run commands.
func testDanger(a args) string {
	return a.when(a.short("vR") || slices.ContainsFunc(a, func(w word) bool { return strings.ContainsAny(w.text, "[]$`") && w.text != "]" }),
		"may evaluate what it tests")
}

// sedScript prints lines by number and nothing else.
var sedScript = regexp.MustCompile(`^\s*(\d+|\$)(\s*,\s*(\+?\d+|\$))?\s*p\s*$`)

// sedPrints accepts sed -n 'N,Mp' FILE…
func (a args) sedPrints() bool {
	if len(a) < 2 || !slices.Contains([]string{"-n", "--quiet", "--silent"}, a[0].text) {
		return false
	}
	for _, w := range a[2:] {
		if strings.HasPrefix(w.text, "-") {
			return false
		}
	}
	return a[1].fixed && sedScript.MatchString(a[1].text)
}

// gitGlobals are the options before the subcommand that change no meaning.
var gitGlobals = []string{"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--version"}

// gitSkip takes the harmless global options away; ok is false when others are
// there (-c, -C, --exec-path, --git-dir … make git run what they name).
func gitSkip(a args) (rest args, ok bool) {
	for len(a) > 0 && strings.HasPrefix(a[0].text, "-") {
		if !slices.Contains(gitGlobals, a[0].text) {
			return a, false
		}
		a = a[1:]
	}
	return a, true
}

// gitRuns are the subcommands that run programs, or change how git itself will
// run, by their arguments.
var gitRuns = strings.Fields("config bisect submodule filter-branch difftool mergetool instaweb daemon shell web--browse " +
	"send-email svn p4 cvsimport archimport quiltimport remote-ext remote-fd upload-pack receive-pack upload-archive " +
	"fast-import fast-export init clone alias hook credential maintenance worktree gui gitk citool help bundle")

// gitDestroys are those that throw work away or publish it.
var gitDestroys = strings.Fields("push reset clean checkout switch restore rm mv rebase gc prune reflog branch tag stash " +
	"update-ref replace remote update-index read-tree symbolic-ref notes sparse-checkout am apply merge cherry-pick revert pull")

func gitDanger(a args) string {
	a, ok := gitSkip(a)
	if !ok {
		return "is given options that can make it run programs"
	}
	sub := a.sub()
	switch {
	case slices.Contains(gitRuns, sub):
		return "may run programs or change how git works"
	case slices.Contains(gitDestroys, sub) && !gitLists(a):
		return "changes the repository"
	case a.long("output", "ext-diff", "exec", "upload-pack", "receive-pack", "open-files-in-pager", "template", "config", "editor", "gpg-sign") ||
		sub == "grep" && a.short("O") || sub == "archive" && a.short("o") || sub == "format-patch" || sub == "commit" && a.short("S"):
		return "may run programs or write files"
	}
	return ""
}

// gitLists tells of the listing forms of subcommands that otherwise change
// something.
func gitLists(a args) bool {
	rest := a[1:]
	plain := func(options ...string) bool {
		return !slices.ContainsFunc(rest, func(w word) bool { return !slices.Contains(options, w.text) })
	}
	switch a.sub() {
	case "branch":
		return plain("-a", "-r", "-v", "-vv", "-av", "-avv", "--all", "--remotes", "--list", "--show-current", "--verbose")
	case "tag":
		return plain("-l", "--list", "-n")
	case "remote":
		return plain("-v", "--verbose") || len(rest) == 2 && rest[0].text == "get-url"
	case "stash":
		return len(rest) > 0 && (rest[0].text == "list" || rest[0].text == "show") && !a.long("output", "ext-diff")
	case "reflog":
		return len(rest) == 0 || len(rest) == 1 && rest[0].text == "show"
	case "notes":
		return len(rest) == 1 && rest[0].text == "list"
	}
	return false
}

// goKnown are the subcommands that run or change no more than the module's own
// build and tests do.
var goKnown = strings.Fields("build test vet list version doc env help")

func goDanger(a args) string {
	switch sub := a.sub(); {
	case sub == "mod" && len(a) > 1 && slices.Contains([]string{"graph", "why", "verify"}, a[1].text):
	case !slices.Contains(goKnown, sub):
		return "may run code or change files"
	case sub == "env" && slices.ContainsFunc(a[1:], func(w word) bool {
		return strings.HasPrefix(strings.TrimLeft(w.text, "-"), "w") || strings.HasPrefix(strings.TrimLeft(w.text, "-"), "u")
	}):
		return "changes how go works"
	}
	for _, o := range strings.Fields("exec toolexec vettool overlay modfile mod ldflags gcflags asmflags gccgoflags compiler o C pkgdir " +
		"coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir c i fix fuzz") {
		if a.exact("-"+o, "--"+o, "-test."+o, "--test."+o) {
			return "may run programs or write files"
		}
	}
	return ""
}

func cargoDanger(a args) string {
	return a.when(!slices.Contains(strings.Fields("test build check clippy tree metadata doc bench"), a.sub()) || a.long("config", "target-dir", "out-dir", "artifact-dir") || a.short("CZ"),
		"may run programs or change files")
}

func dockerDanger(a args) string {
	return a.when(!slices.Contains(strings.Fields("ps images logs inspect version info top stats port history"), a.sub()), "runs programs")
}

// readers only read, whatever their arguments are.
var readers = strings.Fields("ls cat head tail wc cut tr nl tac rev basename dirname realpath readlink stat du df uname whoami id " +
	"groups which type true false seq sleep cmp diff comm join paste fold fmt expand unexpand column strings od hexdump " +
	"md5sum sha1sum sha256sum sha512sum cksum b2sum base64 grep egrep fgrep pwd echo nproc arch uptime free jq " +
	// Those whose arguments decide are readers where danger finds none.
	"find fd fdfind rg sort uniq xxd tree file sed date hostname test [ printf")

var gitReaders = strings.Fields("status log diff show rev-parse ls-files ls-tree describe blame annotate shortlog cat-file name-rev " +
	"merge-base rev-list grep branch tag remote stash reflog notes count-objects diff-tree diff-index diff-files show-ref " +
	"for-each-ref var check-ignore check-attr whatchanged range-diff cherry version")

// readOnly tells of a command that is known to change nothing. After a cd git
// is not: it runs what the configuration of a directory names.
func readOnly(c simple) bool {
	if len(c.words) == 0 || danger(c) != "" {
		return false
	}
	name, a := c.name(), args(c.words[1:])
	switch name {
	case "cd":
		return len(a) == 1 && a[0].fixed && !strings.HasPrefix(a[0].text, "-")
	case "git":
		a, _ = gitSkip(a)
		return !c.moved && (len(a) == 0 || slices.Contains(gitReaders, a.sub()))
	case "go":
		return slices.Contains(strings.Fields("version list vet doc env mod help"), a.sub()) && !a.exact("-export", "-compiled")
	}
	if len(a) == 1 && a[0].fixed && a[0].text == "--version" {
		return slices.Contains(strings.Fields("node python python3 npm java gcc clang make cmake docker"), name)
	}
	return slices.Contains(readers, name)
}

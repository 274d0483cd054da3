package approval

import (
	"path"
	"slices"
	"strings"
)

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

// gitSafe are the subcommands beside the reading ones that a prefix may cover.
// All others run programs or change how git itself will run, may be an alias or
// a program git-NAME, or change what cannot be had back.
var gitSafe = fields("add commit fetch ls-remote")

// gitOthers are further subcommands of git itself: no alias can have their
// names.
var gitOthers = fields("config bisect submodule filter-branch difftool mergetool instaweb daemon shell web--browse send-email svn p4 " +
	"cvsimport archimport quiltimport upload-pack receive-pack upload-archive fast-import fast-export init clone hook credential maintenance " +
	"worktree gui gitk citool help bundle archive format-patch request-pull interpret-trailers bugreport diagnose repack pack-refs pack-objects " +
	"unpack-objects index-pack fsck hash-object mktag mktree write-tree commit-tree commit-graph multi-pack-index mailinfo mailsplit merge-file " +
	"merge-index merge-tree rerere show-branch verify-commit verify-tag verify-pack version backfill refs last-modified history")

// gitAlias tells of a git command that is none of git's own: an alias, or a
// program, which may do what another subcommand does.
func gitAlias(c simple) bool {
	if path.Base(c.name()) != "git" {
		return false
	}
	a := args(c.words[1:])
	for len(a) > 0 && strings.HasPrefix(a[0].text, "-") {
		if slices.Contains([]string{"-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"}, a[0].text) && len(a) > 1 {
			a = a[1:]
		}
		a = a[1:]
	}
	return len(a) > 0 && !slices.ContainsFunc([][]string{gitReaders(), gitSafe(), gitDestroys(), gitOthers()}, func(known []string) bool { return slices.Contains(known, a[0].text) })
}

// gitDestroys are those that throw work away or publish it.
var gitDestroys = fields("push reset clean checkout switch restore rm mv rebase gc prune reflog branch tag stash " +
	"update-ref replace remote update-index read-tree symbolic-ref notes sparse-checkout am apply merge cherry-pick revert pull")

func gitDanger(a args) string {
	a, ok := gitSkip(a)
	if !ok {
		return "is given options that can make it run programs"
	}
	sub := a.sub()
	switch {
	case len(a) == 0:
		return ""
	case slices.Contains(gitDestroys(), sub) && !gitLists(a):
		return "changes the repository"
	case !slices.Contains(gitReaders(), sub) && !slices.Contains(gitSafe(), sub):
		return "may run programs or change how git works"
	case (sub == "fetch" || sub == "ls-remote") && slices.ContainsFunc(a[1:].operands(), func(w word) bool { return strings.ContainsAny(w.text, ":+") }):
		return "names a source or a target of its own"
	case a.long("output", "ext-diff", "exec", "upload-pack", "receive-pack", "open-files-in-pager", "template", "config", "editor", "gpg-sign") ||
		sub == "archive" && a.long("remote") || sub == "grep" && a.short("O") || sub == "archive" && a.short("o") || sub == "format-patch" || sub == "commit" && a.short("S"):
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

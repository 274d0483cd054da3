package approval

import (
	"slices"
	"strings"
)

// readers only read, whatever their arguments are.
var readers = fields("ls cat head tail wc cut tr nl tac rev basename dirname realpath readlink stat du df uname whoami id " +
	"groups which type true false seq sleep cmp diff comm join paste fold fmt expand unexpand column strings od hexdump " +
	"md5sum sha1sum sha256sum sha512sum cksum b2sum base64 grep egrep fgrep pwd echo nproc arch uptime free jq " +
	// Those whose arguments decide are readers where danger finds none.
	"find fd fdfind rg ag ack sort shuf iconv uniq xxd tree file sed awk gawk mawk nawk date hostname test [ printf command gofmt exit")

var gitReaders = fields("status log diff show rev-parse ls-files ls-tree describe blame annotate shortlog cat-file name-rev " +
	"merge-base rev-list grep branch tag remote stash reflog notes count-objects diff-tree diff-index diff-files show-ref " +
	"for-each-ref var check-ignore check-attr whatchanged range-diff cherry version")

var goReaders = fields("version list vet doc env mod help")

// tellVersion are programs that with --version do no more.
var tellVersion = fields("node python python3 npm java gcc clang make cmake docker")

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
		return !c.moved && (len(a) == 0 || slices.Contains(gitReaders(), a.sub())) &&
			!(a.sub() == "var" && a.short("l")) // the user's whole configuration
	case "go":
		return slices.Contains(goReaders(), a.sub()) && !a.exact("-export", "-compiled") && !asksProxy(a)
	}
	if len(a) == 1 && a[0].fixed && a[0].text == "--version" {
		return slices.Contains(tellVersion(), name)
	}
	if name == "jq" && (a.short("f") || a.long("from-file") || slices.ContainsFunc(a, func(w word) bool { return jqReaches().MatchString(w.text) })) {
		return false
	}
	return slices.Contains(readers(), name)
}

// asksProxy tells of a go command that asks other machines about the modules that
// it names.
func asksProxy(a args) bool {
	return a.sub() == "list" && (a.goFlag("u", "versions", "retracted") || slices.ContainsFunc(a, func(w word) bool { return strings.Contains(w.text, "@") }))
}

// jqReaches finds what tells the environment, and what reads files of its choice;
// both may also stand in a file of code.
var jqReaches = lazy(`\benv\b|\$ENV|\b(import|include)\b`)

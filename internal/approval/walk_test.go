package approval

import (
	"path"
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

// holdsSvc says that /ws holds what is hidden, in svc.
func holdsSvc(word string, literal bool) string {
	if !path.IsAbs(word) {
		word = "/ws/" + word
	}
	if word = path.Clean(word); !literal && strings.ContainsAny(word, "*?[{") {
		return when(strings.HasPrefix(word, "/ws/s"), "which holds files that the ignore file hides")
	}
	return when(slices.Contains([]string{"/", "/ws", "/ws/svc"}, word), "which holds files that the ignore file hides")
}

// What goes through a folder with hidden files asks, though it names none of
// them and a rule or a setting allows it.
func TestWalksAsk(t *testing.T) {
	p := Policy{
		Settings: Settings{Allow: written(t, "grep", "egrep", "rg", "ag", "git grep", "ls", "tree", "cd", "head", "cat", "echo", "sort", "gofmt",
			"exact: cp -r . /tmp/x", "exact: tar c .", "exact: find . -exec cat {} +", "exact: grep -r x svc")},
		Roots: []string{"/ws"}, Home: "/home/u", Hidden: func(string) bool { return false }, Holds: holdsSvc,
	}
	all := p
	all.Settings = Settings{Command: AllCommands}
	safe := p
	safe.Settings = Settings{Command: SafeCommands}
	asked := []string{
		"grep -r x", "grep -rn x .", "grep -r x ./", "grep -rn x svc", "grep -rn x src svc", "grep -r x ..", "grep -r x /", "grep -r x /ws", "grep --recursive x", "grep --recurs x .", "grep -nR x", "egrep -d recurse x svc",
		"grep --directories=recurse x svc", "grep -r x src/../svc", "cd svc && grep -r x .", "cd svc && grep -r x", "cd src; grep -r x .", "cd src || grep -r x .", "cd src && ls || grep -r x .", "cd src && cd - && grep -r x .", "cd src && cd .. && grep -r x .", "cd src && grep -r x ..", "cd .. && grep -r x .",
		"! cd src && grep -r x .", "cd src | grep -r x .", "(cd src); grep -r x .", "cd src && eval cd .. && grep -r x .", "cd src && builtin cd .. && grep -r x .", "cd src && .. && grep -r x .", "cd src && command cd .. && grep -r x .", "cd src && make && grep -r x .", "X=1 cd src && grep -r x .",
		"cd src 2>/dev/null && grep -r x .", "cd src </dev/null && grep -r x .", "cd src < <(grep -r KEY . >&2) && true", "cd src <<<\"$(grep -r KEY . >&2)\" && true", "cd src <<< `grep -r KEY .` && true", "cd src > $(grep -r KEY .) && true", "cd src 2>/dev/null <<E && true\n$(grep -r KEY .)\nE\n", "cd src$(grep -r KEY . >&2) && true", "cd \"src$(grep -r KEY . >&2)\" && true", "cd src/<(grep -r KEY .) && true", "cd src$(( $(grep -r KEY .) )) && true", "cd ${X:=$(grep -r KEY .)} && true",
		"cd src &\ngrep -r x .", "cd src && grep -r x ../svc", "grep -r x s*", "grep -r x {src,svc}", "grep -r -A 3 x", "grep -r -m 1 x", "grep -r x -A 3",
		"grep -r -e x", "grep -r -ex", "grep -rne x", "grep -r --include '*.go' x", "grep -r --include=a x", "grep -r --exclude -efoo -n x", "grep -r --exclude -- -n x", "grep -r -- x", "grep -r -d recurse x", "grep -r $X src", "grep -r x \"$DIR\"",
		"cat a | grep -r x", "head a | grep -rn x | sort", "echo a; grep -rn x .", "grep -r --regexp=x", "grep -r --regexp x", "grep -r -f pats", "grep -r x *",
		"rg x", "rg -n x", "rg x .", "rg x svc", "rg -A 2 x", "rg -A2 x", "rg -r y x", "rg -g '*.go' x", "rg --files", "rg -e x", "rg -tgo x", "rg -t go x", "ag x", "ag x svc", "cat a; rg x", "(rg x)",
		"git grep x", "git grep -n x HEAD", "git grep x -- .", "git grep x -- svc", "git grep x -- ':(top)'", "git grep -e -- x", "git --no-pager grep x", "git grep x -- 's*'",
		"ls -R", "ls -lR svc", "ls --recursive", "ls -R -I x", "tree", "tree -L 2", "tree svc", "gofmt -d svc", "gofmt svc",
		"cp -r . /tmp/x", "tar c .", "find . -exec cat {} +", "grep -r x svc",
	}
	onlyAll := []string{
		"cp -a svc /tmp/x", "cp -R . x", "mv svc y", "tar czf a.tgz svc", "tar -cf - .", "tar -c -f a -C svc x", "tar --create --file a .", "zip -r a.zip .", "rsync -a svc/ x", "scp -r svc h:", "diff -r svc x", "7z a x.7z svc", "git archive HEAD",
		"find -exec cat {} \\;", "find svc -exec cat {} \\;", "find . -name '*.env' -execdir cat {} +", "fd -x cat", "fd . svc -X cat", "find . $X", "fdfind -x cat",
		"find . | xargs cat", "find . -type f -print0 | xargs -0 wc", "ls | xargs cat", "ls svc | xargs -I{} cat svc/{}", "git ls-files | xargs wc -l", "git diff --name-only | xargs cat", "fd | xargs cat", "find . | cpio -o", "find . | zip -@ x", "find . | tar cf x -T -",
		"cat $(find . -name '*.x')", "cat `ls`", "ls; cat $(ls)", "find . | while read f; do cat \"$f\"; done", "for f in $(ls svc); do cat svc/$f; done", "cat <(find .)", "find . -print0 | wc --files0-from=-", "find . | sh", "ls | python3 -c 'x'",
		"sh -c 'grep -r x .'", "bash -c \"cd svc; rg x\"", "timeout 5 grep -r x .", "env A=b rg x", "xargs grep -r x", "sudo rg x", "/usr/bin/grep -r x .", "GREP -r x .", "bash <<E\ngrep -r x svc\nE", "eval grep -r x .", "busybox grep -r x", "sh -c \"sh -c 'rg x'\"",
		"X=-r; grep $X x a", "X='-n -r'; grep $X x a", "for o in -r; do grep $o x; done", "if true; then rg x; fi", "ls | cat; if true; then rg x; fi", "rg x &", "cd $X && grep -r x a", "make && grep -rn x ./svc > out", "find . -exec sh -c 'cat \"$1\"' _ {} \\;",
	}
	for _, line := range asked {
		for name, p := range map[string]Policy{"rules": p, "all": all, "safe": safe} {
			if j := p.Judge(command(line), tools.Act); j.Verdict != Ask || len(j.Offers) > 0 || j.unsure {
				t.Errorf("%s: %q: %+v", name, line, j)
			} else if name == "all" && !strings.Contains(j.Reason, "ignore file") {
				t.Errorf("%q: %s", line, j.Reason)
			}
		}
	}
	for _, line := range onlyAll {
		if j := all.Judge(command(line), tools.Act); j.Verdict != Ask || !strings.Contains(j.Reason, "ignore file") {
			t.Errorf("%q: %+v", line, j)
		}
	}
	for _, line := range []string{
		"grep x a", "cd src && grep -r x .", "cd src && grep -rn x | head", "cd ./src && rg x 2>/dev/null", "cd 'src' && rg x", "cd \"src\" && rg x", "cd src/sub && ls -R && cat a", "grep -rn x src", "grep -rn -A 3 x src", "grep -rnA3 x src", "grep -rn --include='*.go' x src docs", "grep -rn x src *.go", "grep -r -e x src", "grep -rne x -- src", "grep -rn 's*' src", "grep -rn '**' src", "cd src && grep -rn x sub", "grep -n x src/a",
		"rg x src", "rg -n x src docs", "rg -A2 x src", "cat a | rg x", "cat a | rg -n x | head", "ag x src", "git grep x -- src", "git grep -n x -- src docs", "ls", "ls -la svc", "ls -R src", "tree src", "tree -L 2 -- src", "echo grep -r x svc", "gofmt -l .", "gofmt -d src",
	} {
		for name, p := range map[string]Policy{"rules": p, "all": all} {
			if j := p.Judge(command(line), tools.Act); j.Verdict != Allow || slices.ContainsFunc(j.Parts, func(c Part) bool { return c.Verdict != Allow }) {
				t.Errorf("%s: %q: %+v", name, line, j)
			}
		}
	}
	for _, line := range []string{
		"find . -name '*.go' | head", "find svc | wc -l", "go test ./... | grep -v ok", "cp a svc/b", "tar xf a.tar", "tar -xzf a.tgz -C src", "git log --oneline | head", "git status; echo $(date)", "git ls-files | wc -l", "npm test", "cat src/*.go", "rm -r svc", "mkdir -p svc/x", "make -C svc",
		"cp -r src /tmp/x", "rsync -a src/ /tmp/x", "find src -exec cat {} +", "find src | xargs cat", "cat $(git ls-files -- src)", "sh -c 'grep -rn x src'",
	} {
		if j := all.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q: %s", line, j.Reason)
		}
	}
}

// Lines that are contrived to take long are asked about instead.
func TestTooMuchToJudge(t *testing.T) {
	asked := 0
	p := Policy{
		Settings: Settings{Command: AllCommands}, Roots: []string{"/ws"}, Home: "/home/u", Hidden: func(string) bool { return false },
		Holds: func(string, bool) string { asked++; return "" },
	}
	for line, want := range map[string]string{
		strings.Repeat("true;", maxWords) + "true":      "too many words",
		"ls " + strings.Repeat("x ", maxWords):          "too many words",
		strings.Repeat("sudo tar ", maxWords/2-1) + "x": "too many ways",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask || !strings.Contains(j.Reason, want) {
			t.Errorf("%.40q: %s", line, j.Reason)
		}
	}
	if j := p.Judge(command("ls "+strings.Repeat("x ", maxWords-1)), tools.Act); j.Verdict != Allow {
		t.Errorf("%+v", j)
	}
	if asked = 0; p.Judge(command("grep -r "+strings.Repeat("x ", maxWords-10)), tools.Act).Verdict != Allow || asked > 10 {
		t.Errorf("the same was asked %d times", asked)
	}
}

// A walk says why it is asked about, in the line and in its part; --yes answers.
func TestWalkIsExplained(t *testing.T) {
	p := Policy{Settings: Settings{Allow: written(t, "grep", "ls")}, Roots: []string{"/ws"}, Holds: holdsSvc}
	j := p.Judge(command("ls; grep -rn x svc"), tools.Act)
	if want := `reads the folder "svc", which holds files that the ignore file hides`; !strings.Contains(j.Reason, want) ||
		len(j.Parts) != 2 || j.Parts[0].Verdict != Allow || !strings.Contains(j.Parts[1].Reason, want) {
		t.Errorf("%+v", j)
	}
	p.Yes = true
	if j := p.Judge(command("grep -r x"), tools.Act); j.Verdict != Allow {
		t.Errorf("%+v", j)
	}
	p.Yes, p.Deny = false, written(t, "grep")
	if j := p.Judge(command("grep -r x"), tools.Act); j.Verdict != Deny {
		t.Errorf("%+v", j)
	}
}

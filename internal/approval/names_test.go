package approval

import (
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

// denying denies reading below ~/sec, where everything else runs.
func denying(t *testing.T) Policy {
	t.Helper()
	deny, err := ParseRules([]string{"read: ~/sec/**"}, Deny)
	if err != nil {
		t.Fatal(err)
	}
	p := Policy{Settings: Settings{Command: AllCommands, Deny: deny}, Home: "/home/me", Roots: []string{"/ws"}}
	p.Paths = func(name string) ([]string, bool) { // a link and two globs
		switch {
		case strings.HasPrefix(name, "/ws/lnk/"):
			return []string{name, "/home/me/sec/" + strings.TrimPrefix(name, "/ws/lnk/")}, true
		case name == "/home/me/se*/a":
			return []string{name, "/home/me/sec/a"}, true
		}
		return []string{name}, !strings.Contains(name, "**")
	}
	return p
}

// What rules deny is not named by a command unasked, however it is written, nor
// is it with --yes.
func TestRuledNames(t *testing.T) {
	p := denying(t)
	yes := p
	yes.Yes = true
	for line, part := range map[string]bool{ // whether a part is to blame
		"cat ~/sec/a": true, "cat lnk/a": true, "cat ~/se*/a": true, "cat $HOME/sec/a": true, `cat "$HOME/sec/a"`: true, `cat "$HOME"/sec/a`: true, "cat ${HOME}/sec/a": true,
		"cat < lnk/a": true, "cp lnk/a b": true, "true; cat lnk/a": true, "cat --x=lnk/a": true, "sh -c 'cat lnk/a'": true, "sh -c 'cat $HOME/sec/a'": true, "sh -c 'cat $X'": true,
		`bash -c "sh -c 'cat \$X'"`: true, "sh <<E\ncat $HOME/sec/a\nE": true, "sh <<'E'\ncat $X/a\nE": true, "cat $X": true, "cat $X/a": true, "cat ${X:-lnk}/a": true, "cat $(echo lnk/a)": true,
		"cat ~root/a": true, "cat ~+/lnk/a": true, "cat **/a": true, "cat {" + strings.Repeat("a,", 100) + "lnk/a}": true, "cat {" + strings.Repeat("a,", 100) + "a}": true,
		"X=lnk/a; cat $X": true, "X=lnk/; cat ${X}a": true, "for f in lnk/a; do cat $f; done": true, "for f in a b; do cat lnk/$f; done": true,
		"read f; cat $f": true, "f=a; read f; cat $f": true, "f=a; f+=b; cat $f": true, "HOME=/home; cat $HOME/me/sec/a": true, "read HOME; cat $HOME/a": true, "X=$(pwd); cat $X": true,
		"cd $X && cat a": true, "cd ~/sec && cat a": true, "cd lnk; cat a": true, "cat 'x": false, "echo lnk/a | xargs cat": true, "env X=1 sh -c 'cat $Y'": true,
	} {
		j := p.Judge(command(line), tools.Act)
		if j.Verdict != Ask || part != slices.ContainsFunc(j.Parts, func(c Part) bool { return c.Verdict == Ask }) {
			t.Errorf("%q: %+v", line, j)
		}
		if j := yes.Judge(command(line), tools.Act); j.Verdict != Deny {
			t.Errorf("%q with --yes: %+v", line, j)
		}
	}
	for _, line := range []string{
		"cat a", "cat *.go", "cat ~/open/a", "cat $HOME/open/a", `echo "$HOME"`, "ls $PWD/src", "go test ./...; echo $?", "for f in a b; do cat $f; done", `X=a; cat "$X"`,
		"awk '{print $1}' a", "f() { cat \"$1\"; }; f a", "grep -n '$x' a", "git commit -m 'use $HOME/sec'", "cat {a,b}.go", "cat > a <<E\n$X\nE", "echo 'it costs $5'", "make CC=gcc", "ls HEAD~1",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q: %+v", line, j)
		}
	}
	ask, _ := ParseRules([]string{"edit: docs/**"}, Ask)
	p.Deny, p.Ask = nil, ask
	for line, want := range map[string]string{"cp a docs/b": "ask before editing", "cp a $X": "`$X` stands for", "rm **": "`**` stands for"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask || j.unsure || !strings.Contains(j.Reason, want) {
			t.Errorf("%q: %+v", line, j)
		}
	}
	p.Ask = nil
	if j := p.Judge(command("cat $X lnk/a **"), tools.Act); j.Verdict != Allow {
		t.Errorf("without rules: %+v", j)
	}
}

// What may change a protected file asks, whatever is allowed; what only reads it,
// or is git's own business, does not.
func TestProtectedNames(t *testing.T) {
	protected := func(word string) string {
		if slices.Contains([]string{".git", ".vscode"}, strings.Split(word, "/")[0]) || strings.HasPrefix(word, "/home/me/.bashrc") || slices.Contains([]string{"AGENTS.md", ".clineignore", "HEAD"}, word) {
			return "it is special"
		}
		return ""
	}
	p := Policy{Settings: Settings{Command: AllCommands, Allow: written(t, "ls", "exact: cp x .git/hooks/y")}, Protected: protected, Home: "/home/me"}
	for _, line := range []string{
		"cp x .git/hooks/post-commit", "cp x .git/hooks/y", "echo x > .vscode/tasks.json", "echo x >>.vscode/tasks.json", "echo x >| .git/x", "ls &> .git/x", "ls >& .git/x", "rm .clineignore",
		"ls; rm .clineignore", "ls && (rm AGENTS.md)", "$(rm .clineignore)", "rm $HOME/.bashrc", "rm ~/.bashrc", "dd of=.git/x", "curl -o.git/x u", "sh -c 'echo x > .git/x'", "sh <<E\nrm .git/x\nE",
		"python3 -c 'open(\".git/x\", \"w\")'", "python3 - <<E\nopen('.git/x','w')\nE", "echo .git/x | xargs rm", "for f in .git/x; do rm $f; done", "F=.git/x; rm $F", "F=.git/x; echo > $F", "D=.git/x; echo > $D/y", "cd .git && rm x",
		"cp x HEAD", "git checkout AGENTS.md", "git mv a .vscode/x", "git rm AGENTS.md", "git -c a=b add .git/x", "sed -i s/a/b/ AGENTS.md", "find .git -delete", "git log --output=.git/x", "tee AGENTS.md < x", "git stash push AGENTS.md",
		"touch {a,.clineignore}", "rm .git/x 'open", "F=.git/x sh -c 'rm $F'", "F=.git/x python3 clean.py", "env F=.git/x sh -c 'rm $F'",
	} {
		j := p.Judge(command(line), tools.Act)
		if j.Verdict != Ask || !strings.Contains(j.Reason, "which is protected: it is special.") || len(j.Offers) > 0 {
			t.Errorf("%q: %+v", line, j)
		}
	}
	for _, line := range []string{
		"git commit -m 'say AGENTS.md'", "git add AGENTS.md .vscode/x && git commit -am x", "cd sub && git status .vscode", "git push origin HEAD", "git push origin HEAD:refs/heads/x", "git reset --hard HEAD", "git rebase HEAD",
		"go build ./...", "make -j4 test", "npm run build", "cargo build --release", "cat .git/HEAD", "cat .vscode/tasks.json > copy.json", "cat < .git/HEAD", "cat AGENTS.md && go test ./...", "cat AGENTS.md | grep x",
		"cat AGENTS.md | sort > x", "echo 'see AGENTS.md' >> notes.txt", "cat > notes.md <<E\nsee AGENTS.md\nE", "test -f .git/HEAD && make", "if [ -d .git ]; then make; fi", "ls .git >/dev/null 2>&1", "grep -rn x .vscode; rm y", "rm HEAD2",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q: %+v", line, j)
		}
	}
}

// The lines of a shell that is none of the common ones are not judged.
func TestForeignShell(t *testing.T) {
	deny := Rule{Kind: tools.Command, Commands: [][]string{{"rm"}}, Verdict: Deny}
	p := Policy{Settings: Settings{Command: SafeCommands, Allow: written(t, "ls", "exact: git status"), Deny: []Rule{deny}}, ForeignShell: "pwsh"}
	for _, line := range []string{"echo '‘; rm x; ‘'", "echo 'x & del y'", "ls", "git status", "echo hi"} {
		j := p.Judge(command(line), tools.Act)
		if j.Verdict != Ask || len(j.Offers) > 0 || j.Parts != nil || !j.unsure {
			t.Errorf("%q: %+v", line, j)
		}
		yes := p
		yes.Yes = true
		if j := yes.Judge(command(line), tools.Act); j.Verdict != Deny {
			t.Errorf("%q with --yes: %+v", line, j)
		}
		if j := p.Judge(command(line), tools.Plan); j.Verdict != Deny {
			t.Errorf("%q in plan mode: %+v", line, j)
		}
	}
	if j := p.Judge(command("rm x"), tools.Act); j.Verdict != Deny {
		t.Errorf("%+v", j)
	}
	p.Deny = nil
	if j := p.Judge(command("ls"), tools.Act); j.Verdict != Ask || j.unsure || j.Reason != "Commands run in pwsh, whose lines cannot be judged." {
		t.Errorf("%+v", j)
	}
	p.Command, p.Protected = AllCommands, func(word string) string {
		if word == ".git/x" {
			return "it is special"
		}
		return ""
	}
	for line, want := range map[string]Verdict{"ls": Allow, "Set-Content .git/x (1)": Ask, "'": Allow} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %+v", line, j)
		}
	}
}

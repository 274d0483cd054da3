package approval

import (
	"strings"
	"testing"

	"clined/internal/tools"
)

var reading = []string{
	"ls", "cat a b", "head -5 a", "tail -n 3 a", "wc -l a", "grep -rn x .", "rg x", "git status", "git log --oneline -5", "git diff HEAD~1", "git show",
	"git branch -a", "git --no-pager log", "git stash list", "git remote -v", "go version", "go list ./...", "go vet ./...", "go env GOPATH", "go doc fmt",
	"pwd", "echo a", "find . -name '*.go'", "sort a | uniq -c", "sed -n '1,20p' a", "sed -n 5p a", "cd src && ls", "ls | head; true", "node --version",
	"test -f a && cat a", "[ -d x ]", "date +%s", "jq .a f", "printf '%s\\n' a", "ls *.go",
}

var changing = []string{
	"touch x", "mkdir x", "rm x", "sed -i s/a/b/ f", "ls > f", "git add .", "git commit -m x", "git push", "git branch x", "git checkout x", "git stash",
	"npm install", "go build", "go test ./...", "make", "python3 x.py", "echo $(ls)", "ls &", "unknown", "find . -delete", "go mod tidy", "sort -o a a",
	"cd x && git status", "cd -", "git diff --output=f", "env", "printenv", "tee f", "A=b ls", "date -s x", "hostname x", "go list -toolexec=x", "find *",
	"git 'sta'tus --output=x", "./ls", "go list -export ./...", `printf '%n' 'a[$(touch x)]'`, `printf '%-5n' a`,
}

// Plan mode, and the switch for commands known to read.
func TestReadOnlyTable(t *testing.T) {
	safe := Policy{Settings: Settings{Command: SafeCommands}}
	for _, line := range reading {
		if j := safe.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q, safe commands allowed: %s %s", line, j.Verdict, j.Reason)
		}
		if j := (Policy{}).Judge(command(line), tools.Act); j.Verdict != Ask {
			t.Errorf("%q, nothing allowed: %s", line, j.Verdict)
		}
		if j := safe.Judge(command(line), tools.Plan); j.Verdict != Allow {
			t.Errorf("%q, plan mode: %s %s", line, j.Verdict, j.Reason)
		}
		if j := (Policy{}).Judge(command(line), tools.Plan); j.Verdict != Ask {
			t.Errorf("%q, plan mode, nothing allowed: %s", line, j.Verdict)
		}
	}
	all := Policy{Settings: Settings{Command: AllCommands, Yes: true}}
	for _, line := range changing {
		if j := safe.Judge(command(line), tools.Act); j.Verdict != Ask {
			t.Errorf("%q, safe commands allowed: %s", line, j.Verdict)
		}
		j := all.Judge(command(line), tools.Plan)
		if j.Verdict != Deny || !strings.Contains(j.Reason, "plan mode") || !strings.Contains(j.Reason, "plan_mode_respond") {
			t.Errorf("%q, plan mode: %+v", line, j)
		}
		if j := all.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q, all allowed: %+v", line, j)
		}
	}
}

func TestSafeStaysInside(t *testing.T) {
	p := Policy{Settings: Settings{Command: SafeCommands}}
	for line, want := range map[string]Verdict{
		"cat a/b":               Allow,
		"cat /ws/a":             Allow,
		"cat a/../b":            Ask, // a may be a link
		"cat ./../ws/a":         Allow,
		"cat ..a/b":             Allow,
		"cat a/./../b":          Ask,
		"date -uf/etc/passwd":   Ask,
		"grep -nf/etc/x a":      Ask,
		"grep -nf../x a":        Ask,
		"sort --files0-from=x":  Ask,
		"jq -n env":             Ask,
		"jq -n '$ENV.HOME'":     Ask,
		"jq .environment a":     Allow,
		"ls -LR":                Ask,
		"diff -r a b":           Ask,
		"ls /ws":                Allow,
		"grep --include=*.go x": Allow,
		"cat /etc/passwd":       Ask,
		"cat ~/.ssh/id_rsa":     Ask,
		"cat ../x":              Ask,
		"cat /wsx/a":            Ask,
		"cat /ws/../etc/x":      Ask,
		"grep -f/etc/x a":       Ask,
		"grep --file=/etc/x a":  Ask,
		"cd / && cat etc/x":     Ask,
		"cd a && cat ../x":      Ask,
		"cat $HOME/x":           Ask,
		"ls $HOME":              Ask,
		`cat "$X"`:              Ask,
		"grep -R x .":           Ask, // follows links
		"find -L .":             Ask,
		"rg --follow x":         Ask,
		"grep -r x .":           Allow,
		"ls a/../../x":          Ask,
		"ls .*":                 Ask,
		"ls a{,/../../x}":       Ask,
		"ls a* b?":              Allow,
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %s %s", line, j.Verdict, j.Reason)
		}
	}
	s := command("ls")
	s.WantsApproval = true
	if j := p.Judge(s, tools.Act); j.Verdict != Ask {
		t.Error("the model's wish is not heard")
	}
	s = command("touch x")
	s.WantsApproval = false
	if j := p.Judge(s, tools.Act); j.Verdict != Ask {
		t.Error("the model's word is taken for a permission")
	}
}

// Where something is hidden, a search of everything is not safe.
func TestSafeSearchesNothingHidden(t *testing.T) {
	p := Policy{Settings: Settings{Command: SafeCommands}}
	lines := []string{"grep -rn x .", "grep --recursive x", "egrep -d recurse x .", "rg x", "git grep x", "git --no-pager grep x",
		"git diff", "git diff HEAD~1", "git show", "git log -p", "git log --patch -3", "git log -S x"}
	for _, hidden := range []bool{false, true} {
		want := Allow
		if hidden {
			want, p.Hidden = Ask, func(string) bool { return false }
		}
		for _, line := range lines {
			if j := p.Judge(command(line), tools.Act); j.Verdict != want {
				t.Errorf("%q with something hidden %v: %s %s", line, hidden, j.Verdict, j.Reason)
			}
		}
		for _, line := range []string{"grep x a", "ls -R", "git log", "git log --oneline -5", "git log --format=%s", "git diff --stat", "git show --name-only", "git show HEAD:a", "grep -n x a b"} {
			if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
				t.Errorf("%q: %s %s", line, j.Verdict, j.Reason)
			}
		}
	}
}

// A safe command asks before it follows a link out of the workspace.
func TestSafeAsksBeforeLinks(t *testing.T) {
	p := Policy{Settings: Settings{Command: SafeCommands}, Outside: func(w string) bool { return w == "far" || w == "sub/far" }}
	for line, want := range map[string]Verdict{"cat far": Ask, "ls --x=far": Ask, "cd sub && cat far": Ask, "cd far && ls": Ask, "cat near": Allow, "ls": Allow} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %s %s", line, j.Verdict, j.Reason)
		}
	}
}

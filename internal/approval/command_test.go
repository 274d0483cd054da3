package approval

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

// written are rules as the settings write them; the list says the verdict.
func written(t testing.TB, list ...string) []Rule {
	t.Helper()
	all, err := ParseRules(list, "")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// rules are command prefixes of the settings.
func rules(prefixes [][]string) (list []Rule) {
	for _, p := range prefixes {
		list = append(list, Rule{Scope: SettingsScope, Kind: tools.Command, Commands: [][]string{p}})
	}
	return list
}

func command(line string) tools.Subject {
	return tools.Subject{Kind: tools.Command, Tool: "execute_command", Command: line, Cwd: "/ws"}
}

// Each simple command of the line must be allowed; all else asks.
func TestAllowList(t *testing.T) {
	p := Policy{Settings: Settings{Allow: written(t, "ls", "git show", "echo")}}
	for line, reason := range map[string]string{
		"ls && rm -rf x":             "`rm` changes",
		"ls;rm x":                    "`rm` changes",
		"ls | sh":                    "`sh` runs code",
		"ls\nrm x":                   "`rm` changes",
		"ls\rrm x":                   "U+000D",
		"ls & rm x":                  "background",
		"ls &":                       "background",
		"echo $(rm x)":               "substitution",
		"echo `rm x`":                "substitution",
		"echo <(rm x)":               "",
		"git show > ~/.bashrc":       "redirects",
		"git show >> f":              "redirects",
		"ls < f":                     "redirects",
		"ls >&2file":                 "redirects",
		"ls >&file":                  "redirects",
		"ls 2>f":                     "redirects",
		"ls &>f":                     "",
		"ls <> f":                    "redirects",
		"ls >| f":                    "redirects",
		"ls {fd}>/dev/null":          "",
		"echo <<EOF\nx\nEOF":         "here-document",
		"FOO=1 rm x":                 "sets variables",
		"FOO=1 ls":                   "sets variables",
		"FOO=1":                      "sets variables",
		`ls "$(rm x)"`:               "substitution",
		"echo ${x:-$(rm x)}":         "could run something",
		"echo ${x@P}":                "",
		"echo ${!x}":                 "could run something",
		"echo ${ rm x; }":            "",
		"echo $((a[$(rm x)]))":       "computes",
		"ls\u2028rm x":               "U+2028",
		"ls\u00a0x":                  "U+00A0",
		"ls\u202ex":                  "U+202E",
		"ls \x1b[2K":                 "U+001B",
		"ls \xff":                    "not valid UTF-8",
		"l''s":                       "hides its program's name",
		`l""s`:                       "hides its program's name",
		`\ls`:                        "before a letter",
		`l\s`:                        "before a letter",
		"'ls'":                       "hides its program's name",
		"$'ls'":                      "differently",
		"$x":                         "hides its program's name",
		"{ls,-l}":                    "",
		"l?":                         "hides its program's name",
		"~/ls":                       "hides its program's name",
		"/tmp/ls":                    "named by its path",
		"./ls":                       "named by its path",
		"(rm x)":                     "`rm` changes",
		"{ rm x; }":                  "`rm` changes",
		"! rm x":                     "`rm` changes",
		"if ls; then ls; fi":         "control structures",
		"for i in a; do ls; done":    "control structures",
		"while ls; do ls; done":      "control structures",
		"case a in a) ls;; esac":     "control structures",
		"ls() { rm x; }; ls":         "defines a function",
		"ls() rm":                    "",
		"time -p ls":                 "time in a way of its own",
		"[[ a ]]":                    "",
		"coproc ls":                  "",
		"export A=b":                 "",
		"ls |& sh":                   "",
		"echo $'a\\'; rm x #'":       "differently",
		`echo $"x"`:                  "differently",
		`echo 'a\'; echo b'; rm #'`:  "differently",
		`echo \x41`:                  "differently",
		"echo @(a|b)":                "",
		"echo *(e:'rm x':)":          "",
		"echo a(rm x)":               "",
		"echo =(rm x)":               "",
		"ls 'unterminated":           "could not be parsed",
		"ls )":                       "could not be parsed",
		"":                           "runs nothing",
		"# nothing":                  "runs nothing",
		">/dev/null":                 "",
		"git -c core.pager=x show":   "options that can make it run programs",
		"git -C x show":              "options that can make it run programs",
		"git show --output=x":        "run programs or write files",
		"git show --outp x":          "run programs or write files",
		"git show --ext-diff":        "run programs or write files",
		"git show $x":                "known only when it runs",
		"git show *":                 "known only when it runs",
		"cd x && git show":           "change of directory",
		"git log":                    "asks first",
		"lsof":                       "asks first",
		"ls-x":                       "asks first",
		"ls | head":                  "asks first",
		strings.Repeat("ls;", 50000): "too long",
	} {
		j := p.Judge(command(line), tools.Act)
		if j.Verdict != Ask || !strings.Contains(j.Reason, reason) {
			t.Errorf("%.60q: %s %q, want an ask with %q", line, j.Verdict, j.Reason, reason)
		}
	}
	p.Allow = written(t, "ls", "git show", "echo", "head")
	for _, line := range []string{
		"ls", "ls -la src", "ls 2>&1", "ls >/dev/null", "ls 2>/dev/null", "ls </dev/null", "ls >&2", "ls 2>&-",
		`echo "a && b"`, "echo '$(x)'", "echo 'a; rm x'", `echo "a > b"`, `echo a\ b`, `echo a \; b`, "git show | head", "git show HEAD^ -- a.go",
		"git show HEAD~2", "git show 'HEAD@{1}'", "ls && ls || ls; ls", "ls\nls", "(ls)", "{ ls; }", "! ls", "echo $HOME", `echo "${HOME}/x"`,
		"ls *.go", "ls # rm x", "git --no-pager show", "echo a{b,c}", "ls ~", `echo 'a\.b'`,
	} {
		if line == "git --no-pager show" {
			p.Allow = append(p.Allow, written(t, "git --no-pager show")...)
		}
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow || !strings.Contains(j.Rule, "permissions.allow") {
			t.Errorf("%q: %s %q, want allow", line, j.Verdict, j.Reason)
		}
	}
}

// Programs that take code or write ask though their prefix is allowed, and run
// when the very command is.
func TestExactAllow(t *testing.T) {
	lines := []string{
		"git -c alias.x=!sh x", "git config core.pager x", "git push --force", "git reset --hard", "git checkout .", "git rebase -x make",
		"git bisect run sh", "git submodule foreach rm", "git grep -O less", "git archive -o x.tar HEAD", "git clone x", "git branch -D x", "git stash drop",
		"find . -exec rm {} +", "find . -delete", "find . -fprint x", "fd -x rm", "xargs rm", "env rm", "sh -c 'rm x'", "bash x.sh", "zsh -c ls",
		"python3 -c 'x'", "python3.12 x.py", "node -e x", "perl -e x", "ruby x.rb", "awk 'BEGIN{system(\"rm\")}'", "sed -i s/a/b/ f", "sed -n 's/a/b/w f' x", "sed 1e f",
		"tee f", "sudo ls", "ssh host ls", "make -C x", "make test X=1", "npm run build", "npm test", "npx x", "go run .", "go generate ./...", "go test -exec rm ./...",
		"go build -toolexec x", "go test -o x", "go env -w A=b", "go vet -vettool=x", "go build -ldflags=-extld=x", "cargo run", "cargo --config x build",
		"docker run x", "rm x", "cp a b", "mv a b", "dd of=x", "chmod +x f", "curl -o f http://x", "eval ls", "source f", ". f", "exec ls", "command rm",
		"timeout 5 rm", "nohup rm", "nice rm", "watch rm", "sort -o f f", "sort --compress-prog=x f", "uniq a b", "rg --pre x y", "tree -o f", "xxd -r a b",
		"date -s x", "test -v 'a[$(rm)]'", "printf -v 'a[$(rm)]' x", "./gradlew test", "/usr/bin/ls -l", "tar xf a", "less f", "kubectl exec x", "gcc-12 x.c",
		"export A", "unset 'a[$(rm)]'", "alias ls=rm", "trap rm EXIT", "patch f", "crontab -r", "base64 -o f g",
	}
	for _, line := range lines {
		name := strings.Fields(line)[0]
		p := Policy{Settings: Settings{Allow: rules([][]string{{name}})}}
		if name == line {
			p.Allow = nil
		}
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask {
			t.Errorf("%q with %q allowed: %s", line, name, j.Rule)
		} else if slices.ContainsFunc(j.Offers, func(r Rule) bool { return len(r.Commands) > 0 }) {
			t.Errorf("%q: %q is offered", line, j.Offers)
		}
		exact, err := parsePrefix(line)
		if err != nil {
			if name != "export" && name != "alias" { // which the parser takes for declarations
				t.Errorf("%q: %v", line, err)
			}
			continue
		}
		p.Allow = rules([][]string{exact})
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q allowed exactly: %s %s", line, j.Verdict, j.Reason)
		}
		if j := p.Judge(command(line+" more"), tools.Act); j.Verdict != Ask {
			t.Errorf("%q: more words are allowed too", line)
		}
		if j := p.Judge(command("ls | "+line), tools.Act); j.Verdict != Ask {
			t.Errorf("%q: allowed to read code from a pipe", line)
		}
	}
}

func TestPrecedence(t *testing.T) {
	p := Policy{Settings: Settings{
		Command: AllCommands,
		Allow:   written(t, "rm x", "git push", "git status"),
		Ask:     written(t, "git push"),
		Deny:    written(t, "rm", "git push --force"),
	}}
	for line, want := range map[string]Verdict{
		"rm x":                      Deny,
		"ls; rm x":                  Deny,
		"echo $(rm x)":              Deny,
		"echo `rm x`":               Deny,
		"cat <(rm x)":               Deny,
		"/bin/rm x":                 Deny,
		`\rm x`:                     Deny,
		"r''m x":                    Deny,
		"FOO=1 rm x":                Deny,
		"env A=b rm x":              Deny,
		"sudo -u root rm x":         Deny,
		"find . -exec rm {} +":      Deny,
		"ls | xargs rm":             Deny,
		"sh -c 'ls && rm x'":        Deny,
		`bash -c "sh -c 'rm x'"`:    Deny,
		"eval rm x":                 Deny,
		"if true; then rm x; fi":    Deny,
		"f() { rm x; }; f":          Deny,
		"git push --force":          Deny,
		"git -C x push -v --force":  Deny,
		"git push":                  Ask,
		"git --no-pager push o":     Ask,
		"git status":                Allow,
		"echo rm x":                 Allow,
		"git commit -m 'rm x'":      Allow,
		"ls 'unterminated":          Ask, // what it holds is not known
		"make; docker run x > file": Allow,
		"[[ -f a ]] && cat <(ls)":   Allow, // not every shell's, but read
		"[[ -f a ]] && cat <(rm x)": Deny,
		"echo 'a\u00a0b'; rm x":     Deny,
		"echo 'a\u00a0b'":           Allow,
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %s (%s), want %s", line, j.Verdict, j.Reason, want)
		}
	}
	p.Yes = true
	if j := p.Judge(command("git push"), tools.Act); j.Verdict != Allow {
		t.Errorf("--yes: %+v", j)
	}
	if j := p.Judge(command("rm x"), tools.Act); j.Verdict != Deny || !strings.Contains(j.Reason, "`rm`") {
		t.Errorf("--yes over a deny: %+v", j)
	}
}

func TestHiddenFile(t *testing.T) {
	p := Policy{
		Settings: Settings{Command: AllCommands, Allow: written(t, "cat")},
		Hidden:   func(w string) bool { return w == "secret.txt" || w == ".env" },
	}
	for _, line := range []string{"cat secret.txt", "cat 'secret.txt'", "ls; cat .env", "x --file=.env", "x -f.env", "ls > .env", "echo $(cat .env)", `cat "sec"ret.txt`} {
		j := p.Judge(command(line), tools.Act)
		if j.Verdict != Ask || !strings.Contains(j.Reason, "ignore file hides") || len(j.Offers) > 0 {
			t.Errorf("%q: %+v", line, j)
		}
	}
	if j := p.Judge(command("cat .env 'unterminated"), tools.Act); j.Verdict != Ask {
		t.Errorf("what it names is not known: %+v", j)
	}
	if j := p.Judge(command("cat public.txt"), tools.Act); j.Verdict != Allow {
		t.Errorf("%+v", j)
	}
}

// A rule for make covers its targets, and nothing that names other code, or
// throws away or publishes.
func TestRuleForMakeCoversTargets(t *testing.T) {
	p := Policy{Settings: Settings{Allow: written(t, "make", "gmake test", "cd", "cat", "ls")}}
	for _, line := range []string{"make", "make test", "make test lint", "make -j4 test", "make -j 4", "make -k -s build/x.o", "make --no-print-directory test_all", "gmake test", "make test; ls", "make test | cat", "make test 2>&1",
		"make build-all", "make lint-fix", "make presets", "make unit.test", "make docker-build", "make src/delrey.o x", "make firm", "make check-format", "make test-config", "make countdown", "make pushdown_test.o"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q: %s", line, j.Reason)
		}
	}
	for _, line := range []string{
		"make -f x", "make -fx", "make --file=x", "make -C x test", "make SHELL=x", "make test X=1", "make --eval=x", "make -E x", "make -I x", "make -e", "make ../x", "make /x", "make a/../../x", "make ~/x", "make $X", "make \"$X\"", "make *", "make '$(shell x)'", "make 'a b'", "make -- -f", "make +x",
		"make {a,-f}", "make -j4f", "make clean", "make test deploy", "make publish", "cd x && make test", "cat x | make test", "gmake lint", "gmake", "gmake test x", "gmake -k test", "make test > f", "make $(x)", "X=1 make test", "./make test", "/usr/bin/make test", "make -W x", "make -p", "remake test", "make C:x", "make @x", "make -nf x",
		"make deploy-prod", "make tf-apply", "make infra.apply", "make apply-prod", "make resetDatabase", "make dropTables", "make pushImage", "make db-reset", "make publish-npm", "make clean-all", "make install", "make uninstall", "make release", "make push", "make distclean", "make realclean", "make x/clean", "make docker_push", "make db.reset", "make Deploy", "make deployProd", "make redeploy", "make test install-hooks", "make image.push", "make down", "make mrproper", "make resetdb", "make dropdb", "make cleanup", "make teardown-all", "make -j4 pre-release", "make prune-images", "make rm-volumes",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask {
			t.Errorf("%q: %s %s", line, j.Verdict, j.Rule)
		}
	}
	if j := p.Judge(command("make test"), tools.Plan); j.Verdict != Deny {
		t.Errorf("in plan mode: %+v", j)
	}
	p.Rules, p.Allow = []Rule{{Scope: UserScope, Kind: tools.Command, Commands: [][]string{{"make"}}}}, written(t, "exact: make")
	if j := p.Judge(command("make test"), tools.Act); j.Verdict != Ask {
		t.Errorf("what was stored is taken for more than was shown: %+v", j)
	}
	p.Rules, p.Allow = nil, nil
	if j := p.Judge(command("make test"), tools.Act); j.Verdict != Ask || len(j.Offers) != 1 || len(j.Offers[0].Commands) > 0 {
		t.Errorf("no more than the words is offered: %+v", j)
	}
}

// What is offered is shown in exact terms, and with it the same line runs.
func TestOffer(t *testing.T) {
	for line, want := range map[string]string{
		"ls -la":                       "commands that start with `ls`",
		"git log -3":                   "commands that start with `git log`",
		"git add . && git commit -m x": "commands that start with `git add` or `git commit`",
		"go test ./... | head":         "commands that start with `go test` or `head`",
		"ls; ls; ls x":                 "commands that start with `ls`",
		"cargo test":                   "commands that start with `cargo test`",
		"git -C x log":                 "",
		"git push":                     "",
		"git":                          "",
		"ls; rm x":                     "",
		"npm test":                     "exactly `npm test`",
		"python3 x.py":                 "exactly `python3 x.py`",
		"npm test | head":              "commands that start with `head`, and exactly `npm test`",
		"ls > f":                       "",
		"ls $(x)":                      "",
		"A=b ls":                       "",
	} {
		j := (Policy{}).Judge(command(line), tools.Act)
		got := ""
		if len(j.Offers) > 0 {
			got = j.Offers[0].String()
			if j.Offers[0].Scope != TaskScope {
				t.Errorf("%q: scope %q", line, j.Offers[0].Scope)
			}
			if again := (Policy{Rules: []Rule{j.Offers[0]}}).Judge(command(line), tools.Act); again.Verdict != Allow || !strings.Contains(again.Rule, got) {
				t.Errorf("%q is still asked about: %+v", line, again)
			}
		}
		if j.Verdict != Ask || got != want {
			t.Errorf("%q: %s, offers %q, want %q", line, j.Verdict, got, want)
		}
	}
	p := Policy{Settings: Settings{Allow: written(t, "ls")}}
	if j := p.Judge(command("ls | head"), tools.Act); !reflect.DeepEqual(j.Offers[0].Commands, [][]string{{"head"}}) {
		t.Errorf("offers what is allowed already: %v", j.Offers)
	}
}

func TestParsePrefix(t *testing.T) {
	for in, want := range map[string][]string{
		"git status":         {"git", "status"},
		"  npm  run 'a b'  ": {"npm", "run", "a b"},
		"./gradlew test":     {"./gradlew", "test"},
		`go test "./..."`:    {"go", "test", "./..."},
		"":                   nil,
		"a && b":             nil,
		"git *":              nil,
		"echo $x":            nil,
		"ls > f":             nil,
	} {
		got, err := parsePrefix(in)
		if !reflect.DeepEqual(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	got, err := ParseRules([]string{"ls", "a|b", "cat"}, Deny)
	if len(got) != 2 || err == nil || !strings.Contains(err.Error(), `"a|b"`) {
		t.Error(got, err)
	}
}

// Deep nesting is judged in a moment.
func TestDeepNesting(t *testing.T) {
	p := Policy{Settings: Settings{Command: SafeCommands, Deny: written(t, "rm")}}
	for _, open := range []string{"(", "$(", "{ ", "`", "\"$(", "if ", "((", "${a:-", "sh -c '", "<(", "[[ ( ", "a | ", "! "} {
		if j := p.Judge(command(strings.Repeat(open, 16<<10/len(open))), tools.Act); j.Verdict != Ask {
			t.Errorf("%q: %+v", open, j)
		}
	}
	for n, want := range map[int]Verdict{10: Deny, 400: Deny, 10_000: Ask} {
		if j := p.Judge(command(strings.Repeat("$(", n)+"rm"+strings.Repeat(")", n)), tools.Act); j.Verdict != want {
			t.Errorf("%d: %+v", n, j)
		}
	}
}

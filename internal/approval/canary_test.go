package approval

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"clined/internal/tools"
)

const canary = "canary-xyz"

// wraps are constructs that run %s.
var wraps = []string{
	"%s", "ls; %s", "ls && %s", "ls || %s", "%s | ls", "ls | %s", "ls\n%s", "ls & %s", "%s &", "(%s)", "{ %s; }", "! %s", "( (%s) )",
	"echo $(%s)", "echo `%s`", `echo "$(%s)"`, "echo \"`%s`\"", "echo <(%s)", "ls > >(%s)", "echo ${x:-$(%s)}", `echo "${x:=$(%s)}"`, "echo ${x/$(%s)/b}",
	"echo $((x[$(%s)]))", "echo ${x[$(%s)]}", "X=$(%s) ls", "X=$(%s)", "echo a$(%s)b", "ls *$(%s)", "ls {a,$(%s)}", "ls ~$(%s)",
	"if %s; then ls; fi", "if ls; then %s; else ls; fi", "while %s; do ls; done", "until %s; do ls; done", "for i in $(%s); do ls; done", "for i in a; do %s; done",
	"case $(%s) in a) ls;; esac", "case a in *) %s;; esac", "select x in $(%s); do ls; done", "[[ $(%s) ]]", "(( $(%s) ))", "[ $(%s) ]", "test `%s`",
	"ls > $(%s)", "ls 2> `%s`", "ls <<E\n$(%s)\nE", "ls <<-E\n`%s`\nE", "ls <<< $(%s)", "f() { %s; }; f", "function f { %s; }; f", "coproc %s", "time %s", "time -p %s",
	"eval '%s'", "eval %s", "sh -c '%s'", "bash -c \"%s\"", "exec %s", "command %s", "builtin %s", "env %s", "env A=b %s", "nohup %s", "nice %s", "timeout 1 %s", "xargs %s",
	"find . -exec %s \\;", "trap '%s' EXIT", "alias ls='%s'; ls", "echo '%s' | sh", "source <(echo %s)", ". <(echo %s)", "\\%s", "'%s'", `"%s"`, "$'%s'", "''%s", "%s''", "A=b %s", "A=b; %s",
	"ls;%s", "ls&&%s", "ls|%s", "ls||%s", "ls\t;\t%s", "ls \\\n; %s", "ls # x\n%s", "echo 'a' ; %s", "echo \"a\" ; %s", "echo 'a\\' ; %s", "echo a\\;b; %s", "ls 2>&1; %s", "ls >/dev/null; %s",
	"echo ${x@P} $(%s)", "echo $[ $(%s) ]", "echo @($(%s))", "ls |& %s", "declare x=$(%s)", "export x=$(%s)", "let x=$(%s)", "readonly x=`%s`", "local x=$(%s)",
}

func canaryPolicy() Policy {
	return Policy{Settings: Settings{Allow: rules([][]string{{"ls"}, {"echo"}})}}
}

// A command that runs is never overlooked, however it is wrapped.
func TestCanary(t *testing.T) {
	p := canaryPolicy()
	check := func(line string) {
		if j := p.Judge(command(line), tools.Act); j.Verdict == Allow {
			t.Errorf("allowed: %q", line)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, w := range wraps {
		check(fmt.Sprintf(w, canary))
		for range 20 {
			line := fmt.Sprintf(w, canary)
			for range 1 + rng.IntN(3) {
				line = fmt.Sprintf(wraps[rng.IntN(len(wraps))], line)
			}
			if !quotedAway(line) {
				check(line)
			}
		}
	}
}

// quotedAway tells of lines whose nesting of quotes made the canary a text.
func quotedAway(line string) bool {
	return strings.Count(line, "'") > 2 || strings.Count(line, `"`) > 2 || strings.Count(line, "'") > 0 && strings.Count(line, `"`) > 0 ||
		strings.Count(line, "#") > 0 || strings.Count(line, "<<") > 0
}

// FuzzCanary asks real shells: a line that the policy allows must not run the
// canary there. Only ls, echo and the canary can be found by these shells.
func FuzzCanary(f *testing.F) {
	for _, w := range wraps {
		pre, post, _ := strings.Cut(w, "%s")
		f.Add(pre, post)
	}
	for _, s := range [][2]string{{"echo ", ""}, {"ls '", "'"}, {"echo \"a && ", "\""}, {"echo \\$\\(", "\\)"}, {"echo '$(", ")'"}, {"ls # ", ""}, {"echo 'a'\\''", "'"}, {"echo \"\\\"; ", "\""}} {
		f.Add(s[0], s[1])
	}
	fenced := newFence(f)
	p := canaryPolicy()
	f.Fuzz(func(t *testing.T, pre, post string) {
		line := pre + canary + post
		if p.Judge(command(line), tools.Act).Verdict != Allow {
			return
		}
		if sh := fenced.run(t, line); sh != "" {
			t.Fatalf("allowed, and %s runs the canary: %q", sh, line)
		}
	})
}

// FuzzJudge: no text makes the policy panic, and what it allows to `ls` alone
// consists of ls.
func FuzzJudge(f *testing.F) {
	for _, w := range wraps {
		f.Add(fmt.Sprintf(w, "ls"))
	}
	for _, s := range append(reading, changing...) {
		f.Add(s)
	}
	p := Policy{Settings: Settings{Allow: rules([][]string{{"ls"}})}}
	safe := Policy{Settings: Settings{Command: SafeCommands, Deny: rules([][]string{{"rm"}})}}
	f.Fuzz(func(t *testing.T, line string) {
		j := p.Judge(command(line), tools.Act)
		if j.Verdict == Allow && strings.ContainsAny(line, "`\r\x1b") && !strings.Contains(line, "'") && !strings.Contains(line, "\\") {
			t.Errorf("allowed: %q", line)
		}
		if len(j.Offers) > 0 {
			again := p
			again.Rules = []Rule{j.Offers[0]}
			if j := again.Judge(command(line), tools.Act); j.Verdict != Allow {
				t.Errorf("%q with the offered rule: %+v", line, j)
			}
		}
		plan := safe.Judge(command(line), tools.Plan).Verdict
		if act := safe.Judge(command(line), tools.Act).Verdict; act == Allow && plan != Allow {
			t.Errorf("%q: safe in act mode, %s in plan mode", line, plan)
		}
	})
}

// BenchmarkJudge judges a usual line, and what is written to be long.
func BenchmarkJudge(b *testing.B) {
	p := tablePolicy(b)
	for name, line := range map[string]string{
		"usual": "cd src && go test ./... 2>&1 | grep -v ok | head -20",
		"asks":  "npm test; git add . && git commit -m 'a b'",
		"long":  strings.Repeat("ls -la a b c | grep x && ", 200) + "ls",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.Judge(command(line), tools.Act)
			}
		})
	}
}

package approval

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

var sedScripts = map[bool][]string{
	true: {
		"s|a/b|c|g", "s/a/b/", "s,a,b,2gI", "/^$/d", "1d;$d", "1,20p", "/a/,/b/p", "/a/,+3p", "$!N", "5q", "q5", "0~4d", "0,/x/d", "\\|a/b|d", "", "p", "y/abc/xyz/", "n;d", "$!{h;d;}", ":a;N;$!ba;s/\\n/ /g", "/x/I,/y/ d",
		"s/[[:space:]]*$//", "s/[^[:alpha:][:digit:]_]*//", "s/[^^x]//", "s/x/[&]/", "s:[a-z]:x:", "/[=.]/d", "s/[:,]/x/", "s/[a-]/x/", ":a\ns/a/b/;ta", ":a;/x/{N;ba}", "bx;a y", "bx\ni\\\ny", "s/\\[//", "s/\\//|/g", "s/[^.]*$//", "2i hello; w x", "2i\\\nhello", "a x", "=;l 5", "1!G;h;$!d", "# w x\np", "s/a/b/;s/c/d/ ; p", "/x/{s/a/b/\np\n}", "s/é/e/", "s/w/e/", "/w x/d", "/e/p", "s+a+b+", "s/a/\\n&/", "x;p;x",
	},
	false: {
		"w f", "1w f", "$!w f", "/x/w f", "/x/,/y/w f", "e", "1e rm", "e rm x", "$e", "r f", "R f", "W f", "s/a/b/e", "s/a/b/ge", "s/a/b/w f", "s/a/b/gw f", "s/a/b/ w f", "s/a/b/;e", "s/a/b/\ne", "s|a|b|e", "s/a/b/we", "p;w f", "p\nw f", "{w f\n}", "p}w f", "p w f",
		"y/a/b/e", "s/[/]/w f/", "s/[/]/w f", "s/[\\]/e;s/]/x/", "s/a\\/b/e", "s/a/\\/e", "sxaxbxe", "s\na\nb\ne", "a\\\nx\\\ny\nw f", "a x\nw f", "a\nw f", "i\\", "c x\\\n", "a\\w f", "/x\\/w f", "/[/]w f/d", "\\xaxw f", "\\|a|w f", ":a;w f", "ba\nw f", "b a;e", "#x\nw f", "}", "{", "v", "F;e", "q;w f", "l 5;e", "1~2e", "1,+e", "/x/Ie", "/x/Mw f", "!e", "//p", "1!!e", "k", "s/a", "s/a/b", "s/a/b/x", "y", "s", "s[a[b[e", "s\\a\\b\\e",
		// Programs end these in different places.
		"s/[^^][]/]/;/w f", "s/[[:alpha:][]/]/;/w f", "s^[^x]^wF^", "s^a^b^", "s/[]]/x/", "s/[^]]/x/", "s/[^\\/]*$//", "s/[\\n]/x/", "s/[[.x.]]/x/", "s/[[=x=]]/x/", "s/[[]/x/", "s:[[:alpha:]]:x:", "s/[[:alpha:]-]/;]/;s/w f/x/", "s/a/[/;s/]/w f/", "y/[/a/;y/]/w f/", "s.a.b.", "s=a=b=", "s-a-b-",
		":a#;w f", "ba #;w f", ":a;i\\\nw f", "b;$!i\\\nw f", "# x\\\ni\\\nw f", "\\^[^x]^w f", "/[^^][]/]/w f", "/[]/]w f/d",
	},
}

var awkScripts = map[bool][]string{
	true: {
		"/foo/", "NR==5", "NR>=5 && NR<=10", "NR > 5", "{s+=$1} END{print s}", "!seen[$0]++", "{print NR\": \"$0}", "$1==\"a\"{print $2}", "{print $1, $NF}", "/a|b/", "/>/{print \"a|b > c\"}", "{print ($1+$2)/2}", "$3 > 5 {print $1}", "NF", "1", "{n=split($0,a,\"/\"); print a[n]}", "{gsub(/[^a-z|>]/, \"\"); print}",
		"BEGIN{FS=\":\"; OFS=\"|\"} {print $1,$2}", "{c[$1]++} END{for (k in c) print k, c[k]}", "length($0) > 80", "length > 80", "$2 ~ /x/ || $3 !~ /y/", "{printf \"%5.2f%%\\n\", $1/3*100}", "{x = $1 > 5 ? \"a\" : \"b\"; print x}", "NR%2 # every other", "{if ($1 > m) m = $1} END {print m}", "/\"/ {print \"it is\"}", "{print substr($0, 2)}", "/a\\/b/", "{a=1e5; print a/2/3}", "END{print NR}", "{close(\"x\")}", "/[^[:alpha:]|]/", "{x[a[1]] = b[2] / 2 / 1}", "{int(1) / 2}", "{if (a[1]) {print}}", "{print}\n/x/ {print \"y\"}", "",
	},
	false: {
		"BEGIN{system(\"rm\")}", "{ system (\"rm\") }", "{print > \"f\"}", "{print >> \"f\"}", "{print $1 > $2}", "{print(1) > \"f\"}", "{printf(\"x\") > \"f\"}", "{print | \"sh\"}", "{print |& \"sh\"}", "{\"rm\" | getline}", "{getline}", "{getline < \"f\"}", "{while ((getline x < \"f\") > 0) print x}", "{print 1,\n2 > \"f\"}", "{print 1 &&\n2 > \"f\"}", "{print 1 \\\n> \"f\"}", "{printf \"x\" \\\n| \"sh\"}",
		"@load \"x\"", "@include \"x\"", "{f=\"system\"; @f(\"rm\")}", "{print awk::system(\"rm\")}", "{print ENVIRON[\"K\"]}", "BEGIN{ARGV[1]=\"f\"}", "BEGIN{ARGC=2}", "BEGIN{SYMTAB[\"x\"]=1}", "{print \"a\\\" > \"f\"}", "{print /\"/ > \"f\"}", "/[/]/{print > \"f\"}", "/[\"/]\"/{x} {print > \"f\"}", "/x\\/{print > \"f\"}", "{print a / b > \"f\" / c}", "{if (1) /\"/; print > \"f\" \"\"}", "{x = a ++ /\"/; print > \"f\" \"/}", "{print length /\"/ > \"f\" \"/}", "{print $1length /\"/ > \"f\" \"/}", "# x\\\n{print}", "{print} \\ > \"f\"", "{x=1 & 2}", "{print 1 > 2}", "{print 'a'}", "\"", "/", "(", ")", "{a > b >> \"f\"}", "{print\n\n> \"f\"}", "`", "{print 1print}",
		"BEGIN{x=case / 1;print \"id\"|\"sh\"#/\n}", "BEGIN{x=case / 1;print \"id\">\"f\"#/\n}", "BEGIN{x=switch / 1;print \"id\">\"f\"#/\n}", "BEGIN{x=default / 1}", "BEGIN{x=func / 1}", "BEGINFILE{x}", "func f(x){print x}", "{switch (x) {case /a/: print}}",
		"/[^^][]/]// 1{print \"id\"|\"sh\"}#/", "/[^^][]/]// 1{print \"id\">\"f\"}#/", "/[[:alpha:][]/]// 1{print \"id\">\"f\"}#/", "/[]/]/", "/[\\/]/", "/[[.x.]]/", "BEGIN{x=int / 1;print \"id\">\"f\"#/\n}", "{x = toupper / 1}", "{x = (1\n/2/3)}", "{x = a[1\n/2/3]}", "]", "[", "{x = 1]}", "{(x]}", "{[x)}", "}", "{", "{(}",
	},
}

// Scripts that print are harmless, those that may write, read or run are not.
func TestScripts(t *testing.T) {
	for want, list := range sedScripts {
		for _, script := range list {
			if got := sedHarmless(script); got != want {
				t.Errorf("sed %q: %v", script, got)
			}
		}
	}
	for want, list := range awkScripts {
		for _, script := range list {
			if got := awkHarmless(script); got != want {
				t.Errorf("awk %q: %v", script, got)
			}
		}
	}
	p := Policy{Settings: Settings{Allow: written(t, "sed", "awk")}}
	for want, lines := range map[Verdict][]string{
		Allow: {
			`sed "s|a/b|c|g" a`, `sed -e 's/a/b/' a`, `sed '/^$/d' a`, `sed "1d;\$d" a`, `sed -n -e 1p -e '$p' a b`, "sed -ne 5p a", "sed -nE '/a|b/p' a", "sed -e5q a", "sed --quiet --expression=p a", "sed -Ez 's/x//' a",
			`awk '/foo/' a`, `awk 'NR==5' a`, `awk 'NR>=5 && NR<=10' a`, `awk '{s+=$1} END{print s}' a`, `awk '!seen[$0]++' a`, `awk '{print NR": "$0}' a`, `awk '$1=="a"{print $2}' a`, `awk -F, '{print $1}' a`, `awk -F '[,:]' '{print $2}' a`, `awk -F'\t' -v n=5 'NR>n' a x=1`, `awk -v n=5 'NR>n' a`,
		},
		Ask: {
			"sed -i s/a/b/ f", "sed -ni p f", "sed -n p -i f", "sed -e p -i f", "sed -f x a", "sed -nf x a", "sed -e p -f x a", "sed -e", "sed -n", "sed --in-place p f", "sed --file=x a", "sed -e 'w f' a", "sed -e p -e 'w f' a", "sed -e 'i\\' -e 'w f' a", "sed -e 's/a/b/e' a", "sed -es/a/b/e a", "sed --expression='e rm' a", "sed -s -e e a",
			"sed $X a", "sed -e $X a", "sed -n \"$X\" a", "sed -e p$X a", "sed -l5 p a", "sed -- p a", "sed -E -i.bak p a",
			"awk -f x a", "awk -i inplace 1 a", "gawk -l x 1 a", "awk -v 'x' 1 a", "awk -v $X 1 a", "awk -F", "awk -F , ", "awk -v x=1", "awk 1 /inet/tcp/0/h/1", "awk -E x", "awk -vx=1 'BEGIN{system(x)}'", "awk -Fx -f y a", "awk -W exec x", "awk 1 $X", "awk -- 1 a",
		},
	} {
		for _, line := range lines {
			if j := p.Judge(command(line), tools.Act); j.Verdict != want {
				t.Errorf("%q: %+v", line, j)
			}
		}
	}
}

// The real sed and awk write no file by a script that is taken for harmless.
func FuzzScripts(f *testing.F) {
	for want := range sedScripts {
		for i, list := range [][]string{sedScripts[want], awkScripts[want]} {
			for _, script := range list {
				f.Add(script, i == 0)
			}
		}
	}
	sed := installed("sed", "gsed", "busybox sed", "toybox sed")
	awk := installed("mawk", "gawk", "original-awk", "nawk", "awk", "goawk", "busybox awk", "toybox awk")
	f.Fuzz(func(t *testing.T, script string, isSed bool) {
		programs, harmless, loops := awk, awkHarmless, awkLoops
		if isSed {
			programs, harmless, loops = sed, sedHarmless, sedLoops
		}
		// What waits or goes on for ever is harmless and no use here.
		if len(script) > 200 || !harmless(script) || strings.ContainsAny(script, "\x00") || loops().MatchString(script) {
			return
		}
		for _, program := range programs {
			dir := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // a hang guard
			cmd := exec.CommandContext(ctx, program[0], slices.Concat(program[1:], []string{script})...)
			// A shell to which a line is given writes, too.
			cmd.Dir, cmd.Env, cmd.Stdin = dir, []string{"PATH=" + dir}, strings.NewReader("a b\nx y\n>z\n")
			cmd.Run() // its exit code does not matter
			cancel()
			if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
				t.Fatalf("%s %q wrote %v %v", program, script, made, err)
			}
		}
	})
}

// installed are those of some programs, each perhaps with the first of its words,
// that this machine has.
func installed(names ...string) (found [][]string) {
	for _, name := range names {
		program := strings.Fields(name)
		if path, err := exec.LookPath(program[0]); err == nil {
			program[0] = path
			found = append(found, program)
		}
	}
	return found
}

// These are parts of what may go on for ever or fill the memory.
var (
	sedLoops = lazy(`[btTD]|[0-9]{6}`)
	awkLoops = lazy(`while|for|do|[0-9]{6}|[a-z_A-Z]\(|printf|%|(NF|\$).*[*^]`)
)

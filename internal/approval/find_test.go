package approval

import (
	"strings"
	"testing"

	"clined/internal/tools"
)

// A rule that denies holds however the command is written, also where the user
// approved everything. The program's name must be there to be read.
func TestDenyCannotBeDressedUp(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands, Yes: true, Deny: written(t, "rm", "git push", "npm publish", "/opt/x/deploy")}}
	for _, line := range []string{
		"rm", " rm -rf x", "\nrm x", "RM x", "/bin/rm x", `"rm" x`, `r\m x`, "r''m x", "$'\\x72m' x", "$'rm' x",
		"X=rm; $X x", `"$X" x`, "$(echo rm) x", "`echo rm` x", "{rm,-rf,x}", "/bin/r? x", "/bin/[r]m x", "rm${IFS}x",
		"sh -c '$X x'", "sudo $X", "env A=1 $X x", "xargs -0 $X", `sh -c "$X"`, `eval "$X"`, "command $X",
		`sh -c 'sh -c "sh -c \"rm x\""'`, `env -S "rm x"`, "timeout 5 rm x", "find . -execdir rm {} +",
		"bash <<< 'rm x'", "bash <<EOF\nls\nrm x\nEOF", "sh <<'EOF'\nrm x\nEOF", "echo 'rm x' | sh", "echo 'rm x' > t.sh; sh t.sh", "alias k='rm x'",
		"rm x; echo '" + strings.Repeat("(", 600) + "'", "rm x #" + strings.Repeat("x", maxLineBytes), "rm x; echo 'unterminated",
		"noglob rm x", "- rm x", "repeat 3 rm x", "ls; and rm x", "not rm x", // other shells'
		"git --work-tree . push", "git --git-dir=.git push", "git -c a=b -C . --no-pager push -f", "npm --silent publish", "npm publish --tag x",
		"env --split-string='rm x'", "script -c 'rm x' /dev/null", "flock f -c 'rm x'", "toybox rm x", "ssh h 'sudo rm x'", "docker exec c sh -c 'rm x'", "podman run x rm y", "kubectl exec p -- rm x", "crontab - <<< '* * * * * rm x'",
		"git -c alias.x='!rm y' x", "git -c core.editor=rm commit", "git bisect run rm x", "git submodule foreach 'rm x'", "git rebase --exec='rm x'", "git grep -Orm x", "git ls-remote 'ext::rm x'", "go test -exec=rm ./...", "tar --to-command=rm -xf a",
		"tar cf a . --checkpoint-action=exec=rm", "rsync --rsh=rm a b", "zip a b -TT rm", "split --filter='rm x' a", "sort --compress-program=rm a", "rg --pre=rm x", "less '+!rm x'", "vim -c ':!rm x' -c q", "ed <<E\n!rm x\nE", "awk 'BEGIN{system(\"rm x\")}'",
		"python3 -c 'import os; os.system(\"rm x\")'", "perl -e '`rm x`'", "npm exec -- rm x", "uv run rm x", "nix-shell --run 'rm x'", "tmux new -d 'rm x'", "expect -c 'spawn rm x'", "make -f - <<E\nall:\n\trm x\nE", "rm.exe x", "cmd /c rm x", "pwsh -Command 'rm x'",
		"echo rm x | bash", "echo 'rm x' | at now", "at now <<< 'rm x'", "hash -p /bin/rm y; y x", "ln -s /bin/rm y; ./y x", "cp /bin/rm y; ./y x", "PAGER='rm x' man y", "VISUAL=rm crontab -e", "GIT_SSH_COMMAND='rm x' git fetch", "builtin command rm x", "alias y=rm",
		"socat - EXEC:rm", "sed '1e rm x' a", "gdb --args rm x", "/lib64/ld-linux-x86-64.so.2 /bin/rm x", "ssh -o ProxyCommand='rm x' h", "trap 'rm x' EXIT", "bind -x '\"a\": rm x'", "git config alias.p push; git p", "git -C . pu", "git -c alias.p=push p", "ruby -e 'system %w(git push)'",
		"deploy", "./deploy", "bash deploy", "sudo /opt/x/deploy --now",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Deny || !strings.Contains(j.Reason, "deny") {
			t.Errorf("%.60q: %s %s", line, j.Verdict, j.Reason)
		}
	}
	for _, line := range []string{
		"ls rm", "echo 'rm x'", "grep -rn 'rm -rf' .", "git status", "git log --grep=push", "git commit -m 'git push; rm x'", "npm run publish-docs", "cat > notes <<EOF\nrm x\nEOF",
		"ls $X", `cp a "$X"`, "X=1 make", "awk '{s += $1} END {print (s)}' f", "sed -i 's/(a b/c/' f", "find . -name '(copy 1)*'", "git rm x", "docker rm x", "vim rm.txt", "git -C x fsck", "git --version", "python3 rm.py", "cp rm.txt y", "make firm", "FOO=rm.txt make", "command -v git", "python3 -c 'import os; print(1)'", "[ -f x ] && ls",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%.60q: %s %s", line, j.Verdict, j.Reason)
		}
	}
	// Where somebody is there, what cannot be read is for them to decide, though
	// commands need no question.
	p.Yes = false
	for _, line := range []string{"$X x", "rm x; echo 'unterminated"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask || len(j.Offers) > 0 {
			t.Errorf("%q: %+v", line, j)
		}
	}
}

// Code in words of code in words of code is looked into only so far.
func TestDenyDeepQuoting(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands, Yes: true, Deny: written(t, "rm")}}
	line := "rm x"
	for range 12 {
		line = "sh -c " + joinWords([]string{line})
	}
	if j := p.Judge(command(line), tools.Act); j.Verdict != Deny {
		t.Errorf("%+v", j)
	}
}

// A word names a hidden file also behind a revision, a cd, or braces.
func TestHiddenFileInOtherWords(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands}, Hidden: func(w string) bool { return w == "svc/.env" || w == "audit" }}
	for _, line := range []string{
		"git show HEAD:svc/.env", "cd svc && cat .env", "pushd svc; cat .env", "cat svc/.{env,x}", "cat {a,svc/.env}", `sh -c "cat svc/.env | head"`,
		"python3 -c 'print(open(\"svc/.env\").read())'", "tar cf - audit", "docker run -v svc/.env:/x y", "ls > svc/.env",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask || !strings.Contains(j.Reason, "ignore file hides") {
			t.Errorf("%q: %s %s", line, j.Verdict, j.Reason)
		}
	}
	for _, line := range []string{"cat link/../.env", "cat a/.././b", "head --x=a/../b"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask {
			t.Errorf("%q may lead to what is hidden: %+v", line, j)
		}
	}
	for _, line := range []string{"cat svc/env", "cd svc && ls", "cat {1..1000000000}", "cat {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "echo audits"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q: %s %s", line, j.Verdict, j.Reason)
		}
	}
}

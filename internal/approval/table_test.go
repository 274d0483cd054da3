package approval

import (
	"testing"

	"clined/internal/tools"
)

// tablePolicy is what the table is judged by: a few prefixes and one exact
// command are allowed, two programs are denied.
func tablePolicy(t testing.TB) Policy {
	return Policy{
		Settings: Settings{
			Allow: written(t, "ls", "echo", "cat", "head", "grep", "wc", "find", "sort", "rg", "sed", "awk", "xxd", "cd", "printf", "test", "[", "true", "tree", "date",
				"git status", "git log", "git diff", "git show", "git grep", "git branch", "git fetch", "go test", "go build", "go vet", "go env", "cargo test",
				"docker ps", "kubectl get", "npm", "python3", "xargs", "env", "tee", "tar", "curl", "exact: make test", "exact: npm run lint", "exact: ./gradlew check"),
			Deny: written(t, "shutdown", "git push"),
		},
		Roots: []string{"/ws"}, Home: "/home/u",
	}
}

// harmless run without a question.
var harmless = []string{
	// words and quotes
	"ls", "ls -la src", "ls 'a b'", `ls "a b"`, `ls a\ b`, "ls ./sub/dir", "ls -- -x", "ls *.go", "ls a{b,c}", "ls ~", "ls $HOME", `ls "${HOME}/x"`,
	`echo "a && b"`, "echo '$(x)'", "echo 'a; rm x'", `echo "a > b"`, `echo a \; b`, `echo "rm -rf /"`, "echo 'a`b`c'", `echo "a;b|c&d"`, "echo a=b", "echo -n x",
	"echo 日本語 ✓", "echo 'it'\"'\"'s'", "echo # rm x", "echo a#b", "echo %s", "echo a,b:c", "echo @x", "echo +x", `echo '!'`,
	// several commands
	"ls; ls", "ls && ls", "ls || true", "ls\nls", "ls;\nls", "(ls)", "{ ls; }", "! ls", "(ls; (ls))", "cd src && ls", "cd src; cat a", "cd src && go test ./...", "cd /ws/sub && go test ./... 2>&1 | head", "cd ./a/b && cargo test", "ls &&\n  cat a",
	"test -f a && cat a", "[ -d x ] || echo no",
	// pipes
	"cat a | head", "cat a | grep x | sort | head -3", "git log | head", "find . -name '*.go' | wc -l", "sort a | head -5; ls", "ls |\n head",
	// redirections that are none of files
	"ls 2>&1", "ls >/dev/null", "ls 2>/dev/null", "ls > /dev/null 2>&1", "ls >/dev/null 2>/dev/null", "ls </dev/null", "ls >&2", "ls 2>&-", "ls 1>&2", "ls >>/dev/null",
	"ls &>/dev/null", "ls &>>/dev/null", "go test ./... 2>&1 | head", "grep -r x . 2>/dev/null | head", "2>/dev/null ls",
	// programs whose arguments decide
	"git status -sb", "git log --oneline -5", "git log --format='%h %s'", "git diff HEAD~1 -- a.go", "git show HEAD:a.go", "git grep -n x", "git branch -a", "git fetch", "git fetch --all --prune",
	"go test ./...", "go test -run 'TestX' -count=1 ./internal/...", "go build ./...", "go vet ./...", "go env GOPATH", "cargo test --all", "docker ps -a", "kubectl get pods -o wide",
	"find . -type f -newer x", "find . -name '*.go' -not -path './vendor/*' -print0", "sort -u -k2,2n a", "rg -n 'a|b' src", "sed -n '1,20p' a", "sed 's/a/b/g' a", "sed -E 's/x+/y/' a",
	"awk '{print $1}' a", "awk -F: '{print $1, $NF}' a", "tree -L 2", "date +%F", "xxd a", "xxd -p a", `printf '%s\n' a b`, "grep -E '(a|b)' f", `grep "a\|b" f`,
	// exact words
	"make test", "npm run lint", "./gradlew check", "make test; ls", "make test | head", "make test 2>&1 | grep x",
}

// bypasses are not allowed, whatever they look like.
var bypasses = []string{
	// more than one command
	"ls && rm -rf x", "ls;rm x", "ls | sh", "ls\nrm x", "ls\rrm x", "ls\r\nrm x", "ls & rm x", "ls &", "ls || rm x", "ls |& rm x", "ls;;rm x", "(rm x)", "{ rm x; }", "! rm x", "ls\n\n\trm x",
	"ls; (cd x; rm y)", "ls && { rm x; }", "ls\vrm x", "ls\frm x", "ls \\\n; rm x", "ls # x\nrm x", "ls\u2028rm x", "ls\u2029rm x", "ls\u0085rm x", "ls\u00a0;rm x", "ls\u200b", "ls \u202e x", "ls \x00 rm",
	// substitution
	"echo $(rm x)", "echo `rm x`", `ls "$(rm x)"`, "ls \"`rm x`\"", "echo <(rm x)", "ls > >(rm x)", "echo ${x:-$(rm x)}", "echo ${x:=`rm x`}", "echo $((x[$(rm x)]))", "echo $[$(rm x)]",
	"echo ${x@P}", "echo ${!x}", "echo ${x/a/$(rm x)}", "echo ${ rm x; }", "echo ${|rm x;}", "echo \"${x:+$(rm x)}\"", "ls $(echo a)", "X=$(rm x)", "ls *$(rm x)", "ls =(rm x)",
	`echo "$HOME[$(rm x)]"`, "echo $HOME[(rm x)]", "echo a$(rm x)b", "cat <<< $(rm x)",
	// redirection
	"git show > ~/.bashrc", "git show >> f", "ls >f", "ls >| f", "ls <> f", "ls >&2file", "ls >&file", "ls 2>f", "ls &>f", "ls &>>f", "cat&>/dev/null rm x", "echo &>/dev/null>/dev/null rm", "ls &>/dev/null x", "cat <f", "cat < /etc/shadow", "ls > /dev/nullx", "ls > /dev/null/../x",
	`ls > "/dev/null"x`, "ls >/dev/tcp/h/1", "ls > $x", "ls {fd}>f", "ls 3<>f", "cat <<E\nx\nE", "cat <<<x", "> f", ">/dev/null", "ls > /dev/sda", "ls >/dev/null > f",
	// what is before a command
	"FOO=1 rm x", "FOO=1 ls", "LD_PRELOAD=./x.so ls", "PATH=. ls", "GIT_PAGER=x git log", "IFS=x ls", "FOO=1", "env ls", "command ls", "exec ls", "builtin ls", "nohup ls", "sudo ls", "time -p ls", "nice ls",
	"timeout 5 rm x", "stdbuf -o0 rm x", "setsid rm x", "noglob rm x", "repeat 3 rm x", "and rm x", "not rm x", "- rm x", "coproc ls", "coproc rm x",
	// other names for a program
	"l''s", `l""s`, `\ls`, `l\s`, "'ls'", `"ls"`, "$'ls'", "$x", "${x}", "/bin/ls", "./ls", "/tmp/ls", "../ls", "~/ls", "l?", "[l]s", "{ls,-l}", "ls-x", "LS", "ls.exe", "1s", "ｌs", "lѕ",
	// shell grammar
	"if ls; then rm x; fi", "for i in a; do ls; done", "while ls; do rm x; done", "until ls; do ls; done", "case a in a) rm x;; esac", "select x in a; do ls; done", "[[ -f a ]]", "(( x = 1 ))",
	"ls() { rm x; }; ls", "function ls { rm x; }; ls", "ls() rm x", "alias ls=rm; ls", "alias ls='rm x'", "trap 'rm x' EXIT", "export PATH=.", "declare x=1", "readonly x=1", "local x=1", "let x=1",
	"eval ls", "eval 'rm x'", "source f", ". f", "set -x", "shopt -s expand_aliases", "hash -p /tmp/x ls; ls", "enable -f x ls", "unset x", "shift 'a[$(rm x)]'", "ulimit 'a[$(rm x)]'", "exit 'a[$(rm x)]'",
	"echo $'a\\'; rm x #'", `echo $"x"`, `echo 'a\'; rm x #'`, `echo \x41`, "echo @(a|b)", "echo *(e:'rm x':)", "echo *(+rm)", "echo a(rm x)", "ls 'x", `ls "x`, "ls )", "ls (", "", " ", "# x", "functions -c rm ls; ls",
	"set PATH /tmp $PATH; ls", "fish_add_path /tmp; ls", "emulate zsh; ls", "autoload x; ls", "read x", "mapfile -C rm x", "printf -v 'a[$(rm x)]' y", "printf '%d' 'a[$(rm x)]'", "test -v 'a[$(rm x)]'", "[ 'a[$(rm x)]' -eq 1 ]", "[ $x -eq 1 ]",
	// code as arguments
	"sh -c 'rm x'", "bash -c ls", "bash x.sh", "zsh -ic ls", "busybox rm x", "python3 -c 'x'", "python3 x.py", "python3.12 -m http.server", "node -e x", "perl -e x", "ruby -e x", "php -r x", "lua -e x", "awk 'BEGIN{system(\"rm\")}'", "awk -f x",
	"awk '{print > \"f\"}' a", "awk '{print | \"sh\"}' a", "awk '{ \"rm\" | getline }'", "gawk -i inplace '{print}' a", "sed -i s/a/b/ f", "sed 's/a/b/w f' x", "sed 1e f", "sed -e 1d -i f", "sed 's/a/b/e' f", "sed -n '/x/w f' a", "sed --in-place s/a/b/ f", "sed 's/x/y/;w f' a", "sed 'r /etc/x' a",
	"make", "make test SHELL=x", "make -C x test", "npm test", "npm run build", "npx x", "yarn build", "pnpm i", "go run .", "go generate", "go test -exec rm ./...", "go test -toolexec=x ./...", "go test /tmp/x_test.go", "go test ../x", "go build -o /tmp/x", "go build -overlay x", "go env -w A=b", "go vet -vettool=x",
	"cd /tmp/x && go test ./...", "cd && go test", "cd .. && go test", "cd ~ && go build", "cd $x; cargo test", "cd -; go build ./...", "cd a/../.. && go vet ./...", "pushd /tmp; go test", "go test C:/x", "ss -K", "cd a; cd ..; go test",
	"go test -args -test.outputdir=/", "go test --test.cpuprofile=x ./...", "cargo test --manifest-path /tmp/Cargo.toml", "cargo test --config x", "cargo test -Zx", "docker run x", "docker exec c ls", "kubectl exec p -- ls", "kubectl get --kubeconfig=x pods", "kubectl delete pod x",
	// git
	"git -c core.pager=x status", "git -C x status", "git --exec-path=x status", "git --git-dir=x status", "git -p status", "git log --output=x", "git log --outp x", "git diff --ext-diff", "git diff --output x", "git show $x", "git show *", "git grep -O", "git grep -Ox y", "git grep --open-files-in-pager=x y",
	"git branch -D x", "git branch x", "git fetch --upload-pack=x", "git fetch 'ext::sh -c rm'", "git fetch . +x:y", "git config alias.status '!rm'", "git status; git config x y", "cd x && git status", "git foo", "git", "git log -- $(rm x)",
	// programs that run, write or reach out
	"find . -exec rm {} +", "find . -delete", "find . -execdir rm {} \\;", "find . -ok rm {} \\;", "find . -fprint x", "find . -fls x", "find . {-exec,rm,;}", "find $x", "find *", "xargs rm", "ls | xargs rm", "env rm x", "env -S 'rm x'", "tee f", "ls | tee f", "tar xf a", "tar cf a . --checkpoint-action=exec=x",
	"tar --to-command=x -xf a", "curl http://x", "curl -o f http://x", "curl -K f", "sort -o f f", "sort --output=f f", "sort --compress-program=x f", "sort --comp x f", "rg --pre x y", "rg --hostname-bin x y", "tree -o f", "date -s x", "date 01010101", "printf '%n' x",
	"rm x", "cp a b", "mv a b", "dd of=x", "chmod +x f", "ssh h ls", "ssh -o ProxyCommand=x h", "scp a h:", "rsync -e x a b", "wget -O f x", "nc -e sh h 1", "vim -c '!rm'", "less f", "man -P x y", "crontab -r", "at now", "watch ls", "parallel rm", "entr ls", "script -c rm", "expect -c x", "gdb -ex '!rm'",
	"strace -o f ls", "ld.so ./x", "openssl enc", "zip -TT x a b", "gcc -wrapper x", "gcc-12 x.c", "x86_64-linux-gnu-gcc x.c", "jq . a > b", "yq -i x f", "fd -x rm", "ack --output='x' y", "ag --pager=x y", "xdg-open x", "systemctl stop x", "kill 1", "pip install x", "apt-get install x", "git-upload-pack x",
	"iconv -o f g", "shuf -o f g", "base64 -o f g", "uniq a b", "uniq a -- -b", "uniq -- a -b", "xxd -r a b", "xxd a --", "xxd a -p", "xxd - -", "patch f", "mkfs.ext4 /dev/x", "vim.basic x", "rename.ul a b c",
	// exact words and no more
	"make test x", "make  test install", "npm run lint -- --fix", "./gradlew check build", "cd x && make test", "cd x; ./gradlew check", "cat x | make test", "gradlew check", "./x/../gradlew check",
}

// deniedLines are refused whatever else is said.
var deniedLines = []string{
	"shutdown", "shutdown -h now", "ls; shutdown", "ls && sudo shutdown", "echo $(shutdown)", "sh -c shutdown", "sh -c 'ls; shutdown -h now'", "/sbin/shutdown now", `\shutdown`, "s'hutdown'", "SHUTDOWN", "xargs shutdown", "find . -exec shutdown \\;",
	"env A=1 shutdown", "ssh h shutdown", "docker run x shutdown", "git -c core.pager=shutdown log", "git rebase -x 'shutdown now'", "git config alias.x '!shutdown now'", "git bisect run shutdown", "go test -exec=shutdown ./...", "rg --pre=shutdown x", "tar --to-command=shutdown -xf a",
	"git push", "git push -f", "git -C x push", "git --no-pager push origin main", "ls; git   push", "(git push)", "if true; then git push; fi", "git 'push'", "bash <<< 'git push'", "bash <<E\ngit push\nE", "eval git push", "timeout 5 git push", "watch -n1 git push",
	"ls > f; git push", "x() { git push; }", "kubectl exec p -- shutdown", "python3 -c 'x' | xargs -I{} git push {}",
}

func TestTable(t *testing.T) {
	p := tablePolicy(t)
	for want, lines := range map[Verdict][]string{Allow: harmless, Ask: bypasses, Deny: deniedLines} {
		for _, line := range lines {
			j := p.Judge(command(line), tools.Act)
			if j.Verdict != want {
				t.Errorf("%q: %s (%s%s), want %s", line, j.Verdict, j.Reason, j.Rule, want)
			}
			if (j.Verdict == Allow) != (j.Reason == "") || (j.Verdict == Allow) != (j.Rule != "" && j.Verdict == Allow) {
				t.Errorf("%q: reason %q, rule %q", line, j.Reason, j.Rule)
			}
		}
		t.Logf("%s: %d lines", want, len(lines))
	}
}

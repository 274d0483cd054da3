package approval

import (
	"path"
	"strings"
	"testing"

	"clined/internal/tools"
)

// What git's configuration names programs by is set only when somebody was asked,
// and so is what fills a protected folder, though commands need no question.
func TestProtectedSettingsAndFolders(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands}, Protected: func(word string) string {
		if word = strings.TrimPrefix(word, "./"); strings.HasSuffix(word, "/") && path.Base(word) == ".vscode" {
			return "it is special"
		}
		return ""
	}}
	for line, want := range map[string]Verdict{
		"git config core.hooksPath x": Ask, `git config --global alias.st "!rm"`: Ask, "git -c core.hooksPath=x commit -m y": Ask, "git config set core.sshCommand x": Ask, "git config --add CORE.Editor x": Ask, "git config --local core.pager 'x y'": Ask, "git config core.fsmonitor ./x": Ask,
		"git config filter.a.clean x": Ask, "git config --global diff.a.textconv x": Ask, "git config diff.external x": Ask, "git config credential.helper store": Ask, "git config credential.https://h.helper '!x'": Ask, "git config gpg.program x": Ask, "git config gpg.ssh.program x": Ask, "git config include.path x": Ask,
		"git config remote.o.uploadpack x": Ask, "git config includeIf.gitdir:~/a.path x": Ask, "git config --rename-section a alias": Ask, "git config -f x core.editor y": Ask, "git config $K x": Ask, "git config core.editor $E": Ask, "git config alias.x '-c core.pager=y log'": Ask, "git config alias.x $Y": Ask,
		"git --config-env=core.pager=X log": Ask, "git --config-env core.pager=X log": Ask, "git --exec-path=x log": Ask, "git clone -c core.hooksPath=x u": Ask, "git clone --config=core.fsmonitor=x u": Ask, "git -C d -c core.sshCommand=x fetch": Ask, "sudo git config core.editor x": Ask, "sh -c 'git config core.editor x'": Ask, "cd a && git config core.editor x": Ask, "git-config core.editor x": Ask, "/usr/bin/git config core.editor x": Ask,
		"git config user.name x": Allow, "git config core.hooksPath": Allow, "git config --get core.editor": Allow, "git config get alias.st": Allow, "git config --unset core.hooksPath": Allow, "git config --global alias.st status": Allow, "git config alias.lg 'log --oneline'": Allow, "git config --list": Allow, "git config core.autocrlf input": Allow,
		"git -c core.pager=cat log": Allow, "git -c core.fsmonitor=false status": Allow, "git -c core.hooksPath=/dev/null commit -m x": Allow, "git -c user.name=x commit -m y": Allow, "git -c core.editor=true rebase --continue": Allow, "git -c credential.helper= fetch": Allow, "git log core.editor x": Allow, "git commit -m 'git config core.editor x'": Allow, "echo 'git config core.editor x'": Allow, "git config": Allow, "git -c": Allow, "git --exec-path": Allow,

		"unzip a -d .vscode": Ask, "unzip a -d.vscode": Ask, "tar xf a -C .vscode": Ask, "tar -xf a --directory=.vscode/": Ask, "7z x a -o.vscode": Ask, "cpio -i -D .vscode < a": Ask, "cd .vscode && tar xf ../a": Ask, "cp a .vscode": Ask, "mv a b sub/.vscode": Ask, "rsync -a x/ .vscode": Ask, "sudo tar xf a -C .vscode": Ask, "bsdtar -xf a -C .vscode": Ask, "wget -P .vscode u": Ask,
		"unzip a -d vscode": Allow, "tar xf a": Allow, "tar xf a -C src": Allow, "cp a b": Allow, "ls .vscode": Allow, "cat .vscode": Allow, "grep -r x .vscode": Allow, "echo tar .vscode": Allow, "cd .vscode && ls": Allow,
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want || want == Ask && (len(j.Offers) > 0 || !strings.Contains(j.Reason, "protected")) {
			t.Errorf("%q: %s (%s), want %s", line, j.Verdict, j.Reason, want)
		}
	}
	p.Protected = nil
	if j := p.Judge(command("git config core.editor x; unzip a -d .vscode"), tools.Act); j.Verdict != Allow {
		t.Errorf("%+v", j)
	}
}

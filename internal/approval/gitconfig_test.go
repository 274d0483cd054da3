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

		`git config core.fsmonitor ./x --list`: Ask, `git config core.fsmonitor ./x -l`: Ask, `git config core.editor x -e`: Ask, `git config core.editor x --unset`: Ask, `git config core.pager x --get`: Ask, `git config core.editor -f x`: Ask, `git config -f --list core.editor x`: Ask, `git config --fil --list core.editor x`: Ask, `git config --fil x core.editor y`: Ask, `git config -zf x core.editor y`: Ask, `git config set --append core.editor x`: Ask, `git config set --value a core.editor x`: Ask, `git config --global set core.editor x`: Ask, `git config -- core.editor x`: Ask, `git config --rename-sec a filter.b`: Ask, `git config rename-section a submodule`: Ask, `git config --rename-section a $S`: Ask, `git config submodule.a.update '!x'`: Ask, `git -c submodule.a.update='!x' submodule update`: Ask, `git config merge.tool ../../x`: Ask, `git config diff.guitool /x/y`: Ask, `git config svn.authorsProg x`: Ask, `git config lfs.customtransfer.a.path x`: Ask, `git config instaweb.modulePath x`: Ask, `git config trailer.a.cmd x`: Ask, `git config uploadpack.packObjectsHook x`: Ask, `git config init.templateDir x`: Ask, `git config core.alternateRefsCommand x`: Ask, `git config interactive.diffFilter x`: Ask, `git config man.a.path x`: Ask, `git config pager.log x`: Ask, `git config remote.o.vcs x`: Ask, `git config protocol.ext.allow always`: Ask, `git config alias.x 'config core.editor y'`: Ask, `git -c "$X" log`: Ask, `git -c $X log`: Ask, `git -c "core.$X=y" log`: Ask, `git -c "core.pager$X" log`: Ask, `git -c "$X=cat" log`: Ask, `git -c $(x) log`: Ask, `git -c "a$X.b=y" log`: Ask, `git -c core.{pager,editor}=x log`: Ask, `git config "$K" x`: Ask, `git config $K`: Ask, `git config "core.$K" x`: Ask, `git config core.{editor,x}`: Ask, `git $X core.editor y`: Ask, `git "$X" core.editor y`: Ask, `git $X`: Ask, `git clone -c "$X" u`: Ask, `git clone -ccore.editor=x u`: Ask, `git clone -qc core.editor=x u`: Ask, `git clone --conf core.editor=x u`: Ask, `git clone --template=x u`: Ask, `git init --template x`: Ask, `git init --temp=x`: Ask, `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=x git log`: Ask, `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=$K GIT_CONFIG_VALUE_0=x git log`: Ask, `GIT_CONFIG_PARAMETERS="'core.pager=x'" git log`: Ask, `GIT_CONFIG_GLOBAL=x git log`: Ask, `GIT_SSH_COMMAND=x git fetch`: Ask, `GIT_SSH=x git fetch`: Ask, `GIT_EXTERNAL_DIFF=./x git diff`: Ask, `GIT_EDITOR=$E git commit`: Ask, `GIT_PAGER=./x make`: Ask, `GIT_ASKPASS=x git fetch`: Ask, `GIT_EXEC_PATH=x git log`: Ask, `GIT_ALLOW_PROTOCOL=ext git fetch`: Ask, `GIT_TEMPLATE_DIR=x git init`: Ask, `EDITOR=./x git commit`: Ask, `PAGER+=x git log`: Ask, `export GIT_SSH_COMMAND=x; git fetch`: Ask, `export PAGER=x && git log`: Ask, `env GIT_SSH_COMMAND=x git fetch`: Ask, `sudo GIT_SSH=x git fetch`: Ask, `env EDITOR=x git commit`: Ask, `set -x GIT_SSH_COMMAND x; git fetch`: Ask, `sh -c 'GIT_SSH_COMMAND=x make'`: Ask, `if true; then GIT_SSH=x git fetch; fi`: Ask,
		`git config --list core.editor`: Allow, `git config -l`: Allow, `git config --file f --get core.editor`: Allow, `git config --file="$F" user.name x`: Allow, `git config -f f user.name x`: Allow, `git config --unset core.editor x`: Allow, `git config "$K"`: Allow, `git config --get "$K"`: Allow, `git config user.name "$N"`: Allow, `git config "branch.$B.remote" o`: Allow, `git config "remote.$R.url"`: Allow, `git config --rename-section a b`: Allow, `git config submodule.a.update rebase`: Allow, `git config submodule.a.url x`: Allow, `git config merge.tool vimdiff`: Allow, `git -c user.name=$N commit -m x`: Allow, `git -c "user.name=$N" -c user.email="$E" commit -m x`: Allow, `git -c "url.$A.insteadOf=x" fetch`: Allow, `git -C "$D" log`: Allow, `git log $X`: Allow, `git "$X"`: Allow, `git clone -c core.autocrlf=input u`: Allow, `git clone --branch core.editor u`: Allow, `git clone --config user.name="$N" u`: Allow, `git init --template= x`: Allow, `git init -q --initial-branch=main`: Allow, `git clone -b c u`: Allow, `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' git log`: Allow, `GIT_CONFIG_GLOBAL=/dev/null git log`: Allow, `GIT_PAGER=cat git log`: Allow, `GIT_EDITOR=true git rebase --continue`: Allow, `GIT_SEQUENCE_EDITOR=: git rebase -i a`: Allow, `GIT_DIR=x git log`: Allow, `GIT_AUTHOR_NAME="$N" git commit -m x`: Allow, `GIT_TRACE=1 git fetch`: Allow, `EDITOR=./x crontab -e`: Allow, `PAGER=x man y`: Allow, `env -u GIT_SSH git fetch`: Allow, `echo GIT_SSH_COMMAND=x`: Allow, `git commit -m GIT_SSH=x`: Allow, `export GIT_PAGER=cat; git log`: Allow,

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

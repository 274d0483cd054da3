package shell

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// markVar is in the environment of every process of a command; trees are found
// by it even when a child has left its session.
const markVar = "CLINED_COMMAND"

// quiet keeps programs from paging, prompting and opening editors: nobody
// could answer.
var quiet = []string{
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GH_PAGER=cat", "SYSTEMD_PAGER=cat", "AWS_PAGER=",
	"EDITOR=true", "VISUAL=true", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true",
	"GIT_TERMINAL_PROMPT=0", "GH_PROMPT_DISABLED=1", "SSH_ASKPASS_REQUIRE=never",
	"DEBIAN_FRONTEND=noninteractive", "PIP_NO_INPUT=1", "TERM=dumb",
}

// childEnv is the environment of a command: base without the names of scrub,
// with the quiet settings and the mark.
func childEnv(base, scrub []string, mark string) []string {
	set := append(slices.Clone(quiet), markVar+"="+mark)
	drop := slices.Clone(scrub)
	for _, kv := range set {
		name, _, _ := strings.Cut(kv, "=")
		drop = append(drop, name)
	}
	var env []string
	for _, kv := range base {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.ContainsFunc(drop, func(d string) bool { return sameName(d, name) }) {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

func sameName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// linewise are the shells whose -c takes lines that the policy's parser
// understands well enough to judge.
var linewise = []string{"sh", "bash", "zsh", "dash", "ash", "fish", "ksh", "ksh93", "mksh"}

// chooseShell returns the shell's path: the setting, else $SHELL when known,
// else /bin/sh.
func chooseShell(setting string, env []string) (string, error) {
	if setting != "" {
		path, err := exec.LookPath(setting)
		if err != nil {
			return "", fmt.Errorf("the shell %q of the settings was not found", setting)
		}
		return path, nil
	}
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "SHELL="); ok && slices.Contains(linewise, filepath.Base(v)) {
			if path, err := exec.LookPath(v); err == nil {
				return path, nil
			}
		}
	}
	return "/bin/sh", nil
}

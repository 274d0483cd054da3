package shell

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"clined/internal/tools"
)

// markVar is in the environment of every process of a command; trees are found
// by it even when a child has left its session.
const markVar = "CLINED_COMMAND"

// quiet keeps programs from paging and from opening editors: there is no screen.
var quiet = []string{
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GH_PAGER=cat", "SYSTEMD_PAGER=cat", "BAT_PAGER=cat", "DELTA_PAGER=cat",
	"PSQL_PAGER=cat", "AWS_PAGER=", "EDITOR=true", "VISUAL=true", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true",
	"KUBE_EDITOR=true", "TERM=dumb",
}

// unasked keeps programs that have no terminal from asking by other ways, such
// as a window: nobody could answer. None of them answers yes. An empty askpass
// program makes git and sudo say that they cannot ask.
var unasked = []string{
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "SUDO_ASKPASS=", "GCM_INTERACTIVE=never",
	"GH_PROMPT_DISABLED=1", "DEBIAN_FRONTEND=noninteractive", "PIP_NO_INPUT=1", "COMPOSER_NO_INTERACTION=1",
}

// elsewhere are the variables that tell of a directory or a terminal that is not
// the command's.
var elsewhere = []string{"PWD", "OLDPWD", "GPG_TTY"}

// childEnv is the environment of a command: base without the names of scrub,
// with the quiet settings and the mark.
func childEnv(base, scrub []string, c tools.CommandLine, mark string) []string {
	set := append(slices.Clone(quiet), markVar+"="+mark)
	if !c.TTY {
		set = append(set, unasked...)
	}
	if c.Dir != "" {
		set = append(set, "PWD="+c.Dir)
	}
	if locale := defaultLocale(base); locale != "" {
		set = append(set, locale)
	}
	drop := append(slices.Clone(scrub), elsewhere...)
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

// defaultLocale is the locale of commands where the environment names none, as
// that of a desktop's service does: their output is read as UTF-8, and in the C
// locale some shells cannot work in directories whose names are not ASCII.
func defaultLocale(env []string) string {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if value != "" && (name == "LC_ALL" || name == "LC_CTYPE" || name == "LANG") {
			return ""
		}
	}
	switch runtime.GOOS {
	case "windows":
		return ""
	case "darwin":
		return "LC_CTYPE=UTF-8"
	}
	return "LC_CTYPE=C.UTF-8"
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

// Foreign names the shell that commands would run in, as chooseShell does, where
// it is none that Reads; "" where it is.
func Foreign(setting string, env []string) (name string) {
	path, err := chooseShell(setting, env)
	if err != nil {
		path = setting
	}
	if Reads(path) {
		return ""
	}
	return programName(path)
}

// PlainCaret tells whether the shell that commands would run in takes a "^" that
// begins a word as it stands: zsh may take it for a pattern, fish once took it for
// a redirection.
func PlainCaret(setting string, env []string) bool {
	path, err := chooseShell(setting, env)
	return err == nil && slices.Contains([]string{"sh", "bash", "dash", "ash"}, programName(path))
}

// chooseShell returns the shell's path: the setting, else $SHELL when known,
// else the system's own.
func chooseShell(setting string, env []string) (string, error) {
	if setting != "" {
		path, err := exec.LookPath(setting)
		if err != nil {
			return "", fmt.Errorf("the shell %q of the settings was not found", setting)
		}
		return path, nil
	}
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "SHELL="); ok && Reads(v) {
			if path, err := exec.LookPath(v); err == nil {
				return path, nil
			}
		}
	}
	return systemShell()
}

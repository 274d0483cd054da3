package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"clined/internal/config"
	"clined/internal/daemon"
	"clined/internal/store"
)

// modelFlags choose the model for one command.
type modelFlags struct {
	Model   string `help:"Model id, instead of the one in the settings." placeholder:"ID"`
	BaseURL string `name:"base-url" help:"Base URL of an OpenAI-compatible API." placeholder:"URL"`
}

// approvalFlags say what needs no question.
type approvalFlags struct {
	Yes  bool     `short:"y" help:"Approve everything that would ask."`
	Auto []string `help:"Kinds to approve without asking: read, edit, command, mcp." placeholder:"KIND,…"`
}

// approvalKeys are the settings behind the kinds of --auto.
var approvalKeys = map[string]string{
	"read": "autoApprove.read", "edit": "autoApprove.edit", "command": "autoApprove.command", "mcp": "autoApprove.mcp",
}

// settings returns the flags as settings by key.
func (f modelFlags) settings() map[string]string {
	s := map[string]string{}
	if f.Model != "" {
		s["model"] = f.Model
	}
	if f.BaseURL != "" {
		s["baseUrl"] = f.BaseURL
	}
	return s
}

// settings returns the flags as settings by key.
func (f approvalFlags) settings() (map[string]string, error) {
	s := map[string]string{}
	for _, kind := range f.Auto {
		key, ok := approvalKeys[kind]
		if !ok {
			return nil, &usageError{text: fmt.Sprintf("--auto knows no %q", kind), hint: "kinds are read, edit, command, mcp"}
		}
		s[key] = "true"
	}
	return s, nil
}

// daemonOptions are what every daemon of this program needs.
func (a *app) daemonOptions(flags ...map[string]string) (daemon.Options, error) {
	dirs, err := config.FindDirs()
	if err != nil {
		return daemon.Options{}, err
	}
	all := map[string]string{}
	for _, f := range flags {
		for k, v := range f {
			all[k] = v
		}
	}
	// What was just typed is not left out: the task would go to another place.
	if _, problems := config.FromFlags(all); len(problems) > 0 {
		return daemon.Options{}, &usageError{text: "the command line: " + problems[0].Message, hint: "nothing was begun"}
	}
	o := daemon.Options{Dirs: dirs, Version: version(), Flags: all, Environ: os.Environ()}
	if exe, err := os.Executable(); err == nil {
		o.Executable = exe
	}
	o.LogTo = a.stderr
	return o, nil
}

// workdir resolves a folder that was named, by --cwd or as an argument.
func workdir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	switch info, err := os.Stat(abs); {
	case err != nil && strings.ContainsRune(dir, utf8.RuneError): // what the parser has in the place of other bytes
		return "", notUTF8(dir)
	case err != nil:
		return "", &usageError{text: fmt.Sprintf("there is no folder %q", dir)}
	case !info.IsDir():
		return "", &usageError{text: fmt.Sprintf("%q is no folder", dir)}
	}
	return abs, nil
}

// notUTF8 says that a folder cannot be used: paths go to and fro as JSON texts, which
// hold no other bytes.
func notUTF8(dir string) error {
	return &usageError{text: fmt.Sprintf("the folder %q cannot be used: its path is not UTF-8", dir), hint: "make a link to it whose path is (ln -s), and use that"}
}

// tellProblems shows what is wrong with the settings.
func (a *app) tellProblems(problems []config.Problem) {
	problems = slices.DeleteFunc(slices.Clone(problems), func(p config.Problem) bool { return p.Level < slog.LevelWarn })
	for _, p := range config.HintsOnce(slices.Compact(problems)) {
		a.complain(strings.TrimPrefix(p.Error(), "clined: "), p.Hint)
	}
}

// tellDamage says what was found damaged in what is stored, if anything was.
func (a *app) tellDamage(damage string) {
	if damage != "" {
		a.complain(damage, store.TroubleHint)
	}
}

// closeDaemon ends what the daemon holds, and tells what it found damaged.
func (a *app) closeDaemon(d *daemon.Daemon) {
	a.tellDamage(d.Damage())
	d.Close()
}

// openStore returns the store of a state folder; done closes it, and tells what was
// found damaged.
func (a *app) openStore(dir string) (st *store.Store, done func()) {
	st = store.Open(dir, store.Options{})
	return st, func() {
		a.tellDamage(st.Trouble())
		_ = st.Close() // what was written is on disk
	}
}

// newDaemon makes a daemon, and tells what is wrong with the settings.
func (a *app) newDaemon(o daemon.Options) (*daemon.Daemon, error) {
	d, problems, err := daemon.New(o)
	if err != nil {
		return nil, err
	}
	a.tellProblems(problems)
	return d, nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"clined/internal/config"
	"clined/internal/protocol"
	"clined/internal/sandbox"
	"clined/internal/secret"
	"clined/internal/store"
)

func (d *doctor) version(context.Context) []finding {
	text := "clined " + version()
	if c := commit(); c != "" {
		text += " (" + c + ")"
	}
	return []finding{{"version", good, fmt.Sprintf("%s, protocol %d, %s %s/%s", text, protocol.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH), ""}}
}

// folders tries to write where clined writes.
func (d *doctor) folders(context.Context) (found []finding) {
	for _, folder := range []struct{ name, path, what string }{
		{"config", d.dirs.Config, "settings cannot be changed and keys not be stored"},
		{"state", d.dirs.State, "tasks cannot be kept"},
	} {
		f := finding{folder.name, good, folder.path, ""}
		if err := tryWriting(folder.path); err != nil {
			f.State, f.Text = failure, fmt.Sprintf("%s cannot be written: %s; %s", folder.path, cause(err), folder.what)
			f.Hint = "see to its permissions and the space on its disk, or set CLINED_HOME to another folder"
		} else if free, ok := freeSpace(folder.path); ok && free < lowSpace {
			f.State, f.Text, f.Hint = warning, fmt.Sprintf("%s: only %d MB are free on its disk", folder.path, free>>20), "make room: tasks are kept there"
		}
		found = append(found, f)
	}
	return found
}

// lowSpace is how much free space is told of, in bytes.
const lowSpace = 200 << 20

func tryWriting(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".clined-")
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// cause is the error without the path, which is told already.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// settingsFiles tells which files there are and what is wrong with them, or with
// other sources of settings.
func (d *doctor) settingsFiles(context.Context) (found []finding) {
	for i, path := range (config.Sources{Roots: []string{d.cwd}}).Files(d.dirs) {
		name := []string{"settings", "workspace"}[min(i, 1)]
		if i > 0 {
			if real, err := filepath.EvalSymlinks(d.cwd); err == nil {
				path = config.WorkspaceFile(real)
			}
		}
		switch _, err := os.Stat(path); {
		case err == nil:
			found = append(found, d.problemsOf(name, path)...)
		case i == 0:
			found = append(found, finding{name, good, path + ": not there, the defaults hold", "to set something: clined config set model ID"})
		}
	}
	for _, p := range d.problems {
		if !slices.ContainsFunc(found, func(f finding) bool { return f.Text == p.Error() }) {
			found = append(found, aboutSetting("settings", p))
		}
	}
	return found
}

func (d *doctor) problemsOf(name, path string) (found []finding) {
	here := slices.DeleteFunc(slices.Clone(d.problems), func(p config.Problem) bool { return p.Source != path })
	for _, p := range config.HintsOnce(here) {
		found = append(found, aboutSetting(name, p))
	}
	if len(found) == 0 {
		found = append(found, finding{name, good, path, ""})
	}
	return found
}

func aboutSetting(name string, p config.Problem) finding {
	f := finding{name, failure, p.Error(), p.Hint}
	if p.Level < slog.LevelError {
		f.State = warning
	}
	return f
}

// database opens the store.
func (d *doctor) database(ctx context.Context) []finding {
	path := filepath.Join(d.dirs.State, "clined.db")
	err := d.store.Blocked()
	if _, missing := os.Stat(path); err == nil && errors.Is(missing, fs.ErrNotExist) {
		return []finding{{"tasks", good, "none yet", ""}}
	}
	tasks := 0
	if err == nil {
		tasks, err = countTasks(ctx, d.store)
	}
	if err != nil {
		f := finding{"tasks", failure, err.Error(), "see to the permissions of " + path}
		var p *store.Problem
		if errors.As(err, &p) {
			f.Hint = cmp.Or(p.Hint, f.Hint)
		}
		return []finding{f}
	}
	text := fmt.Sprintf("%d in %s", tasks, path)
	if free, ok := freeSpace(d.dirs.State); ok {
		text += fmt.Sprintf(", %d MB free", free>>20)
	}
	if trouble := d.store.Trouble(); trouble != "" {
		return []finding{{"tasks", warning, text + "; " + trouble, "what could be read was kept"}}
	}
	if aside := d.store.Aside(); len(aside) > 0 {
		text += "; earlier it was damaged: what could be read was brought over, the damaged file is " + strings.Join(aside, " and ")
		return []finding{{"tasks", warning, text, "delete it when you miss nothing"}}
	}
	return []finding{{"tasks", good, text, ""}}
}

func countTasks(ctx context.Context, st *store.Store) (n int, err error) {
	for cursor := ""; ; {
		list, next, err := st.List(ctx, store.Query{Cursor: cursor, Limit: 500})
		if err != nil {
			return 0, err
		}
		if n += len(list); next == "" {
			return n, nil
		}
		cursor = next
	}
}

// keyring tells where keys are stored. It asks no keyring: that may want a
// password for nothing.
func (d *doctor) keyring(context.Context) []finding {
	st, err := d.secrets.Status()
	f := finding{"keys", good, "stored in the keyring of the system", ""}
	stored := 0
	for _, a := range st.Accounts {
		if a.Where == secret.InFile {
			stored++
		}
	}
	if st.NoKeyring != "" || stored > 0 {
		f.Text = "stored in " + st.File
		if st.NoKeyring != "" {
			f.Text += ": " + st.NoKeyring
		}
	}
	f.Text += fmt.Sprintf("; %d now", len(st.Accounts))
	switch {
	case err != nil:
		f.State, f.Text, f.Hint = failure, err.Error(), "clined auth login writes a new one"
	case st.Open:
		f.State, f.Text, f.Hint = failure, st.File+" may be read by others", "chmod 600 "+st.File+", and renew the keys in it"
	}
	return []finding{f}
}

// shell looks for the shell that commands run in.
func (d *doctor) shell(context.Context) []finding {
	name := cmp.Or(d.settings.Shell, os.Getenv("SHELL"), "/bin/sh")
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return []finding{{"shell", good, path, ""}}
	case d.settings.Shell == "":
		return []finding{{"shell", warning, fmt.Sprintf("%q of SHELL is not there; /bin/sh is used", name), `set "shell" in the settings`}}
	}
	return []finding{{"shell", failure, fmt.Sprintf("%q was not found: commands cannot run", name), "correct it: clined config set shell /bin/sh"}}
}

// sandbox says what holds commands.
func (d *doctor) sandbox(context.Context) []finding {
	set := d.settings.Sandbox
	if set.Mode == "off" {
		return []finding{{"sandbox", good, "off, as sandbox.mode says: commands may write wherever you may", ""}}
	}
	have := sandbox.Available()
	if have.Files && (set.Network || have.Namespaces) {
		text := have.String()
		if !set.Network {
			text += ", without network"
		}
		return []finding{{"sandbox", good, text, ""}}
	}
	if set.Mode == "required" {
		return []finding{{"sandbox", failure, have.String() + "; commands are refused", `set "sandbox.mode" to "auto" to run them with what there is`}}
	}
	return []finding{{"sandbox", warning, have.String() + "; commands may write wherever you may", ""}}
}

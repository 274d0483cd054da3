package workspace

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"clined/internal/tools"
)

// Keys are not read even by who may read everything.
func TestSecretFiles(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "config/secrets.json", "KEY", "config/settings.json", "{}", "ws/x", "")
	link(t, "../config/secrets.json", filepath.Join(dir, "ws", "link"))
	link(t, "/proc/self/environ", filepath.Join(dir, "ws", "env"))
	w := New(Options{Roots: []string{filepath.Join(dir, "ws")}, Secrets: []string{filepath.Join(dir, "config", "secrets.json")}})
	me := strconv.Itoa(os.Getpid())
	for _, path := range []string{
		dir + "/config/secrets.json", "../config/secrets.json", "link", "env", "/proc/self/environ", "/proc/" + me + "/environ", "/proc/" + me + "/mem", "/proc/thread-self/environ",
		"/proc/self/task/" + me + "/environ", "/proc/self/root/proc/self/environ", "/proc/self/cwd/../../../../../../../../../../proc/self/environ",
	} {
		if p, err := w.Resolve(path); err == nil || !p.Ignored || !strings.Contains(err.Error(), "keys") {
			t.Errorf("%q: %+v, %v", path, p, err)
		}
	}
	for _, path := range []string{dir + "/config/settings.json", "/proc/cpuinfo", "/proc/1/environ", "/proc/self/status", "x"} {
		if _, err := w.Resolve(path); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	if p := resolve(t, w, "/proc/self/root"+dir+"/ws/x"); p.Real != dir+"/ws/x" || p.Outside {
		t.Errorf("through the process: %+v", p)
	}
}

// Who searches or lists a folder finds nothing of the keys in it.
func TestSecretFilesAreNotFound(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "config/secrets.json", "KEY", "config/settings.json", "KEY of none", "ws/x", "")
	link(t, "../config/secrets.json", filepath.Join(dir, "ws", "link"))
	w := New(Options{Roots: []string{filepath.Join(dir, "ws")}, Secrets: []string{filepath.Join(dir, "config", "secrets.json")}})
	for _, top := range []string{dir, filepath.Join(dir, "config"), filepath.Join(dir, "ws")} {
		r, err := w.Tree().Search(t.Context(), resolve(t, w, top), "KEY", "", tools.SearchLimits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Files {
			if !strings.HasSuffix(f.Path, "settings.json") {
				t.Errorf("in %s: %+v", top, f)
			}
		}
		entries, _, err := w.Tree().List(t.Context(), resolve(t, w, top), true, 0)
		if text := strings.Join(entries, " "); err != nil || strings.Contains(text, "secrets") || strings.Contains(text, "link") {
			t.Errorf("in %s: %s, %v", top, text, err)
		}
	}
}

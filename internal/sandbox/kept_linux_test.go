package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is hidden or kept deep in a writable folder stays so for the next
// command, whatever this one does with the folders above it.
func TestKeptInTheWorkspace(t *testing.T) {
	for _, network := range []bool{true, false} {
		p := newPlace(t)
		own := filepath.Join(p.ws, ".config/clined")
		if err := os.MkdirAll(filepath.Join(own, "rules"), 0o777); err != nil {
			t.Fatal(err)
		}
		keys, settings := filepath.Join(own, "secrets.json"), filepath.Join(own, "settings.json")
		write(t, keys, "CANARY")
		write(t, settings, "{}")
		plan := p.plan()
		plan.Network, plan.Hidden, plan.Kept = network, []string{keys}, []string{own, filepath.Join(p.ws, "missing")}
		for _, line := range []string{
			"mv .config c", "mv .config/clined c", "rm -rf .config 2> /dev/null; test ! -e " + settings, "rmdir .config/clined/rules",
			"mkdir c && mv -T .config c", "mkdir -p c/clined && $PROBE rename c .config",
			"echo x > " + settings, "cd .config/clined && echo x > settings.json", "echo x > .config/clined/new", "ln .config/clined/settings.json l",
			"umount .config/clined && echo x > " + settings, "umount -l .config && echo x > " + settings, "mount -o remount,rw,bind .config/clined && echo x > " + settings,
			"unshare -Urm sh -c 'umount -l " + own + "; echo x > " + settings + "'",
			"grep CANARY " + keys, "mv .config c; grep CANARY c/clined/secrets.json",
		} {
			out, exit := sh(t, plan, line)
			if exit == 0 || strings.Contains(out, setupFailed) || strings.Contains(out, "CANARY") {
				t.Errorf("network %t: %s: exit %d: %s", network, line, exit, out)
			}
			if got := read(t, settings); got != "{}" || read(t, keys) != "CANARY" {
				t.Fatalf("network %t: %s: the settings are %q", network, line, got)
			}
		}
		for _, line := range []string{
			"cat .config/clined/settings.json && ls .config/clined/rules",
			"echo x > .config/other && mv .config/other other && mv other .config/third && rm .config/third",
			"mkdir .config/d && echo x > .config/d/f && mv .config/d .config/e && rm -r .config/e",
			"git init -q . && git add .config/clined/settings.json && git status",
		} {
			if out, exit := sh(t, plan, line); exit != 0 {
				t.Errorf("network %t: %s: exit %d: %s", network, line, exit, out)
			}
		}
		// A working folder there is not what lies below the mount.
		for _, dir := range []string{own, filepath.Dir(own)} {
			cmd := exec.Command("/bin/sh", "-c", "cat secrets.json clined/secrets.json; echo x > settings.json || echo x > clined/settings.json")
			cmd.Dir = dir
			if dir != own {
				cmd.Args[2] = "cat clined/secrets.json; echo x > clined/settings.json"
			}
			out, exit := start(t, here(), cmd, plan)
			if exit == 0 || strings.Contains(out, "CANARY") || strings.Contains(out, setupFailed) || read(t, settings) != "{}" {
				t.Errorf("network %t: in %s: exit %d: %s", network, dir, exit, out)
			}
			if why := Refusal(exit, out, Plan{Workspace: plan.Workspace, Kept: plan.Kept, Network: true, Dir: dir}); !strings.Contains(why, "does not let commands write") {
				t.Errorf("in %s: %s: %q", dir, out, why)
			}
		}
	}
}

// A working folder that is itself kept or hidden: a command that starts there.
func TestKeptWorkspaceItself(t *testing.T) {
	p := newPlace(t)
	write(t, filepath.Join(p.ws, "f"), "kept")
	plan := p.plan()
	plan.Kept = []string{p.ws}
	if out, exit := sh(t, plan, "cat f && echo x > f"); exit == 0 || !strings.HasPrefix(out, "kept") || read(t, filepath.Join(p.ws, "f")) != "kept" {
		t.Errorf("exit %d: %s", exit, out)
	}
}

func TestPinned(t *testing.T) {
	for _, c := range []struct{ covered, writable, want string }{
		{"/h/a/b/k", "/h", "/h/a /h/a/b"},
		{"/h/k", "/h", ""},
		{"/h", "/h", ""},
		{"/h/b/c/k /h/b/l /h/a/k", "/h", "/h/a /h/b /h/b/c"},
		{"/h/a/k", "/ /x", "/h /h/a"},
		{"/hh/a/k", "/h", ""},
		{"", "/h", ""},
	} {
		if got := pinned(strings.Fields(c.covered), strings.Fields(c.writable)); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q in %q: %q, want %q", c.covered, c.writable, got, c.want)
		}
	}
}

// What the daemon's parent left open is not handed on: it may be open for
// writing.
func TestOpenFilesAreNotInherited(t *testing.T) {
	p := newPlace(t)
	f, err := os.OpenFile(p.file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir, err := os.Open(p.outside)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	cmd := exec.Command("/bin/sh", "-c", "ls /proc/self/fd; echo x >&3; echo x > /proc/self/fd/4/new")
	cmd.Dir, cmd.ExtraFiles = p.ws, []*os.File{f, dir}
	out, exit := start(t, here(), cmd, p.plan())
	if exit == 0 || !strings.HasPrefix(out, "0\n1\n2\n3\n") || strings.HasPrefix(out, "0\n1\n2\n3\n4\n") || read(t, p.file) != "kept" {
		t.Errorf("exit %d: %s", exit, out) // 3 is what ls reads
	}
}

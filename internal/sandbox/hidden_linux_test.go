package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHidden(t *testing.T) {
	for _, network := range []bool{true, false} {
		p := newPlace(t)
		keys, other := filepath.Join(p.outside, "config/clined"), filepath.Join(p.outside, "config/other")
		for _, dir := range []string{keys, other} {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "file"), "CANARY in "+dir)
		}
		// A name that only begins alike is not hidden.
		write(t, keys+"2", "readable")
		if err := os.Symlink(keys, filepath.Join(p.outside, "link")); err != nil {
			t.Fatal(err)
		}
		plan := p.plan()
		plan.Network = network
		later := filepath.Join(p.outside, "later.json")
		plan.Hidden = []string{filepath.Join(p.outside, "link"), later, filepath.Join(p.outside, "no/such/path")}
		write(t, later, "CANARY")
		for _, line := range []string{
			"cat " + keys + "/file", "cat $OUT/link/file", "cat " + later, "cd $OUT/config/clined && cat file",
			"ln -s $OUT/config c && cat c/clined/file", "ln " + keys + "/file hard && cat hard", "mv " + keys + " got && cat got/file",
			"cat /proc/self/root" + keys + "/file", "exec 3< " + keys + "/file && cat <&3", "echo x > " + keys + "/file", "rm " + later,
			"unshare -Um cat " + keys + "/file",
		} {
			out, exit := sh(t, plan, line)
			if exit == 0 || strings.Contains(out, setupFailed) || strings.Contains(out, "CANARY") {
				t.Errorf("network %t: %s: exit %d: %s", network, line, exit, out)
			}
		}
		for _, line := range []string{
			"cat " + other + "/file " + keys + "2 $OUT/file /etc/passwd /proc/self/status /usr/bin/env > all",
			"ls / $OUT $OUT/config /home /usr/bin > list",
			"echo x > f && cat f && git init -q . && git status",
		} {
			if out, exit := sh(t, plan, line); exit != 0 {
				t.Errorf("network %t: %s: exit %d: %s", network, line, exit, out)
			}
		}
		// A file that is replaced, as settings are, stays hidden.
		if err := os.Rename(filepath.Join(other, "file"), filepath.Join(keys, "file")); err != nil {
			t.Fatal(err)
		}
		if out, exit := sh(t, plan, "cat "+keys+"/file"); exit == 0 || strings.Contains(out, "CANARY") {
			t.Errorf("network %t: exit %d: %s", network, exit, out)
		}
	}
}

// Landlock cannot take a folder out of one that it gave: it is covered.
func TestHiddenInTheWorkspace(t *testing.T) {
	for _, network := range []bool{true, false} {
		p := newPlace(t)
		keys, file := filepath.Join(p.ws, "config"), filepath.Join(p.ws, "secrets.json")
		if err := os.Mkdir(keys, 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(keys, "key"), "CANARY")
		write(t, file, "CANARY")
		plan := p.plan()
		plan.Network, plan.Hidden = network, []string{keys, file, filepath.Join(p.ws, "missing")}
		for _, line := range []string{
			"cat config/key", "grep -r CANARY .", "echo x > config/key", "echo x > config/new", "rm -rf config", "mv config c && cat c/key", "umount config && cat config/key",
			"mv secrets.json s", "rm secrets.json", "ln secrets.json s && grep CANARY s",
		} {
			out, exit := sh(t, plan, line)
			if exit == 0 || strings.Contains(out, setupFailed) || strings.Contains(out, "CANARY") {
				t.Errorf("network %t: %s: exit %d: %s", network, line, exit, out)
			}
		}
		if out, exit := sh(t, plan, "echo x > secrets.json; cat secrets.json; echo x > new && mkdir d && mv new d/"); exit != 0 || strings.Contains(out, "CANARY") {
			t.Errorf("network %t: exit %d: %s", network, exit, out)
		}
		if a, b := read(t, filepath.Join(keys, "key")), read(t, file); a != "CANARY" || b != "CANARY" {
			t.Errorf("network %t: what is hidden has %q and %q", network, a, b)
		}
		if entries, err := os.ReadDir(keys); err != nil || len(entries) != 1 {
			t.Errorf("network %t: the hidden folder has %v, %v", network, entries, err)
		}
	}
}

package sandbox

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each version of Landlock that kernels have holds what it can, and lets work
// what worked.
func TestVersions(t *testing.T) {
	newest := landlockABI()
	if newest < abiScope {
		t.Fatalf("this kernel has version %d of Landlock: run the tests on a newer one", newest)
	}
	for abi := 1; abi <= newest; abi++ {
		s := support(Support{Files: true, Whole: abi >= abiTruncate, Landlock: abi, Namespaces: true})
		run := func(p place, line string, hidden ...string) (string, int) {
			cmd := exec.Command("/bin/sh", "-c", line)
			cmd.Dir = p.ws
			cmd.Env = append(os.Environ(), "OUT="+p.outside, "FILE="+p.file, fmt.Sprint("ME=", os.Getpid()), probeEnv())
			plan := p.plan()
			plan.Required, plan.Hidden = false, hidden
			return start(t, s, cmd, plan)
		}
		for line, since := range map[string]int{
			"echo x >> $FILE":                   1,
			"echo x > $OUT/new":                 1,
			"rm $FILE":                          1,
			"ln $FILE hard && echo x > hard":    1,
			"$PROBE read /proc/$ME/environ":     1,
			"$PROBE rename $FILE got":           1,
			"$PROBE truncate $FILE":             abiTruncate,
			"$PROBE signal $ME":                 abiScope,
			"mknod dev c 1 3":                   1,
			"unshare -m mount --bind $OUT /mnt": 1,
		} {
			p := newPlace(t)
			out, exit := run(p, line)
			if held := exit != 0; held != (abi >= since) || strings.Contains(out, setupFailed) {
				t.Errorf("version %d: %s: exit %d: %s", abi, line, exit, out)
			}
		}
		for line, since := range map[string]int{
			"echo x > f && echo y >> f && mv f g && rm g && mkdir d": 1,
			"$PROBE terminal": 1,
			"mkdir a b && echo x > a/f && $PROBE rename a/f b/f": abiRefer,
		} {
			p := newPlace(t)
			if out, exit := run(p, line); (exit == 0) != (abi >= since) {
				t.Errorf("version %d: %s: exit %d: %s", abi, line, exit, out)
			}
		}
		p := newPlace(t)
		if out, exit := run(p, "cat $FILE", p.file); exit == 0 {
			t.Errorf("version %d: a hidden file is read: %s", abi, out)
		}
	}
	if r := rights(1) | rights(2) | rights(3) | rights(4); r&^rights(newest) != 0 || rights(99) != rights(abiIoctl) {
		t.Errorf("rights %x, %x", r, rights(99))
	}
}

// All of it holds for an ordinary user, too.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		return // they run so already
	}
	dir, err := os.MkdirTemp("/tmp", "clined-sandbox-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "test")
	copyProgram(t, os.Args[0], binary)
	cmd := exec.CommandContext(t.Context(), binary, "-test.run", "^(TestOutside|TestInside|TestProcesses|TestPrivileges|TestSame|TestParent|TestTerminal|TestNoNetwork|TestHidden|TestLinks|TestVersions)")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
	asNobody(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

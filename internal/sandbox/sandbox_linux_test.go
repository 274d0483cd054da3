package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// place is a workspace with a folder beside it that no plan allows. It does not
// lie in the system's temporary folder, which plans of the product allow.
type place struct{ ws, outside, file string }

func newPlace(t *testing.T) place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{ws: filepath.Join(base, "ws"), outside: filepath.Join(base, "outside")}
	p.file = filepath.Join(p.outside, "file")
	for _, dir := range []string{base, p.ws, p.outside} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, p.file, "kept")
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// plan allows the workspace and the network.
func (p place) plan() Plan {
	return Plan{Workspace: []string{p.ws}, Network: true, Required: true, Dir: p.ws}
}

// sh runs a line of the shell confined, in the workspace.
func sh(t *testing.T, p Plan, line string) (output string, exit int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Dir = p.Workspace[0]
	outside := filepath.Join(cmd.Dir, "../outside")
	cmd.Env = append(os.Environ(), "OUT="+outside, "FILE="+filepath.Join(outside, "file"), probeEnv())
	return start(t, here(), cmd, p)
}

func start(t *testing.T, s *Sandbox, cmd *exec.Cmd, p Plan) (output string, exit int) {
	t.Helper()
	if held, err := s.Wrap(cmd, p); err != nil || held == "" {
		t.Fatalf("Wrap: %q, %v", held, err)
	}
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

func TestOutsideIsNotWritten(t *testing.T) {
	for i, line := range []string{
		`echo x > $OUT/new`,
		`echo x >> $FILE`,
		`: > $FILE`,
		`truncate -s 0 $FILE`,
		`dd if=/dev/zero of=$FILE conv=notrunc count=1 2>/dev/null`,
		`rm $FILE`,
		`rm -rf $OUT`,
		`mkdir $OUT/d`,
		`rmdir $OUT/empty`,
		`mkfifo $OUT/pipe`,
		`ln -s /etc/passwd $OUT/link`,
		`ln $FILE $OUT/hard`,
		`ln $FILE hard && echo x > hard`,
		`mv $FILE $OUT/other`,
		`echo x > a && mv -T a $OUT/a && test ! -e a`,
		`mv -T $FILE b`,
		`ln -s $FILE l && echo x > l`,
		`ln -s $OUT d && echo x > d/new`,
		`ln -s ../outside d && echo x > d/file`,
		`echo x > ../outside/file`,
		`cd $OUT && echo x > file`,
		`cp /dev/null $FILE`,
		`echo x > /proc/self/root$FILE`,
		`echo x > /proc/self/cwd/../outside/file`,
		`exec 3< $FILE; echo x > /proc/self/fd/3`,
		`mount --bind $OUT . && echo x > file`,
		`unshare -Urm sh -c 'mount --bind $OUT . && echo x > file'`,
		`unshare -Ur sh -c 'echo x > $FILE'`,
		`setsid sh -c 'echo x > $FILE' < /dev/null`,
		`sh -c '(sh -c "echo x > $FILE")'`,
		`mknod dev c 1 3`,
		`echo x > /dev/kmsg`,
		`cat /proc/sys/kernel/hostname > /proc/sys/kernel/hostname`,
		`echo 0 > /proc/$PPID/oom_score_adj`,
		`for d in /sys/fs/cgroup/*; do mkdir $d/clined-test 2> /dev/null && exit 0; done; false`,
		`mknod dev b 254 0`,
		`chroot / sh -c 'echo x > $FILE'`,
		`$PROBE rename $FILE got`,
		`echo x > got && $PROBE rename got $OUT/got`,
		`$PROBE change $FILE`,
		`$PROBE truncate $FILE`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p := newPlace(t)
			empty := filepath.Join(p.outside, "empty")
			if err := os.Mkdir(empty, 0o777); err != nil {
				t.Fatal(err)
			}
			out, exit := sh(t, p.plan(), line)
			if exit == 0 || strings.Contains(out, setupFailed) || strings.Contains(out, "not found") {
				t.Errorf("%s: exit %d: %s", line, exit, out)
			}
			if got := read(t, p.file); got != "kept" {
				t.Errorf("%s: the file outside has %q", line, got)
			}
			if entries, err := os.ReadDir(p.outside); err != nil || len(entries) != 2 {
				t.Errorf("%s: outside has %v, %v", line, entries, err)
			}
		})
	}
}

func TestInsideIsWritten(t *testing.T) {
	for i, line := range []string{
		`echo x > new && echo y >> new && : > new`,
		`mkdir -p a/b && echo x > a/f && mv a/f a/b/f && rm -r a`,
		`mkdir a b && echo x > a/f && mv a/f b/ && ln b/f a/g && ln -s b l && cat l/f`,
		`mkfifo p && rm p`,
		`truncate -s 10 f && chmod 600 f && touch -d 2001-01-01 f`,
		`echo x > /dev/null 2> /dev/zero; exec 3<> /dev/ptmx`,
		`echo x > /dev/shm/clined-sandbox-$$ && rm /dev/shm/clined-sandbox-$$`,
		`cat /etc/passwd "$PWD/../outside/file" > got`,
		`$PROBE talk unix s`,
		`$PROBE talk unix @clined-sandbox-$$`,
		`$PROBE talk tcp 127.0.0.1:0`,
		`$PROBE terminal`,
		`echo x > /dev/stdout && echo y > /dev/stderr && (echo z > /dev/fd/3) 3>&1`,
		`sleep 100 & kill $! && ! wait $!`,
		`git init -q . && git config user.email a@example.com && git config user.name A && echo x > f && git add f && git commit -qm m && git gc -q && git checkout -qb other && git log --oneline`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p := newPlace(t)
			if out, exit := sh(t, p.plan(), "set -e; "+line); exit != 0 {
				t.Errorf("%s: exit %d: %s", line, exit, out)
			}
		})
	}
}

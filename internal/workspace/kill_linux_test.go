package workspace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/safefile"
	"clined/internal/tools"
)

// killDir names the folder in which a process writes until it is killed.
const killDir = "CLINED_TEST_KILL"

// killText is a text that shows what it is, and whether it is whole.
func killText(version int) string {
	return strings.Repeat(fmt.Sprintf("version %d\n", version), 20_000+version%7*30_000)
}

func isKillText(text string) bool {
	var version int
	_, err := fmt.Sscanf(text, "version %d\n", &version)
	return err == nil && text == killText(version)
}

// Whenever a process is killed while it writes, each file holds the old text or
// the new one; of files with several names that holds after the next start. SOAK
// asks for more kills.
func TestKilledWhileWriting(t *testing.T) {
	if dir := os.Getenv(killDir); dir != "" {
		writeForEver(t, dir)
		return
	}
	kills := 50
	if text := os.Getenv("SOAK"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = max(kills, n)
	}
	if testing.Short() {
		kills = 5
	}
	dir := realTemp(t)
	put(t, dir, "plain", killText(1), "linked", killText(1), "from", killText(1))
	if err := os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "twin")); err != nil {
		t.Fatal(err)
	}
	torn := 0
	for range kills {
		killAtRandom(t, dir)
		if !isKillText(onDisk(t, dir, "linked")) {
			torn++
		}
		checkPlain(t, dir)
		safefile.NewUnfinished(dir+".lists", slog.New(slog.DiscardHandler)).Sweep()
		checkPlain(t, dir)
		text := onDisk(t, dir, "linked")
		if !isKillText(text) || text != onDisk(t, dir, "twin") {
			t.Fatalf("the linked file holds %.100q and %d bytes", text, len(text))
		}
		entries, _ := os.ReadDir(dir)
		names := slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == "from" || e.Name() == "to" })
		if len(names) != 3 || len(entries) > 5 {
			t.Fatalf("left behind: %v", entries)
		}
		if left, err := os.ReadDir(dir + ".lists"); err != nil || len(left) > 0 {
			t.Fatalf("lists left: %v, %v", left, err)
		}
	}
	t.Logf("%d kills, %d of them within a write in place", kills, torn)
}

// checkPlain looks at the files that are whole without any next start.
func checkPlain(t *testing.T, dir string) {
	t.Helper()
	moved := 0
	for _, name := range []string{"plain", "from", "to"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case name != "plain" && errors.Is(err, fs.ErrNotExist):
		case err != nil || !isKillText(string(raw)):
			t.Fatalf("%s holds %.100q and %d bytes, %v", name, raw, len(raw), err)
		case name != "plain":
			moved++
		}
	}
	if moved == 0 {
		t.Fatal("a file that was moved is gone")
	}
}

// killAtRandom has a process write, and kills it at a random moment after its
// first write.
func killAtRandom(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWhileWriting$", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), killDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for line := ""; line != "begun\n" && err == nil; {
		line, err = lines.ReadString('\n')
	}
	if err == nil {
		<-time.After(time.Duration(rand.IntN(60_000)) * time.Microsecond)
	}
	_ = cmd.Process.Kill()
	rest, _ := io.ReadAll(lines)
	_ = cmd.Wait()
	if err != nil || strings.Contains(string(rest), "FAIL") {
		t.Fatalf("the writer ended by itself: %v\n%s", err, rest)
	}
}

// writeForEver writes all files again and again, until it is killed.
func writeForEver(t *testing.T, dir string) {
	u := safefile.NewUnfinished(dir+".lists", slog.New(slog.DiscardHandler))
	w := New(Options{Roots: []string{dir}, Unfinished: u})
	from, to := resolve(t, w, "from"), resolve(t, w, "to")
	if !exists(from.Real) {
		from, to = to, from
	} else if exists(to.Real) { // killed between the two: the new one is complete
		if err := w.Remove(t.Context(), read(t, w, from.Display)); err != nil {
			t.Fatal(err)
		}
		from, to = to, from
	}
	for n := rand.IntN(1000); ; n++ {
		for _, name := range []string{"plain", "linked", "linked"} {
			f := read(t, w, name)
			n++
			if _, err := w.Write(t.Context(), f, killText(n)); err != nil {
				t.Fatal(err)
			}
			fmt.Println("begun")
		}
		base := read(t, w, from.Display)
		if _, err := w.Move(t.Context(), &tools.File{Path: from, Text: base.Text, Exists: true}, to, killText(n)); err != nil {
			t.Fatal(err)
		}
		from, to = to, from
	}
}

// killer is a file whose process is killed within the n-th operation on it.
type killer struct {
	*os.File
	n int
}

func (k *killer) die() bool { k.n--; return k.n == 0 }

func (k *killer) WriteAt(p []byte, off int64) (int, error) {
	if k.die() {
		_, _ = k.File.WriteAt(p[:len(p)/2], off)
		kill()
	}
	return k.File.WriteAt(p, off)
}

func (k *killer) Truncate(size int64) error {
	if k.die() {
		kill()
	}
	return k.File.Truncate(size)
}

func (k *killer) Sync() error {
	if k.die() {
		kill()
	}
	return k.File.Sync()
}

func kill() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// Each step of a write in place is survived.
func TestKilledAtEachStepInPlace(t *testing.T) {
	const env, old = "CLINED_TEST_KILL_STEP", "some text that is old\n"
	texts := []string{"short", "just as long as some\n\n", "a text that is longer than the one that is there\n"}
	if step := os.Getenv(env); step != "" {
		var n, which int
		var dir string
		if _, err := fmt.Sscan(step, &n, &which, &dir); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		f, err := root.OpenFile("f", os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		w := New(Options{Roots: []string{dir}, Unfinished: safefile.NewUnfinished(dir+".lists", slog.New(slog.DiscardHandler))})
		t.Fatal(w.inPlace(&dirHandle{Root: root}, "f", &killer{f, n}, info, []byte(old), []byte(texts[which])))
	}
	torn := 0
	for which, text := range texts {
		for n := 1; n <= 4; n++ {
			dir := realTemp(t)
			put(t, dir, "f", old)
			cmd := exec.Command(os.Args[0], "-test.run=^TestKilledAtEachStepInPlace$")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %s", env, n, which, dir))
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("not killed: %v\n%s", err, out)
			}
			if got := onDisk(t, dir, "f"); got != old && got != text {
				torn++
			}
			safefile.NewUnfinished(dir+".lists", slog.New(slog.DiscardHandler)).Sweep()
			if got := onDisk(t, dir, "f"); got != old && got != text {
				t.Errorf("%q, step %d: holds %q", text, n, got)
			}
			if left, err := os.ReadDir(dir + ".lists"); err != nil || len(left) > 0 {
				t.Errorf("lists left: %v, %v", left, err)
			}
		}
	}
	if torn == 0 {
		t.Error("no kill came between")
	}
}

// On a disk that is full everything stays as it was.
func TestWriteOnSmallDisk(t *testing.T) {
	const env = "CLINED_TEST_SMALL_DISK"
	if dir := os.Getenv(env); dir != "" {
		onSmallDisk(t, dir)
		return
	}
	dir := realTemp(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriteOnSmallDisk$")
	cmd.Env = append(os.Environ(), env+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v; this test needs user name spaces\n%s", err, out)
	}
}

// onSmallDisk runs in a name space of its own.
func onSmallDisk(t *testing.T, dir string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Fatal(err)
	}
	old, large := strings.Repeat("old\n", 3000), strings.Repeat("larger\n", 7000)
	put(t, dir, "plain", old, "linked", old, "sub/moved", old)
	if err := os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "twin")); err != nil {
		t.Fatal(err)
	}
	u := safefile.NewUnfinished(filepath.Join(t.TempDir(), "lists"), slog.New(slog.DiscardHandler))
	defer u.Close()
	w := New(Options{Roots: []string{dir}, Unfinished: u})
	before := snapshot(t, dir)
	for name, change := range map[string]func() error{
		"plain": func() error { _, err := w.Write(t.Context(), read(t, w, "plain"), large); return err },
		"linked": func() error {
			_, err := w.Write(t.Context(), read(t, w, "linked"), large)
			return err
		},
		"new": func() error {
			_, err := w.Write(t.Context(), &tools.File{Path: resolve(t, w, "a/b/new")}, large)
			return err
		},
		"moved": func() error {
			_, err := w.Move(t.Context(), read(t, w, "sub/moved"), resolve(t, w, "c/d/moved"), large)
			return err
		},
	} {
		if err := change(); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "no space left") || strings.Contains(err.Error(), ".clined-") {
			t.Errorf("%s: %v", name, err)
		}
		if now := snapshot(t, dir); now != before {
			t.Errorf("%s: now\n%.2000s\nwas\n%.2000s", name, now, before)
		}
	}
	write(t, w, "plain", "old", "new")
	write(t, w, "linked", "old", "new")
	// A file that is mounted by itself cannot be renamed over.
	plain := filepath.Join(dir, "plain")
	if err := syscall.Mount(plain, plain, "", syscall.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	write(t, w, "plain", "new", "newer")
	if err := move(t, w, "sub/moved", "e/moved", plus); err != nil {
		t.Error(err)
	}
}

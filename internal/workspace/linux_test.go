//go:build linux

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/tools"

	"golang.org/x/sys/unix"
)

// asUser runs f with the file permissions of another user. The thread is not
// reused afterwards.
func asUser(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := syscall.Setfsuid(54321)
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestReadWithoutPermission(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "secret", "s", "closed/x", "x")
	for path, mode := range map[string]os.FileMode{"secret": 0o600, "closed": 0o700} {
		if err := os.Chmod(filepath.Join(dir, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	openUp(t, dir)
	w := New(Options{Roots: []string{dir}})
	asUser(t, func() {
		if _, err := w.Read(context.Background(), tools.Path{Display: "secret", Real: filepath.Join(dir, "secret")}); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("reading: %v", err)
		}
		if _, err := w.Resolve("closed/x/y"); err == nil || !strings.Contains(err.Error(), "cannot be told") {
			t.Errorf("resolving: %v", err)
		}
	})
}

// openUp lets everybody pass through a temporary directory.
func openUp(t *testing.T, dir string) {
	t.Helper()
	for d := dir; len(d) > len(os.TempDir()); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriteWithoutPermission(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "readonly", "old", "closed/mine", "old", "closed/theirs", "old", "closed/setuid", "old")
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Chown(at("closed/mine"), 54321, 0), os.Chown(at("closed/setuid"), 54321, 0),
		os.Chmod(at("readonly"), 0o444), os.Chmod(at("closed/setuid"), 0o755|os.ModeSetuid)); err != nil {
		t.Fatal(err)
	}
	openUp(t, dir)
	w := New(Options{Roots: []string{dir}})
	asUser(t, func() {
		ctx := context.Background()
		for name, says := range map[string]string{"readonly": "is read-only (-r--r--r--)", "closed/theirs": "permission denied"} {
			p, err := w.Resolve(name)
			if err != nil {
				t.Error(err)
			}
			f, err := w.Read(ctx, p)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := w.Write(ctx, f, "new"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", name, err)
			}
			if err := w.Remove(ctx, f); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("removing %s: %v", name, err)
			}
			if _, err := w.Move(ctx, f, tools.Path{Abs: at("new"), Real: at("new")}, "new"); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("moving %s: %v", name, err)
			}
		}
		for _, name := range []string{"closed/mine", "closed/setuid"} {
			p, _ := w.Resolve(name)
			if f, err := w.Read(ctx, p); err != nil {
				t.Error(err)
			} else if _, err := w.Write(ctx, f, "new"); err != nil {
				t.Errorf("own file in a folder that is not: %v", err)
			}
		}
		for _, name := range []string{"closed/sub/new", "closed/new"} {
			p, _ := w.Resolve(name)
			if _, err := w.Write(ctx, &tools.File{Path: p}, "new"); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("new file: %v", err)
			}
		}
	})
	for name, want := range map[string]string{"readonly": "old", "closed/mine": "new", "closed/setuid": "new", "closed/theirs": "old"} {
		if got := onDisk(t, dir, name); got != want {
			t.Errorf("%s holds %q", name, got)
		}
	}
	noLeftovers(t, at("closed"), "mine", "setuid", "theirs")
	if info, err := os.Stat(at("closed/setuid")); err != nil || info.Mode() != 0o755|os.ModeSetuid {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// A full disk is played by a limit on the size of files, in a process of its own.
func TestWriteOnFullDisk(t *testing.T) {
	const env = "CLINED_TEST_FULL_DISK"
	if dir := os.Getenv(env); dir != "" {
		fullDisk(t, dir)
		return
	}
	dir := realTemp(t)
	put(t, dir, "plain", "old\n", "h1", "old\n")
	if err := os.Link(filepath.Join(dir, "h1"), filepath.Join(dir, "h2")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriteOnFullDisk$", "-test.count=1")
	cmd.Env = append(os.Environ(), env+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"plain", "h1", "h2"} {
		if got := onDisk(t, dir, name); got != "old\n" {
			t.Errorf("%s holds %d bytes", name, len(got))
		}
	}
	noLeftovers(t, dir, "h1", "h2", "plain")
}

func fullDisk(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 64 << 10, Max: 64 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	for _, name := range []string{"plain", "h1", "d/new"} {
		p := resolve(t, w, name)
		f, err := w.Read(context.Background(), p)
		if errors.Is(err, fs.ErrNotExist) {
			f, err = &tools.File{Path: p}, nil
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(context.Background(), f, strings.Repeat("new\n", 32<<10)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// Special files that look like ordinary ones do not block for ever.
func TestReadOfWhatWaits(t *testing.T) {
	const endless = "/proc/kmsg"
	if _, err := os.ReadDir("/proc/self"); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{t.TempDir()}})
	p, err := w.Resolve(endless)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Read(t.Context(), p) // whatever it says, for who may not read it too
		w.Tree().Search(t.Context(), p, "x", "", tools.SearchLimits{})
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the reader waits for more")
	}
}

// A file of 5 GB costs little memory, wherever in it the window is.
func TestWindowOfSparseFile(t *testing.T) {
	dir := realTemp(t)
	f, err := os.Create(filepath.Join(dir, "huge.log"))
	if err != nil {
		t.Fatal(err)
	}
	const size = 5 << 30
	_, err = f.WriteString("first\n" + strings.Repeat("second ", 2000))
	if err := errors.Join(err, f.Truncate(size), f.Close()); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	p := resolve(t, w, "huge.log")
	before := peakMemory(t, true)
	if _, err := w.Read(t.Context(), p); !errors.Is(err, tools.ErrTooLarge) {
		t.Error(err)
	}
	for _, tc := range []struct {
		from tools.Place
		want string
		next tools.Place
	}{
		{tools.Place{Line: 1}, "first\n", tools.Place{Line: 2}},
		{tools.Place{Line: 2}, strings.Repeat("second ", 2000)[:10_000], tools.Place{Line: 2, Char: 10_000}},
		{tools.Place{Line: 2, Char: 60 << 20}, strings.Repeat("\x00", 10_000), tools.Place{Line: 2, Char: 60<<20 + 10_000}},
	} {
		win, err := w.Window(t.Context(), p, tc.from, 1, 10_000)
		if err != nil || win.Text != tc.want || win.Next != tc.next || win.Size != size {
			t.Errorf("%v: %.50q, next %v, %v", tc.from, win.Text, win.Next, err)
		}
	}
	if grown := peakMemory(t, false) - before; grown > 50<<20 {
		t.Errorf("the process grew by %d MB", grown>>20)
	}
}

// peakMemory returns the most bytes this process has had in memory, since it was
// last asked with reset.
func peakMemory(t *testing.T, reset bool) int {
	t.Helper()
	if reset {
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "VmHWM:")
	var kb int
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		t.Fatal(err)
	}
	return kb << 10
}

// Extended attributes stay, whatever way a file is written.
func TestWriteKeepsAttributes(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f", "old", "h1", "old")
	if err := os.Link(filepath.Join(dir, "h1"), filepath.Join(dir, "h2")); err != nil {
		t.Fatal(err)
	}
	w := New(Options{Roots: []string{dir}})
	get := func(name string) string {
		buf := make([]byte, 100)
		n, err := unix.Getxattr(filepath.Join(dir, name), "user.comment", buf)
		if err != nil {
			return err.Error()
		}
		return string(buf[:n])
	}
	for _, name := range []string{"f", "h1"} {
		if err := unix.Setxattr(filepath.Join(dir, name), "user.comment", []byte("mine"), 0); err != nil {
			t.Fatalf("%v; this test needs a file system with extended attributes for temporary files", err)
		}
		write(t, w, name, "old", "new")
		if got := get(name); got != "mine" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if err := move(t, w, "f", "g", plus); err != nil || get("g") != "mine" {
		t.Errorf("moved: %v, %q", err, get("g"))
	}
}

// What takes the place of a file between a look at it and its open blocks
// nobody.
func TestPipesThatTakeAFilesPlace(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f", "text\n")
	path := filepath.Join(dir, "f")
	w := New(Options{Roots: []string{dir}})
	p := resolve(t, w, "f")
	quit, done := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-quit:
				close(done)
				return
			default:
			}
			err := errors.Join(os.WriteFile(path+".new", []byte("text\n"), 0o644), syscall.Mkfifo(path+".pipe", 0o644),
				os.Rename(path+".pipe", path), os.Rename(path+".new", path))
			if err != nil {
				done <- err
				return
			}
		}
	}()
	reads, writes := 0, 0
	guard := time.Now().Add(2 * time.Minute)
	for i := 0; (i < 500 || reads == 0 || writes == 0) && time.Now().Before(guard); i++ {
		f, err := w.Read(t.Context(), p)
		if err != nil {
			continue
		}
		reads++
		if strings.TrimSpace(f.Text) != "text" {
			t.Errorf("read %q", f.Text)
		}
		if _, err := w.Write(t.Context(), f, "text\n\n"[:5+i%2]); err == nil {
			writes++
		}
	}
	close(quit)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if reads == 0 || writes == 0 {
		t.Errorf("%d reads and %d writes", reads, writes)
	}
}

// Files that say that they are empty, and are not, are read.
func TestReadOfProcessFiles(t *testing.T) {
	w := New(Options{Roots: []string{t.TempDir()}})
	f := read(t, w, "/proc/self/status")
	if !strings.HasPrefix(f.Text, "Name:") {
		t.Errorf("%.100q", f.Text)
	}
	win, err := w.Window(t.Context(), resolve(t, w, "/proc/self/status"), tools.Place{Line: 2}, 1, 100)
	if err != nil || !strings.Contains(win.Text, ":") || win.Next.Line != 3 {
		t.Errorf("%+v, %v", win, err)
	}
}

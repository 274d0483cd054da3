package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"clined/internal/tools"
)

// swapper puts a link to target in the place of at, and takes it away again,
// over and over until stopped.
func swapper(t *testing.T, at, target string) (stop func()) {
	t.Helper()
	away := at + ".away"
	insist := func(what func() error) {
		for n := 0; what() != nil; n++ { // a writer may have made a folder there
			if n == 1000 {
				t.Errorf("cannot swap: %v", what())
				return
			}
			os.RemoveAll(at)
		}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			default:
			}
			insist(func() error { return os.Rename(at, away) })
			insist(func() error { return os.Symlink(target, at) })
			os.Remove(at)
			insist(func() error { return os.Rename(away, at) })
			for range 200 { // let others get through now and then
				os.Lstat(at)
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// A link that takes the place of a folder or of the file between the
// check and the use never leads a read or a write out of the workspace.
func TestSwappedLinks(t *testing.T) {
	const tries = 500 // and more, until some of them got through
	for _, tc := range []struct {
		name    string
		swapped string // what a link takes the place of, below the root
		linkTo  string // below the top
	}{
		{"a folder", "d", "OUT"},
		{"a folder further up", "c", "OUTC"},
		{"the file", "d/f", "OUT/f"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "ws/d/f", "inside\n", "ws/c/d/f", "inside\n", "OUT/f", "SECRET\n", "OUTC/d/f", "SECRET\n")
			ws := filepath.Join(dir, "ws")
			path := "d/f"
			if tc.swapped == "c" {
				path = "c/d/f"
			}
			w := New(Options{Roots: []string{ws}})
			p := resolve(t, w, path)
			stop := swapper(t, filepath.Join(ws, tc.swapped), filepath.Join(dir, tc.linkTo))
			defer stop()
			reads, writes := 0, 0
			guard := time.Now().Add(2 * time.Minute)
			for i := 0; i < tries || reads == 0 || writes == 0; i++ {
				if time.Now().After(guard) {
					t.Fatalf("%d reads and %d writes of %d tries", reads, writes, i)
				}
				f, err := w.Read(context.Background(), p)
				if err != nil {
					continue
				}
				reads++
				if strings.Contains(f.Text, "SECRET") {
					t.Fatal("read a file outside")
				}
				if _, err := w.Write(context.Background(), f, fmt.Sprintf("inside %d\n", i)); err == nil {
					writes++
				}
				if q, err := w.Resolve(path); err == nil && !q.Outside {
					n := tools.Path{Display: "new", Abs: filepath.Join(filepath.Dir(q.Abs), "n"), Real: filepath.Join(filepath.Dir(q.Real), "n")}
					_, _ = w.Write(context.Background(), &tools.File{Path: n}, "new")
				}
			}
			for _, out := range []string{"OUT", "OUTC"} {
				for _, f := range []string{"f", "d/f"} {
					if b, err := os.ReadFile(filepath.Join(dir, out, f)); err == nil && string(b) != "SECRET\n" {
						t.Errorf("%s/%s was written: %q", out, f, b)
					}
				}
			}
			noLeftovers(t, filepath.Join(dir, "OUT"), "f")
			noLeftovers(t, filepath.Join(dir, "OUTC", "d"), "f")
		})
	}
}

// Neither does it lead a listing or a search out.
func TestSwappedLinksBelowASearch(t *testing.T) {
	for _, tc := range []struct{ name, swapped, linkTo string }{
		{"the folder itself", "d", "OUT"}, {"a folder below", "d/e", "OUT/e"}, {"a file", "d/e/f", "OUT/e/f"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := realTemp(t)
			put(t, dir, "ws/d/e/f", "inside\n", "OUT/e/f", "SECRET\n", "OUT/SECRET", "")
			ws := filepath.Join(dir, "ws")
			w := New(Options{Roots: []string{ws}})
			tree, p := w.Tree(), resolve(t, w, "d")
			stop := swapper(t, filepath.Join(ws, tc.swapped), filepath.Join(dir, tc.linkTo))
			defer stop()
			found := 0
			guard := time.Now().Add(2 * time.Minute)
			for i := 0; i < 300 || found == 0; i++ {
				if time.Now().After(guard) {
					t.Fatalf("%d of %d searches found something", found, i)
				}
				if r, err := tree.Search(t.Context(), p, "inside|SECRET", "", tools.SearchLimits{}); err == nil && len(r.Files) > 0 {
					found++
					if strings.Contains(fmt.Sprint(r.Files), "SECRET") {
						t.Fatalf("searched outside: %v", r.Files)
					}
				}
				if list, _, err := tree.List(t.Context(), p, true, 100); err == nil && strings.Contains(strings.Join(list, " "), "SECRET") {
					t.Fatalf("listed outside: %v", list)
				}
			}
		})
	}
}

// A reader beside a writer sees one whole text or the other, and no error.
func TestReadersSeeWholeTexts(t *testing.T) {
	dir := realTemp(t)
	texts := []string{strings.Repeat("a\n", 50_000), strings.Repeat("b\n", 30_000)}
	put(t, dir, "f", texts[0])
	w := New(Options{Roots: []string{dir}})
	p := resolve(t, w, "f")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				f, err := w.Read(context.Background(), p)
				if err != nil {
					t.Error(err)
					return
				}
				if f.Text != texts[0] && f.Text != texts[1] {
					t.Errorf("a torn text of %d bytes", len(f.Text))
					return
				}
			}
		})
	}
	for i := range 20 {
		f, err := w.Read(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(context.Background(), f, texts[(i+1)%2]); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

// Of many writes on the same base one succeeds.
func TestWritersDoNotLoseChanges(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f", "0")
	w := New(Options{Roots: []string{dir}})
	p := resolve(t, w, "f")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for added := 0; added < 10; {
				f, err := w.Read(context.Background(), p)
				if err != nil {
					t.Error(err)
					return
				}
				switch _, err := w.Write(context.Background(), f, f.Text+"+"); {
				case err == nil:
					added++
				case !errors.Is(err, tools.ErrChanged):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if got := onDisk(t, dir, "f"); got != "0"+strings.Repeat("+", 80) {
		t.Errorf("changes were lost: %q", got)
	}
}

func TestOverlayRace(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f", "v0")
	path := filepath.Join(dir, "f")
	w := New(Options{Roots: []string{dir}})
	p := resolve(t, w, "f")
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 200 {
			w.Open(path, "", 0, "v0")
			if err := w.Change(path, int32(i), fmt.Sprintf("v%d", i)); err != nil {
				t.Error(err)
			}
			w.SetState(State{Tabs: []Tab{{Path: path, Dirty: i%2 == 0}}})
			w.SetRoots([]string{dir})
			w.Saved(path)
			w.Close(path)
		}
	})
	for range 2 {
		wg.Go(func() {
			for range 300 {
				if f, err := w.Read(context.Background(), p); err != nil || f.Text[0] != 'v' {
					t.Errorf("%+v, %v", f, err)
				}
				w.Documents()
				w.State()
				if _, err := w.For("", nil).Resolve("f"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

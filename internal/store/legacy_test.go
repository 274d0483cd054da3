package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/transcript"
)

var _ tools.Spill = (*store.Legacy)(nil)

func openLegacy(t *testing.T, state string) *store.Legacy {
	t.Helper()
	task, err := store.OpenLegacy(state, "01890a5d-ac96-774b-bcce-b302099a8057")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { task.Close() })
	return task
}

func message(n int) transcript.Message {
	return transcript.Message{ID: fmt.Sprint("m", n), Role: transcript.User, Parts: []transcript.Part{
		transcript.TextPart(fmt.Sprintf("text <%d> & \u2028 \"quoted\"\n", n)),
		{Kind: transcript.ImagePart, Image: &transcript.Image{MediaType: "image/png", Data: []byte{0, 255, byte(n)}}},
	}}
}

func appendAll(t *testing.T, task *store.Legacy, from, to int) (want []transcript.Message) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := task.Append(t.Context(), message(n)); err != nil {
			t.Fatal(err)
		}
		want = append(want, message(n))
	}
	return want
}

func wantMessages(t *testing.T, task *store.Legacy, want []transcript.Message) {
	t.Helper()
	got, err := task.Messages()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("got %d messages %+v, want %d", len(got), got, len(want))
	}
}

func TestJournal(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	task := openLegacy(t, state)
	wantMessages(t, task, nil)
	if _, err := os.Stat(state); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was made before it was needed")
	}
	want := appendAll(t, task, 0, 3)
	wantMessages(t, task, want)
	// Another process goes on where the first ended.
	again := openLegacy(t, state)
	want = append(want, appendAll(t, again, 3, 5)...)
	wantMessages(t, again, want)

	raw, err := os.ReadFile(filepath.Join(task.Dir(), "transcript.jsonl"))
	if err != nil || strings.Count(string(raw), "\n") != 5 || !strings.Contains(string(raw), "<3> &") {
		t.Errorf("%v\n%s", err, raw)
	}
	if err := task.Close(); err != nil {
		t.Fatal(err)
	}
	if err := task.Append(t.Context(), message(9)); err == nil {
		t.Error("appended to a closed journal")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := again.Append(ctx, message(9)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLegacyModes(t *testing.T) {
	task := openLegacy(t, t.TempDir())
	appendAll(t, task, 0, 1)
	kept, err := task.Keep("c1", "x")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{
		filepath.Dir(task.Dir()): 0o700, task.Dir(): 0o700, filepath.Dir(kept): 0o700,
		kept: 0o600, filepath.Join(task.Dir(), "transcript.jsonl"): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, want %v (%v)", path, info.Mode().Perm(), want, err)
		}
	}
}

// B109: whatever a crash cut off, all complete messages before it are there,
// and the journal goes on.
func TestCutAnywhere(t *testing.T) {
	state := t.TempDir()
	task := openLegacy(t, state)
	want := appendAll(t, task, 0, 4)
	path := filepath.Join(task.Dir(), "transcript.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(whole); cut += 7 {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		left := want[:strings.Count(string(whole[:cut]), "\n")]
		task := openLegacy(t, state)
		wantMessages(t, task, left)
		more := appendAll(t, task, 7, 8)
		wantMessages(t, task, append(left[:len(left):len(left)], more...))
	}
}

func TestDamageIsToldAndKept(t *testing.T) {
	state := t.TempDir()
	task := openLegacy(t, state)
	want := appendAll(t, task, 0, 3)
	path := filepath.Join(task.Dir(), "transcript.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	damaged := lines[0] + "{\"id\": oops}\n" + lines[2]
	if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := openLegacy(t, state).Messages()
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "line 2") || !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("got %d messages, %v", len(got), err)
	}
	if now, _ := os.ReadFile(path); string(now) != damaged {
		t.Error("reading changed the journal")
	}
}

func TestLegacyAppendConcurrently(t *testing.T) {
	task := openLegacy(t, t.TempDir())
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			if err := task.Append(t.Context(), message(n)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, err := task.Messages(); err != nil || len(got) != 20 {
		t.Errorf("%d messages, %v", len(got), err)
	}
}

func TestLegacyKeep(t *testing.T) {
	task := openLegacy(t, t.TempDir())
	seen := map[string]bool{}
	long := strings.Repeat("x", 300)
	for _, id := range []string{"call_1", "call_1", "../../etc/passwd", "a/b", "a:b", "", ".", "..", long, long + "y", "名"} {
		path, err := task.Keep(id, "text of "+id)
		if err != nil {
			t.Fatalf("%q: %v", id, err)
		}
		if filepath.Dir(path) != filepath.Join(task.Dir(), "outputs") || seen[path] {
			t.Errorf("%q is kept in %s", id, path)
		}
		seen[path] = true
		if raw, err := os.ReadFile(path); err != nil || string(raw) != "text of "+id {
			t.Errorf("%s: %q, %v", path, raw, err)
		}
	}
	if path, _ := task.Keep("call_2", ""); filepath.Base(path) != "call_2.txt" {
		t.Errorf("a plain id is kept in %s", path)
	}
}

func TestLegacyRefusesOddIDs(t *testing.T) {
	for _, id := range []string{"", ".", "..", "a/b", "../x", "a\x00b", strings.Repeat("x", 200)} {
		if _, err := store.OpenLegacy(t.TempDir(), id); err == nil {
			t.Errorf("%q is taken for a task id", id)
		}
	}
}

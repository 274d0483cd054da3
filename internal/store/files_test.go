package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/store"
)

func imageFiles(t *testing.T, task *store.Task) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(task.Dir(), "images", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// breakImages removes the file of the first image and changes that of the others.
func breakImages(t *testing.T, task *store.Task, data ...string) {
	t.Helper()
	for n, text := range data {
		sum := sha256.Sum256([]byte(text))
		path := filepath.Join(task.Dir(), "images", hex.EncodeToString(sum[:]))
		err := os.Remove(path)
		if n > 0 {
			err = os.WriteFile(path, []byte("tw0"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestKeep(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
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

func TestOddIDs(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	for _, id := range []string{"", ".", "..", "a/b", "../x", "a\x00b", strings.Repeat("x", 200)} {
		if _, err := s.Create(t.Context(), store.New{ID: id}); err == nil {
			t.Errorf("%q is taken for a task id", id)
		}
		if err := s.Delete(t.Context(), id); err == nil {
			t.Errorf("%q was deleted", id)
		}
	}
}

func TestDelete(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	for _, id := range []string{"t1", "t2"} {
		task := create(t, s, id)
		begin(t, task, "turn")
		say(task, "m1", "hello")
		if _, err := task.Append(t.Context(), message(1), store.Notes{Title: "hello"}); err != nil {
			t.Fatal(err)
		}
		if err := task.End(t.Context(), "turn", "completed"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "t1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Info(t.Context(), "t1"); err == nil {
		t.Error("it is still there")
	}
	if _, err := os.Stat(filepath.Join(dir, "tasks", "t1")); !os.IsNotExist(err) {
		t.Error("its files are still there:", err)
	}
	if hits, err := s.Search(t.Context(), "hello", 0); err != nil || len(hits) != 2 || hits[0].Info.ID != "t2" {
		t.Errorf("%+v, %v", hits, err)
	}
	if h := load(t, s, "t2"); len(h.Messages) != 1 {
		t.Error("another task lost its message")
	}
	if err := s.Delete(t.Context(), "t1"); err == nil {
		t.Error("deleted twice")
	}
}

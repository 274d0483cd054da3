package store_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/store"
	"clined/internal/transcript"
)

// sizes are the messages that tasks of the benchmarks have.
var sizes = []int{10, 1_000, 5_000}

// talk makes a message of a few kilobytes, as tool results are.
func talk(n int) transcript.Message {
	return text(fmt.Sprint("m", n), fmt.Sprintf("message %d: ", n)+strings.Repeat("the quick brown fox jumps over the lazy dog. ", 60))
}

// filled is a store with a task of so many messages and items, at turn.
func filled(b *testing.B, messages int) (*store.Store, *store.Task, string) {
	b.Helper()
	dir := b.TempDir()
	s := store.Open(dir, store.Options{})
	b.Cleanup(func() { _ = s.Close() })
	task, err := s.Create(b.Context(), store.New{ID: "t1", Cwd: "/w"})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := task.Begin(b.Context(), "turn"); err != nil {
		b.Fatal(err)
	}
	for n := range messages {
		say(task, fmt.Sprint("m", n), fmt.Sprintf("message %d about foxes and dogs", n))
		if _, err := task.Append(b.Context(), talk(n), store.Notes{}); err != nil {
			b.Fatal(err)
		}
	}
	return s, task, dir
}

func BenchmarkAppend(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			_, task, _ := filled(b, size)
			for n := 0; b.Loop(); n++ {
				say(task, fmt.Sprint("n", n), "a few words")
				if _, err := task.Append(b.Context(), talk(n), store.Notes{Standing: []byte(`{"a":1}`), Totals: []byte(`{"tokensIn":5}`)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen is what an editor waits for that shows an old task.
func BenchmarkOpen(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s, _, _ := filled(b, size)
			for b.Loop() {
				task, err := s.Task(b.Context(), "t1")
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Info(b.Context(), "t1"); err != nil {
					b.Fatal(err)
				}
				if items, _, err := task.Items(b.Context(), store.ItemQuery{Limit: 100}); err != nil || len(items) != min(size, 100) {
					b.Fatal(len(items), err)
				}
				if err := task.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			_, task, _ := filled(b, size)
			for b.Loop() {
				if h, err := task.Load(b.Context()); err != nil || len(h.Messages) != size {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTurn(b *testing.B) {
	_, task, _ := filled(b, 10)
	if err := task.End(b.Context(), "turn", "completed"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := task.Begin(b.Context(), "turn"); err != nil {
			b.Fatal(err)
		}
		if err := task.End(b.Context(), "turn", "completed"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSync(b *testing.B) {
	_, task, _ := filled(b, 10)
	for n := 0; b.Loop(); n++ {
		say(task, fmt.Sprint("n", n), "a few words")
		if err := task.Sync(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNextSeq(b *testing.B) {
	_, task, _ := filled(b, 10)
	for b.Loop() {
		task.NextSeq()
	}
}

// manyTasks fills a folder.
func manyTasks(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	s := store.Open(dir, store.Options{})
	for n := range n {
		task, err := s.Create(b.Context(), store.New{ID: fmt.Sprint("t", n), Cwd: fmt.Sprint("/w", n%7)})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := task.Begin(b.Context(), "turn"); err != nil {
			b.Fatal(err)
		}
		say(task, "m1", "hello")
		if _, err := task.Append(b.Context(), talk(n), store.Notes{Title: fmt.Sprint("Task ", n)}); err != nil {
			b.Fatal(err)
		}
		if err := task.End(b.Context(), "turn", "completed"); err != nil {
			b.Fatal(err)
		}
		if err := task.Close(); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

func BenchmarkList(b *testing.B) {
	s := store.Open(manyTasks(b, 1000), store.Options{})
	b.Cleanup(func() { _ = s.Close() })
	for _, q := range []store.Query{{}, {Limit: 1000}, {Cwds: []string{"/w3"}}, {Text: "hel"}} {
		b.Run(fmt.Sprintf("%+v", q), func(b *testing.B) {
			for b.Loop() {
				if list, _, err := s.List(b.Context(), q); err != nil || len(list) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFirstUse opens the folder, as a process does once.
func BenchmarkFirstUse(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := manyTasks(b, n)
			for b.Loop() {
				s := store.Open(dir, store.Options{})
				if _, err := s.Info(b.Context(), "t0"); err != nil {
					b.Fatal(err)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFsync is what any write to this disk costs at least.
func BenchmarkFsync(b *testing.B) {
	f, err := os.OpenFile(filepath.Join(b.TempDir(), "f"), os.O_CREATE|os.O_RDWR, fs.FileMode(0o600))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.Close() })
	for b.Loop() {
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

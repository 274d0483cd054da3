package store_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/store"
	"clined/internal/transcript"
)

// A row whose body is no message ends what is loaded, and stays as it is.
func TestDamagedRow(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	for n := range 5 {
		add(t, task, message(n))
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "clined.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE messages SET body = '{"id": oops' WHERE id = 'm3'`); err != nil {
		t.Fatal(err)
	}
	h, err := task.Load(t.Context())
	if err != nil || ids(h.Messages) != "m0 m1 m2" || !strings.Contains(h.Damage, "number 4") {
		t.Fatalf("%q, %q, %v", ids(h.Messages), h.Damage, err)
	}
	add(t, task, message(7))
	if h := load(t, s, "t1"); ids(h.Messages) != "m0 m1 m2 m7" || h.Damage != "" {
		t.Errorf("%q, %q", ids(h.Messages), h.Damage)
	}
	var kept int
	if err := db.QueryRow("SELECT count(*) FROM messages").Scan(&kept); err != nil || kept != 6 {
		t.Errorf("%d rows are kept, %v", kept, err)
	}
}

// A flipped bit that leaves JSON behind ends what is loaded as well: what comes
// back is a transcript that a model can be sent, with the last calls open at most.
func TestDamagedWords(t *testing.T) {
	calls := func(id, call string) transcript.Message {
		return transcript.Message{ID: id, Role: transcript.Assistant, Parts: []transcript.Part{
			{Kind: transcript.CallPart, Call: &transcript.Call{ID: call, Name: "list_files"}}}}
	}
	results := func(id, call string) transcript.Message {
		return transcript.Message{ID: id, Role: transcript.Tool, Parts: []transcript.Part{
			{Kind: transcript.ResultPart, Result: &transcript.Result{CallID: call, Name: "list_files", Text: "a.txt"}}}}
	}
	all := []transcript.Message{text("m0", "list"), calls("m1", "k0"), results("m2", "k0"), calls("m3", "k1"), results("m4", "k1")}
	for _, c := range []struct{ name, in, from, to, left string }{
		{"kind", "m2", `"kind":"result"`, `"kind":"resul|"`, "m0 m1"},
		{"field", "m2", `"result":{`, `"resul|":{`, "m0 m1"},
		{"role", "m1", "assistant", "assistent", "m0"},
		{"first role", "m0", `"user"`, `"uses"`, ""},
		{"id of a call", "m3", "k1", "k9", "m0 m1 m2 m3"},
		{"id of a result", "m4", "k1", "k9", "m0 m1 m2 m3"},
		{"id used before", "m3", "k1", "k0", "m0 m1 m2"},
		{"parts", "m1", `"parts"`, `"pards"`, "m0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir, store.Options{})
			task := create(t, s, "t1")
			begin(t, task, "turn")
			for _, m := range all {
				add(t, task, m)
			}
			if n := change(t, dir, "UPDATE messages SET body = replace(body, ?, ?) WHERE id = ? AND instr(body, ?)", c.from, c.to, c.in, c.from); n != 1 {
				t.Fatalf("%d rows were changed", n)
			}
			h, err := task.Load(t.Context())
			if err != nil || ids(h.Messages) != c.left || !strings.Contains(h.Damage, "cannot be read") {
				t.Fatalf("%q, %q, %v", ids(h.Messages), h.Damage, err)
			}
			if _, err := transcript.Sound(h.Messages); err != nil {
				t.Error(err)
			}
			next := text("m9", "more")
			if n := len(h.Messages); n > 0 && len(h.Messages[n-1].Calls()) > 0 {
				next = results("m9", h.Messages[n-1].Calls()[0].ID)
			}
			add(t, task, next)
			if h := load(t, s, "t1"); ids(h.Messages) != strings.TrimSpace(c.left+" m9") || h.Damage != "" {
				t.Errorf("%q, %q", ids(h.Messages), h.Damage)
			}
		})
	}
}

// change runs a statement on the database of a folder, as damage does.
func change(t *testing.T, dir, query string, args ...any) (rows int64) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "clined.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := db.Exec(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ = r.RowsAffected()
	return rows
}

// Two processes meet the same damage: one recovers, none loses what the other
// wrote.
func TestDamageSeenByTwo(t *testing.T) {
	_, closed := state(t)
	db := bytes.Clone(closed["clined.db"])
	dir := lay(t, map[string][]byte{"clined.db": db[:len(db)/2]})
	var stores []*store.Store
	for n := range 2 {
		stores = append(stores, openStore(t, dir, store.Options{Process: store.Process{BootID: "b", PID: n + 1, Start: "s"}}))
	}
	done := make(chan error)
	for n, s := range stores {
		go func() {
			task, err := s.Create(t.Context(), store.New{ID: fmt.Sprint("new-", n)})
			if err == nil {
				_, err = task.Begin(t.Context(), "turn")
			}
			if err == nil {
				_, err = task.Append(t.Context(), message(n), store.Notes{})
			}
			done <- err
		}()
	}
	for range stores {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for n, s := range stores {
		for k := range stores {
			if h := load(t, s, fmt.Sprint("new-", k)); len(h.Messages) != 1 {
				t.Errorf("store %d lost the task of store %d", n, k)
			}
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, "clined.db.damaged-*")); len(kept) == 0 {
		t.Error("nothing was kept")
	}
}

// The numbers of events do not come again after a recovery.
func TestNumbersAfterDamage(t *testing.T) {
	_, closed := state(t)
	db := closed["clined.db"]
	dir := lay(t, map[string][]byte{"clined.db": db[:len(db)-4096]})
	s := openStore(t, dir, store.Options{})
	task, err := s.Task(t.Context(), "task-0")
	if err != nil {
		t.Fatal(err)
	}
	if n := task.NextSeq(); n <= 4096 {
		t.Errorf("the next number is %d", n)
	}
	task.Record(store.Item{Key: "notice:1", Seq: task.NextSeq(), Time: time.UnixMilli(1), Event: event.Notice{Text: "x"}})
	if err := task.Sync(t.Context()); err != nil {
		t.Error(err)
	}
}

// Whatever bit of the version number is flipped: the tables tell which it is.
func TestDamagedVersion(t *testing.T) {
	_, closed := state(t)
	step := 1
	if testing.Short() || slow {
		step = 5
	}
	for bit := 0; bit < 32; bit += step {
		db := bytes.Clone(closed["clined.db"])
		db[60+bit/8] ^= 1 << (bit % 8)
		dir := lay(t, map[string][]byte{"clined.db": db})
		o := open(t, dir)
		if !strings.Contains(o.trouble, "version number") {
			t.Errorf("bit %d: told: %q", bit, o.trouble)
		}
		if o.trouble = ""; o != whole {
			t.Errorf("bit %d: %+v", bit, o)
		}
		if kept, _ := filepath.Glob(filepath.Join(dir, "clined.db.damaged-*[0-9]")); len(kept) != 1 {
			t.Errorf("bit %d: %q is kept", bit, kept)
		}
	}
}

// The number is damaged under a process that writes: nothing is lost.
func TestVersionDamagedWhileRunning(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	add(t, task, text("m0", "0"))
	change(t, dir, "PRAGMA user_version = -7")
	add(t, task, text("m1", "1"))
	if h := load(t, s, "t1"); ids(h.Messages) != "m0 m1" || h.Damage != "" || !strings.Contains(s.Trouble(), "version number") {
		t.Errorf("%q, %q; %s", ids(h.Messages), h.Damage, s.Trouble())
	}
}

// Numbers and times that no clined wrote do no harm: events go on behind those
// that are stored, and what is kept can be written down.
func TestDamagedNumbers(t *testing.T) {
	for _, damage := range []string{
		"seq_last = 9223372036854775807", "seq_last = 9223372036854775000, seq_block = 9223372036854775000", "seq_block = 9223372036854775807",
		"seq_last = -5, seq_block = -9223372036854775808", "updated = 9223372036854775807, created = -9223372036854775808",
	} {
		t.Run(damage, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir, store.Options{})
			task := create(t, s, "t1")
			begin(t, task, "turn")
			last := say(task, "m0", "hello").Seq
			add(t, task, text("m0", "hello"))
			if err := task.End(t.Context(), "turn", "completed"); err != nil {
				t.Fatal(err)
			}
			change(t, dir, "UPDATE tasks SET "+damage)
			for range 2 { // what was written meanwhile is no worse
				again, err := s.Task(t.Context(), "t1")
				if err != nil {
					t.Fatal(err)
				}
				if n := again.LastSeq(); n < last || n > 1<<40 {
					t.Errorf("the last number is %d", n)
				}
				begin(t, again, "turn")
				for range 3 {
					i := say(again, "m1", "more")
					if i.Seq <= last || i.Seq > 1<<40 {
						t.Errorf("number %d comes behind %d", i.Seq, last)
					}
					last = i.Seq
				}
				if err := again.End(t.Context(), "turn", "completed"); err != nil {
					t.Fatal(err)
				}
			}
			for _, format := range []string{"json", "markdown"} {
				var out bytes.Buffer
				if err := s.Export(t.Context(), "t1", format, &out); err != nil || !strings.Contains(out.String(), "hello") {
					t.Errorf("%s: %v", format, err)
				}
			}
			change(t, dir, "UPDATE tasks SET "+damage)
			change(t, dir, "PRAGMA user_version = -1") // all is brought over
			if _, err := s.AddRule(t.Context(), store.Rule{Scope: "user", Text: []byte("1")}); err != nil {
				t.Fatal(err)
			}
			again, err := s.Task(t.Context(), "t1")
			if err != nil {
				t.Fatal(err)
			}
			begin(t, again, "turn")
			if n := again.NextSeq(); n <= last || n > 1<<40 {
				t.Errorf("after a recovery number %d comes behind %d", n, last)
			}
		})
	}
}

// An event whose number is damaged is shown, and draws nobody away from those to come.
func TestDamagedEventNumber(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	say(task, "m0", "hello")
	say(task, "m1", "more")
	if err := task.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	change(t, dir, "UPDATE items SET seq = 9223372036854775807, first = first + 4611686018427387904 WHERE key = 'message:m0'")
	items, _, err := task.Items(t.Context(), store.ItemQuery{})
	if err != nil || len(items) != 2 {
		t.Fatal(items, err)
	}
	for _, i := range items {
		if i.Seq > task.LastSeq() || i.First > 1<<52 {
			t.Errorf("%+v", i)
		}
	}
	page, before, err := task.Items(t.Context(), store.ItemQuery{Limit: 1})
	if err != nil || len(page) != 1 || page[0].Key != "message:m0" || before == 0 {
		t.Fatal(page, before, err)
	}
	page, before, err = task.Items(t.Context(), store.ItemQuery{Before: before, Limit: 1})
	if err != nil || len(page) != 1 || page[0].Key != "message:m1" || before != 0 {
		t.Error(page, before, err)
	}
}

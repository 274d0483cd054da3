package store_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/store"
)

// wasWritten is what the damaged store of these tests held.
const (
	damagedTasks    = 4
	damagedMessages = 20
)

// state makes a folder with tasks, and returns its files as they are on disk
// while the process lives (so with a -wal), and after its end.
func state(t *testing.T) (living, closed map[string][]byte) {
	t.Helper()
	dir := t.TempDir()
	s := store.Open(dir, store.Options{})
	var tasks []*store.Task
	for n := range damagedTasks {
		task := create(t, s, fmt.Sprint("task-", n))
		begin(t, task, "turn")
		tasks = append(tasks, task)
	}
	// The tasks' rows lie among each other.
	for n := range damagedMessages {
		for k, task := range tasks {
			say(task, fmt.Sprint("m", n), fmt.Sprintf("say %d of task %d", n, k))
			if _, err := task.Append(t.Context(), text(fmt.Sprint("m", n), strings.Repeat(fmt.Sprintf("%d/%d ", k, n), 200*(n%5))),
				store.Notes{Title: fmt.Sprint("Title ", k), System: "system", Totals: []byte(`{"n":1}`)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for n := range 20 {
		if _, err := s.AddRule(t.Context(), store.Rule{Scope: "user", Text: fmt.Appendf(nil, `{"rule":%d}`, n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Trust(t.Context(), "/w", "hash"); err != nil {
		t.Fatal(err)
	}
	living = files(t, dir)
	for _, task := range tasks {
		if err := task.End(t.Context(), "turn", "completed"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	closed = files(t, dir)
	if len(living["clined.db-wal"]) == 0 || len(closed["clined.db-wal"]) != 0 {
		t.Fatal("the -wal is not as these tests need it")
	}
	return living, closed
}

// rounds is how often something at random is tried.
func rounds(n int) int {
	if testing.Short() || slow {
		return n / 8
	}
	return n
}

func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range []string{"clined.db", "clined.db-wal", "clined.db-shm"} {
		if raw, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			all[name] = raw
		}
	}
	return all
}

func lay(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, raw := range files {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// outcome is what a store gives of damaged files.
type outcome struct {
	tasks, messages, items, rules int
	trouble                       string
}

// open reads everything there is, and checks that it is a true prefix of what
// was written, and that tasks can go on.
func open(t *testing.T, dir string) (o outcome) {
	t.Helper()
	// The process that wrote the files is another one, and gone.
	s := store.Open(dir, store.Options{Process: store.Process{BootID: "later", PID: 1, Start: "1"}})
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	// The first answer may come from before damage is met; the second not.
	for pass := range 2 {
		o = outcome{}
		list, _, err := s.List(t.Context(), store.Query{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		o.tasks = len(list)
		for _, info := range list {
			task, err := s.Task(t.Context(), info.ID)
			if err != nil {
				t.Fatal(err)
			}
			h, err := task.Load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for n, m := range h.Messages {
				if m.ID != fmt.Sprint("m", n) || !strings.HasSuffix(info.ID, m.Text()[:min(len(m.Text()), 1)]) && strings.HasPrefix(info.ID, "task-") {
					t.Fatalf("%s: message %d is %q", info.ID, n, m.ID)
				}
			}
			if got := len(h.Messages); got < damagedMessages && info.Messages > got && h.Damage == "" {
				t.Errorf("%s: %d of %d messages, and no word about it", info.ID, got, info.Messages)
			}
			o.messages += len(h.Messages)
			items, _, err := task.Items(t.Context(), store.ItemQuery{Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			o.items += len(items)
			if err := task.Close(); err != nil {
				t.Fatal(err)
			}
		}
		rules, err := s.AllRules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		o.rules = len(rules)
		if _, err := s.Search(t.Context(), "say", 10); err != nil {
			t.Fatal(err)
		}
		if list, _, err := s.List(t.Context(), store.Query{Limit: 1}); err != nil {
			t.Fatal(err)
		} else if len(list) == 1 && pass == 1 {
			goOn(t, s, list[0].ID)
		}
	}
	o.trouble = s.Trouble()
	return o
}

// goOn appends a message, sees it in its place, and takes it back.
func goOn(t *testing.T, s *store.Store, id string) {
	t.Helper()
	task, err := s.Task(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	before, err := task.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	begin(t, task, "later")
	add(t, task, text("more", "more"))
	after, err := task.Load(t.Context())
	if err != nil || ids(after.Messages) != strings.TrimSpace(ids(before.Messages)+" more") {
		t.Fatalf("%v: %q after %q", err, ids(after.Messages), ids(before.Messages))
	}
	if _, err := task.Rewind(t.Context(), "more"); err != nil {
		t.Fatal(err)
	}
	if err := task.End(t.Context(), "later", "completed"); err != nil {
		t.Fatal(err)
	}
	if err := task.Close(); err != nil {
		t.Fatal(err)
	}
}

var whole = outcome{tasks: damagedTasks, messages: damagedTasks * damagedMessages, items: damagedTasks * damagedMessages, rules: 20}

// readable counts the messages that SQLite reads of a damaged file without any
// art: what a recovery must bring over at the least, as far as they are a prefix.
func readableMessages(t *testing.T, files map[string][]byte) (n int) {
	t.Helper()
	dir := lay(t, files)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "clined.db")+"?_pragma=writable_schema(ON)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for k := 1; k <= damagedTasks; k++ {
		rows, err := db.Query("SELECT depth, body FROM messages NOT INDEXED WHERE task = ? ORDER BY n", k)
		if err != nil {
			continue
		}
		for depth := 0; rows.Next(); {
			var d int
			var body []byte
			if rows.Scan(&d, &body) != nil || d != depth+1 || !json.Valid(body) {
				break
			}
			depth, n = d, n+1
		}
		rows.Close()
	}
	return n
}

// The database cut at random places.
func TestCutAnywhere(t *testing.T) {
	living, closed := state(t)
	if o := open(t, lay(t, closed)); o != whole {
		t.Fatalf("an intact database gives %+v", o)
	}
	if o := open(t, lay(t, living)); o != whole {
		t.Fatalf("an intact database with -wal gives %+v", o)
	}
	rounds := rounds(200)
	random := rand.New(rand.NewPCG(1, 109))
	lost := 0
	for range rounds {
		cut := 1 + random.IntN(len(closed["clined.db"])-1)
		damaged := map[string][]byte{"clined.db": closed["clined.db"][:cut]}
		least := readableMessages(t, damaged)
		dir := lay(t, damaged)
		o := open(t, dir)
		if o.messages < least || o.trouble == "" {
			t.Errorf("cut at %d: %+v, but %d messages can be read", cut, o, least)
		}
		lost += whole.messages - o.messages
		kept, err := filepath.Glob(filepath.Join(dir, "clined.db.damaged-*"))
		if err != nil || len(kept) == 0 {
			t.Fatalf("cut at %d: nothing was kept", cut)
		}
		if raw, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(raw, damaged["clined.db"]) {
			t.Errorf("cut at %d: the damaged file was changed (%v)", cut, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "recover-*")); len(left) > 0 {
			t.Errorf("cut at %d: %v is left", cut, left)
		}
	}
	t.Logf("%d bytes; on average %d of %d messages were lost", len(closed["clined.db"]), lost/rounds, whole.messages)
}

func TestCutWal(t *testing.T) {
	living, _ := state(t)
	random := rand.New(rand.NewPCG(2, 109))
	wal := living["clined.db-wal"]
	for range rounds(40) {
		cut := random.IntN(len(wal))
		o := open(t, lay(t, map[string][]byte{"clined.db": living["clined.db"], "clined.db-wal": wal[:cut]}))
		// What is left of a -wal is a state of the past, and whole.
		if o.trouble != "" {
			t.Errorf("-wal cut at %d: %+v", cut, o)
		}
	}
	if o := open(t, lay(t, map[string][]byte{"clined.db": living["clined.db"]})); !strings.Contains(o.trouble, "was missing") {
		t.Errorf("without -wal: %+v", o)
	}
}

func TestDamages(t *testing.T) {
	living, closed := state(t)
	db, wal := closed["clined.db"], living["clined.db-wal"]
	over := func(raw []byte, at int, with []byte) []byte {
		raw = bytes.Clone(raw)
		copy(raw[at:], with)
		return raw
	}
	noise := make([]byte, 64<<10)
	random := rand.New(rand.NewPCG(3, 109))
	for n := range noise {
		noise[n] = byte(random.Uint32())
	}
	for _, c := range []struct {
		name  string
		files map[string][]byte
		least outcome
		words string
	}{
		{"empty", map[string][]byte{"clined.db": {}}, outcome{}, ""},
		{"empty, with -wal", map[string][]byte{"clined.db": {}, "clined.db-wal": wal}, outcome{tasks: 4, rules: 20}, "damaged"},
		{"missing, with -wal", map[string][]byte{"clined.db-wal": wal}, outcome{tasks: 4, rules: 20}, "damaged"},
		{"one byte", map[string][]byte{"clined.db": {0}}, outcome{}, "damaged"},
		{"noise", map[string][]byte{"clined.db": noise}, outcome{}, "damaged"},
		{"a text", map[string][]byte{"clined.db": bytes.Repeat([]byte("no database\n"), 999)}, outcome{}, "damaged"},
		{"header lost", map[string][]byte{"clined.db": over(db, 0, noise[:100])}, whole, "damaged"},
		{"first page lost", map[string][]byte{"clined.db": over(db, 0, noise[:4096])}, whole, "damaged"},
		{"first page lost, with -wal", map[string][]byte{"clined.db": over(living["clined.db"], 0, noise[:4096]), "clined.db-wal": wal}, whole, ""},
		{"last page lost", map[string][]byte{"clined.db": over(db, len(db)-4096, noise[:4096])}, outcome{tasks: 4, messages: 40}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := lay(t, c.files)
			o := open(t, dir)
			if !strings.Contains(o.trouble, c.words) || c.words == "" && c.least == whole && o.trouble != "" {
				t.Errorf("told: %q", o.trouble)
			}
			if o.tasks < c.least.tasks || o.messages < c.least.messages || o.items < c.least.items || o.rules < c.least.rules {
				t.Errorf("%+v, want %+v", o, c.least)
			}
		})
	}
}

// A young database is in its -wal alone: nothing is lost with the main file.
func TestYoungWithoutMainFile(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "task-0")
	begin(t, task, "turn")
	for n := range 5 {
		add(t, task, text(fmt.Sprint("m", n), "0"))
	}
	all := files(t, dir)
	for _, files := range []map[string][]byte{{"clined.db": {}, "clined.db-wal": all["clined.db-wal"]}, {"clined.db-wal": all["clined.db-wal"]}} {
		if o := open(t, lay(t, files)); o.tasks != 1 || o.messages != 5 || !strings.Contains(o.trouble, "damaged") {
			t.Errorf("%+v", o)
		}
	}
}

// Noise over single pages, at random: whatever can be read is brought over, and
// no message is wrong.
func TestNoiseOnPages(t *testing.T) {
	_, closed := state(t)
	random := rand.New(rand.NewPCG(4, 109))
	pages := len(closed["clined.db"]) / 4096
	for range rounds(60) {
		damaged := bytes.Clone(closed["clined.db"])
		page := random.IntN(pages)
		for n := range 4096 {
			damaged[page*4096+n] = byte(random.Uint32())
		}
		o := open(t, lay(t, map[string][]byte{"clined.db": damaged}))
		if o.tasks != damagedTasks {
			t.Errorf("page %d: %+v", page, o)
		}
	}
}

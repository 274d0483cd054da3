package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/store"
	"clined/internal/transcript"
)

func TestNumbersRiseAndNeverRepeat(t *testing.T) {
	dir := t.TempDir()
	seen := map[int64]bool{}
	var mu sync.Mutex
	take := func(task *store.Task, n int) (last int64) {
		for range n {
			number := task.NextSeq()
			mu.Lock()
			if seen[number] || number <= last {
				t.Errorf("number %d after %d, seen: %v", number, last, seen[number])
			}
			seen[number] = true
			mu.Unlock()
			last = number
		}
		return last
	}
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	if n := task.NextSeq(); n != 1 {
		t.Errorf("the first number is %d", n)
	}
	seen[1] = true
	begin(t, task, "turn")
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() { take(task, 3000) })
	}
	wg.Wait()
	highest := task.LastSeq()
	if highest > 64*3000+2*4096 {
		t.Errorf("the disk answers, and numbers leapt to %d", highest)
	}
	// Another process goes on, without the first one's end.
	other := openStore(t, dir, store.Options{Process: store.Process{BootID: "other"}})
	task2, err := other.Task(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	begin(t, task2, "turn2")
	if last := take(task2, 5000); last <= highest {
		t.Errorf("%d after %d", last, highest)
	}
	highest = task2.LastSeq()
	if err := task2.End(t.Context(), "turn2", "completed"); err != nil {
		t.Fatal(err)
	}
	// The first takes its task back: its numbers are behind the other's.
	begin(t, task, "turn3")
	if n := task.NextSeq(); n <= highest || seen[n] {
		t.Errorf("%d after %d", n, highest)
	}
}

func TestLastSeq(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	say(task, "m1", "x")
	said := say(task, "m2", "x")
	if task.LastSeq() != said.Seq {
		t.Errorf("last is %d, said %d", task.LastSeq(), said.Seq)
	}
	if err := task.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := openStore(t, dir, store.Options{}).Task(t.Context(), "t1")
	if err != nil || again.LastSeq() != said.Seq {
		t.Errorf("last is %d, said %d, %v", again.LastSeq(), said.Seq, err)
	}
}

func TestItemsReplaceAndPage(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	record := func(key string, e event.Event) store.Item {
		i := store.Item{Key: key, Seq: task.NextSeq(), TurnID: "turn", Time: time.UnixMilli(7).UTC(), Event: e}
		task.Record(i)
		return i
	}
	call := func(status event.Status) event.Event {
		return event.ToolCall{ToolCallID: "c", Name: "n", Status: status}
	}
	for n := range 10 {
		record(fmt.Sprint("message:m", n), event.Message{MessageID: fmt.Sprint("m", n), Role: "user"})
	}
	first := record("toolCall:c", call(event.Pending)).Seq
	usage := record("usage", event.Usage{Used: 1})
	record("", event.MessageDelta{Text: "not kept"})
	if err := task.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	record("toolCall:c", call(event.InProgress))
	last := record("toolCall:c", call(event.Done))
	moved := record("usage", event.Usage{Used: 2})
	get := func(q store.ItemQuery) ([]store.Item, int64) {
		t.Helper()
		items, before, err := task.Items(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return items, before
	}
	items, before := get(store.ItemQuery{})
	if len(items) != 12 || before != 0 {
		t.Fatalf("%d items, %v", len(items), before)
	}
	last.First, moved.First = first, moved.Seq
	if got := items[10:]; !reflect.DeepEqual(got, []store.Item{last, moved}) {
		t.Errorf("%+v", got)
	}
	if items, _ := get(store.ItemQuery{Since: usage.Seq}); len(items) != 2 || items[0].Key != "toolCall:c" || items[1].Key != "usage" {
		t.Errorf("since %d: %+v", usage.Seq, items)
	}
}

// What was recorded gets to the disk by itself.
func TestFlushedInTheBackground(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	say(task, "m1", "hello")
	reader := openStore(t, dir, store.Options{})
	for deadline := time.Now().Add(time.Minute); ; {
		if _, err := reader.Task(t.Context(), "t1"); err == nil {
			break
		} else if !errors.Is(err, store.ErrNotFound) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestCloseWritesWhatWaits(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	say(task, "m1", "hello")
	if err := task.Close(); err != nil {
		t.Fatal(err)
	}
	if err := task.Close(); err != nil {
		t.Error("closed twice:", err)
	}
	if _, err := task.Append(t.Context(), message(1), store.Notes{}); err == nil {
		t.Error("appended to a closed task")
	}
	if _, err := task.Begin(t.Context(), "turn"); err == nil {
		t.Error("began a turn of a closed task")
	}
	info, err := s.Info(t.Context(), "t1")
	if err != nil || info.State != store.Interrupted || info.TurnID != "turn" || info.Owner != nil {
		t.Errorf("%+v, %v", info, err)
	}
	hits, err := s.Search(t.Context(), "hello", 0)
	if err != nil || len(hits) != 1 {
		t.Errorf("%+v, %v", hits, err)
	}
}

func TestConcurrently(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for k := range 10 {
				say(task, fmt.Sprint("r", n, "-", k), "words")
				if err := task.Sync(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := task.Append(t.Context(), message(n), store.Notes{}); err != nil {
					t.Error(err)
				}
				if _, err := s.Info(t.Context(), "t1"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	h := load(t, s, "t1")
	items, _, err := task.Items(t.Context(), store.ItemQuery{Limit: 1000})
	if err != nil || len(h.Messages) != 80 || h.Version != 80 || len(items) != 80 {
		t.Errorf("%d messages, version %d, %d items, %v", len(h.Messages), h.Version, len(items), err)
	}
}

func TestRewind(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	for n := range 6 {
		say(task, fmt.Sprint("m", n), fmt.Sprintf("word%d", n))
		task.Record(store.Item{Key: "plan", Seq: task.NextSeq(), Event: event.Plan{}})
		add(t, task, text(fmt.Sprint("m", n), "x"))
	}
	state := func() string {
		t.Helper()
		h := load(t, s, "t1")
		info, err := s.Info(t.Context(), "t1")
		if err != nil || info.Messages != len(h.Messages) {
			t.Errorf("%d messages in lists, %d in fact, %v", info.Messages, len(h.Messages), err)
		}
		return ids(h.Messages) + " | " + strings.ReplaceAll(keysOf(t, task, store.ItemQuery{}), "message:", "")
	}
	if _, err := task.Rewind(t.Context(), "nowhere"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if v, err := task.Rewind(t.Context(), "m3"); err != nil || v != 7 {
		t.Fatal(v, err)
	}
	if got := state(); got != "m0 m1 m2 | m0 m1 m2 plan" {
		t.Error(got)
	}
	if _, err := task.Rewind(t.Context(), "m4"); !errors.Is(err, store.ErrNotFound) {
		t.Error("a message of an old branch:", err)
	}
	say(task, "m3b", "other")
	add(t, task, text("m3b", "x"))
	if got := state(); got != "m0 m1 m2 m3b | m0 m1 m2 plan m3b" {
		t.Error(got)
	}
	// What is shown no more is found no more.
	for words, want := range map[string]int{"word2": 1, "word4": 0, "other": 1} {
		if hits, err := s.Search(t.Context(), words, 0); err != nil || len(hits) != want {
			t.Errorf("%q: %+v, %v", words, hits, err)
		}
		if list, _, err := s.List(t.Context(), store.Query{Text: words}); err != nil || len(list) != want {
			t.Errorf("%q: %+v, %v", words, list, err)
		}
	}
	// A thing of the old branch may be told anew.
	say(task, "m4", "again")
	if got := state(); got != "m0 m1 m2 m3b | m0 m1 m2 plan m3b m4" {
		t.Error(got)
	}
	if _, err := task.Rewind(t.Context(), "m0"); err != nil {
		t.Fatal(err)
	}
	if got := state(); got != " | plan" {
		t.Error(got)
	}
	// Without an item, what was recorded behind the message before it goes.
	say(task, "first", "x")
	add(t, task, text("first", "x"))
	say(task, "shown", "x")
	add(t, task, text("silent", "x"))
	if _, err := task.Rewind(t.Context(), "silent"); err != nil {
		t.Fatal(err)
	}
	if got := state(); got != "first | plan first" {
		t.Error(got)
	}
}

func TestImages(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	image := func(data string) transcript.Image {
		return transcript.Image{MediaType: "image/png", Data: []byte(data)}
	}
	one, empty := image("one"), image("")
	messages := []transcript.Message{
		{ID: "u", Role: transcript.User, Parts: []transcript.Part{
			{Kind: transcript.ImagePart, Image: &one}, transcript.TextPart("look"), {Kind: transcript.ImagePart, Image: &empty},
		}},
		{ID: "a", Role: transcript.Assistant, Parts: []transcript.Part{{Kind: transcript.CallPart, Call: &transcript.Call{ID: "c", Name: "n"}}}},
		{ID: "t", Role: transcript.Tool, Parts: []transcript.Part{{Kind: transcript.ResultPart, Result: &transcript.Result{
			CallID: "c", Name: "n", Text: "text", Images: []transcript.Image{image("one"), image("two")},
		}}}},
	}
	for _, m := range messages {
		add(t, task, m)
	}
	if string(one.Data) != "one" || string(messages[2].Parts[0].Result.Images[1].Data) != "two" {
		t.Error("the caller's message was changed")
	}
	if h := load(t, s, "t1"); !reflect.DeepEqual(h.Messages, messages) {
		t.Errorf("%+v", h.Messages)
	}
	files := imageFiles(t, task)
	if len(files) != 3 {
		t.Errorf("%d files for three images", len(files))
	}
	breakImages(t, task, "one", "two")
	h := load(t, s, "t1")
	if h.Damage != "" || transcript.Validate(h.Messages) != nil || len(h.Messages) != 3 {
		t.Fatalf("%+v", h)
	}
	if p := h.Messages[0].Parts[0]; p.Kind != transcript.Text || !strings.Contains(p.Text, "image") {
		t.Errorf("%+v", p)
	}
	if r := h.Messages[2].Parts[0].Result; len(r.Images) != 0 || strings.Count(r.Text, "image") != 2 || !strings.HasPrefix(r.Text, "text\n") {
		t.Errorf("%+v", r)
	}
}

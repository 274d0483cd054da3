package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"clined/internal/event"
	"clined/internal/store"
)

// stream tells random things of a task, old ones again and again.
type stream struct {
	rng   *rand.Rand
	task  *store.Task
	known []string
}

// keysOf are the keys of a page, in its order.
func keysOf(t *testing.T, task *store.Task, q store.ItemQuery) string {
	t.Helper()
	items, _, err := task.Items(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, i := range items {
		keys = append(keys, i.Key)
	}
	return strings.Join(keys, " ")
}

func (s *stream) tell(key string, e event.Event) {
	s.task.Record(store.Item{Key: key, Seq: s.task.NextSeq(), TurnID: "turn", Event: e})
}

func (s *stream) step() {
	n := len(s.known)
	again := n > 0 && s.rng.IntN(2) == 0
	id := fmt.Sprint(n)
	if again {
		id = s.known[s.rng.IntN(n)]
	} else {
		s.known = append(s.known, id)
	}
	switch s.rng.IntN(10) {
	case 0:
		s.tell("plan", event.Plan{})
	case 1:
		s.tell("usage", event.Usage{})
	case 2:
		s.tell("state", event.State{State: event.Running})
	case 3:
		s.tell("end:"+id, event.State{State: event.Idle, StopReason: event.Completed})
	case 4:
		s.tell("message:"+id, event.Message{MessageID: id, Role: "user", Status: event.Pending})
	case 5:
		s.tell("message:"+id, event.Message{MessageID: id, Role: "user", Status: event.Done})
	case 6:
		s.tell("message:"+id, event.Message{MessageID: id, Role: "assistant", Status: event.Done})
	default:
		s.tell("toolCall:"+id, event.ToolCall{ToolCallID: id, Status: event.InProgress})
	}
}

// Who asks for each page with the number that came with the one behind it gets all
// there is, in order and once, however often old things were told again; also while
// such things are told between the pages.
func TestPages(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 6))
		task := create(t, s, fmt.Sprint("t", seed))
		told := &stream{rng: rng, task: task}
		for range 1 + rng.IntN(150) {
			told.step()
		}
		items := func(q store.ItemQuery) ([]store.Item, int64) {
			t.Helper()
			items, before, err := task.Items(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			return items, before
		}
		whole, before := items(store.ItemQuery{Limit: 10_000})
		if before != 0 {
			t.Errorf("seed %d: there is something in front of all", seed)
		}
		if !slices.IsSortedFunc(whole, func(a, b store.Item) int { return int(a.First - b.First) }) {
			t.Errorf("seed %d: not in order", seed)
		}
		limit, bytes, changes := 1+rng.IntN(12), rng.IntN(2)*rng.IntN(600), rng.IntN(2) == 0
		got, pages := map[string]int{}, 0
		var last int64
		for before = 0; ; pages++ {
			page, next := items(store.ItemQuery{Before: before, Limit: limit, Bytes: bytes})
			for _, i := range page {
				got[i.Key]++
				if before != 0 && i.First >= before || next != 0 && i.First < next && strings.Contains(i.Key, ":") && !strings.HasPrefix(i.Key, "end:") {
					t.Errorf("seed %d: %s at %d is on the page from %d before %d", seed, i.Key, i.First, next, before)
				}
			}
			if next == 0 {
				break
			}
			if last != 0 && next >= last || pages > 1000 {
				t.Fatalf("seed %d: page %d leads from %d to %d", seed, pages, last, next)
			}
			before, last = next, next
			for range 3 {
				if changes { // what has a place keeps it
					id := told.known[rng.IntN(len(told.known))]
					told.tell("toolCall:"+id, event.ToolCall{ToolCallID: id, Status: event.Done})
				}
			}
		}
		for _, i := range whole {
			// How the task stands is told first, wherever it stands among the others.
			if n := got[i.Key]; n != 1 && !(n == 2 && strings.HasPrefix(i.Key, "end:")) {
				t.Errorf("seed %d: %s was told %d times", seed, i.Key, n)
			}
		}
	}
}

// The newest page has what a task has once, however small it is and however long
// ago that was told, and how the task stands; also of a task that is asked what
// changed.
func TestWhatATaskHasOnce(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	told := &stream{task: task}
	for _, key := range event.Once() {
		told.tell(key, map[string]event.Event{
			"state": event.State{State: event.Running}, "plan": event.Plan{}, "usage": event.Usage{}, "config": event.Config{}, "info": event.Info{},
		}[key])
	}
	since := task.LastSeq()
	check := func(q store.ItemQuery, want string) {
		t.Helper()
		if got := keysOf(t, task, q); got != want {
			t.Errorf("%+v: got %s, want %s", q, got, want)
		}
	}
	told.tell("end:1", event.State{State: event.Idle})
	for n := range 3 {
		told.tell(fmt.Sprint("notice:", n), event.Notice{})
	}
	const newest = "notice:2"
	check(store.ItemQuery{Limit: 1}, "plan usage config info end:1 "+newest)
	check(store.ItemQuery{Limit: 1, Since: since}, "end:1 "+newest)
	check(store.ItemQuery{Limit: 9}, "plan usage config info end:1 notice:0 notice:1 notice:2")
	check(store.ItemQuery{Before: task.LastSeq(), Limit: 9}, "end:1 notice:0 notice:1")
	told.tell("state", event.State{State: event.Running})
	check(store.ItemQuery{Limit: 1}, "plan usage config info notice:2 state")
	told.tell("plan", event.Plan{})
	check(store.ItemQuery{Limit: 1, Since: task.LastSeq() - 1}, "plan")
}

// A page ends in front of what would make it larger than it may be, and has one item
// at least, whatever that one has.
func TestPagesOfSoManyBytes(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	start := task.LastSeq()
	for n, size := range []int{10, 5000, 300, 300, 300, 2000, 2000} {
		say(task, fmt.Sprint("m", n), strings.Repeat("x", size))
	}
	(&stream{task: task}).tell("plan", event.Plan{Entries: []event.PlanEntry{{Text: strings.Repeat("x", 3000)}}})
	for _, c := range []struct {
		bytes int
		want  string
	}{
		{0, "m0 m1 m2 m3 m4 m5 m6 plan"},
		{1, "m6 plan | m5 | m4 | m3 | m2 | m1 | m0"},
		{1500, "m6 plan | m5 | m2 m3 m4 | m1 | m0"},
		{4500, "m5 m6 plan | m2 m3 m4 | m1 | m0"},
		{5900, "m2 m3 m4 m5 m6 plan | m0 m1"},
		{1 << 20, "m0 m1 m2 m3 m4 m5 m6 plan"},
	} {
		for _, since := range []int64{0, start} {
			var pages []string
			for before := int64(0); ; {
				q := store.ItemQuery{Since: since, Before: before, Limit: 100, Bytes: c.bytes}
				pages = append(pages, strings.ReplaceAll(keysOf(t, task, q), "message:", ""))
				_, next, err := task.Items(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if before = next; before == 0 {
					break
				}
			}
			if got := strings.Join(pages, " | "); got != c.want {
				t.Errorf("%d bytes since %d: got %s, want %s", c.bytes, since, got, c.want)
			}
		}
	}
}

// An event that cannot be read does not hide those in front of it.
func TestPagesOfWhatIsDamaged(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, store.Options{})
	task := create(t, s, "t1")
	for n := range 6 {
		say(task, fmt.Sprint("m", n), "x")
	}
	if err := task.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	change(t, dir, "UPDATE items SET body = '{' WHERE key IN ('message:m2', 'message:m3')")
	var got []string
	before := int64(0)
	for range 10 {
		items, next, err := task.Items(t.Context(), store.ItemQuery{Before: before, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range slices.Backward(items) {
			got = append(got, i.Key)
		}
		if before = next; before == 0 {
			break
		}
	}
	if want := "message:m5 message:m4 message:m1 message:m0"; strings.Join(got, " ") != want {
		t.Errorf("got %v", got)
	}
}

// A prompt that waited stands where it was said: going back to it takes away its
// turn and what came after, and leaves what the turn showed that ran meanwhile.
func TestRewindToWhatWaited(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	told := &stream{task: task}
	prompt := func(id string, status event.Status) {
		told.tell("message:"+id, event.Message{MessageID: id, Role: "user", Status: status})
	}
	prompt("one", event.Done)
	add(t, task, text("one", "x"))
	prompt("two", event.Pending)
	prompt("three", event.Pending)
	told.tell("toolCall:c", event.ToolCall{ToolCallID: "c", Status: event.Done})
	add(t, task, text("answer", "x"))
	told.tell("end:1", event.State{State: event.Idle})
	prompt("two", event.Done)
	told.tell("notice:1", event.Notice{})
	add(t, task, text("two", "x"))
	told.tell("end:2", event.State{State: event.Idle})
	prompt("three", event.Done)
	prompt("along", event.Done)
	m := text("three", "x")
	m.Also = []string{"along"}
	add(t, task, m)
	if got, want := keysOf(t, task, store.ItemQuery{}), "message:one toolCall:c end:1 message:two notice:1 end:2 message:three message:along"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	back := func(id, want string) {
		t.Helper()
		if _, err := task.Rewind(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := keysOf(t, task, store.ItemQuery{}); got != want {
			t.Errorf("back to %s: got  %s\nwant %s", id, got, want)
		}
	}
	back("three", "message:one toolCall:c end:1 message:two notice:1 end:2")
	back("two", "message:one toolCall:c end:1")
	back("one", "")
	// What is carried by a message goes with it, in whatever order it was told.
	prompt("along", event.Done)
	told.tell("notice:2", event.Notice{})
	prompt("three", event.Done)
	add(t, task, m)
	back("three", "")
}

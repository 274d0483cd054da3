package store_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"clined/internal/event"
	"clined/internal/store"
)

func TestSearch(t *testing.T) {
	s := openStore(t, t.TempDir(), store.Options{})
	task := create(t, s, "t1")
	begin(t, task, "turn")
	for id, words := range map[string]string{
		"a": `Please fix the Größenänderung in read_file of "main.go"`,
		"b": "東京の天気を教えてください。サーバーは？",
		"c": "修复这个错误 now",
		"d": "날씨를 알려줘",
		"e": "C++ and c# at 100% <b>bold</b>",
		"f": "nul\x00inside " + strings.Repeat("long ", 100) + "needle " + strings.Repeat("tail ", 100),
	} {
		say(task, id, words)
	}
	record := func(id string, m event.Message) {
		task.Record(store.Item{Key: "message:" + id, Seq: task.NextSeq(), Event: m})
	}
	record("thought", event.Message{Role: "assistant", Status: event.Done, Content: []event.Content{{Type: "thought", Text: "secretthought"}}})
	record("partial", event.Message{Role: "assistant", Status: event.InProgress, Content: []event.Content{{Type: "text", Text: "halfword"}}})
	record("changed", event.Message{Role: "assistant", Status: event.Done, Content: []event.Content{{Type: "text", Text: "beforehand"}}})
	task.Record(store.Item{Key: "toolCall:x", Seq: task.NextSeq(), Event: event.ToolCall{Output: "outputword"}})
	if err := task.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	record("changed", event.Message{Role: "assistant", Status: event.Done, Content: []event.Content{{Type: "text", Text: "afterwards"}}})
	if _, err := task.Append(t.Context(), message(1), store.Notes{Title: "Old title"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Rename(t.Context(), "t1", "Weather report"); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"please": "a", "PLEASE fix": "a", "fix please": "a", "plea": "a", "lease": "", "größen": "a", "grossen": "", "grosen": "", "groß": "a",
		"read_file": "a", "main.go": "a", `"main.go"`: "a", "read file main": "a",
		"東京": "b", "天気": "b", "京": "b", "天気を教えて": "b", "東気": "", "サーバー": "b", "バー": "b",
		"错误": "c", "修复 now": "c", "날씨": "d", "날": "d", "알려": "d",
		"c++": "ce", "100%": "e", "bold": "e", "needle": "f", "inside": "f",
		"secretthought": "", "halfword": "", "outputword": "", "beforehand": "", "afterwards": "changed",
		"weather": "-", "weath rep": "-", "old": "",
		"": "", "  ": "", `"`: "", "AND": "e", "and": "e", "NOT fix": "", "a OR b": "", "text: fix": "", "fix*": "a", "(fix": "a", "fix)": "a",
		"NEAR(fix": "", "^fix": "a", "-fix": "a", "🙂": "", "{fix}": "a", "fix:": "a", "'": "", "\x00": "", "%": "", "\xff": "", "fix\x00": "a",
	} {
		hits, err := s.Search(t.Context(), query, 0)
		if err != nil {
			t.Errorf("%q: %v", query, err)
			continue
		}
		got := map[string]bool{}
		for _, h := range hits {
			id := h.MessageID
			if id == "" {
				id = "-"
			}
			got[id] = true
			if h.Info.ID != "t1" || h.Info.Title != "Weather report" || h.Snippet == "" || utf8.RuneCountInString(h.Snippet) > 170 {
				t.Errorf("%q: %+v", query, h)
			}
		}
		if want == "ce" { // a prefix of one letter finds much
			if !got["e"] {
				t.Errorf("%q: %v", query, got)
			}
			continue
		}
		if len(got) != min(len(want), 1) || want != "" && !got[want] {
			t.Errorf("%q finds %v, want %q", query, got, want)
		}
		list, _, err := s.List(t.Context(), store.Query{Text: query})
		if blank := strings.TrimSpace(query) == ""; err != nil || !blank && (len(list) == 1) != (want != "") {
			t.Errorf("%q: list %v, %v", query, list, err)
		}
	}
	hits, err := s.Search(t.Context(), "needle", 1)
	if err != nil || len(hits) != 1 || !strings.Contains(hits[0].Snippet, "needle") || !strings.HasPrefix(hits[0].Snippet, "…") {
		t.Errorf("%+v, %v", hits, err)
	}
}

// No text is an error, and the beginning of each word that was said is found.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"", "a", `"`, `a" OR "b`, "東京", "a*b", "NEAR(", "e\u0301", "\u1100\u1161", "ß", "İ", "ﬁ", "\U0001F600", "𝒜bc", "१२", "ا", "a\u200db", "\ufeffx"} {
		f.Add(seed)
	}
	s := store.Open(f.TempDir(), store.Options{})
	f.Cleanup(func() { _ = s.Close() })
	task, err := s.Create(f.Context(), store.New{ID: "t1"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, words string) {
		say(task, "m", "before "+words+" behind")
		if err := task.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Search(t.Context(), words, 3); err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		if _, _, err := s.List(t.Context(), store.Query{Text: words}); err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		for _, word := range strings.Fields(words) {
			if !plain(word) {
				continue
			}
			if hits, err := s.Search(t.Context(), word, 3); err != nil || len(hits) != 1 {
				t.Fatalf("%q in %q: %v, %v", word, words, hits, err)
			}
		}
	})
}

// plain words are those of which it is certain what the tokenizer makes.
func plain(word string) bool {
	for _, r := range word {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'Ａ' && r <= 'ｚ' || r >= 0x4e00 && r < 0x9f00) {
			return false
		}
	}
	return word != ""
}

func TestList(t *testing.T) {
	s, clock := clocked(t)
	for n := range 7 {
		task := create(t, s, fmt.Sprintf("0190-%c", 'a'+n))
		clock.tick()
		if n == 5 {
			clock.back() // two of the same time
		}
		begin(t, task, "turn")
		if err := task.End(t.Context(), "turn", "completed"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetFavorite(t.Context(), "0190-b", true); err != nil {
		t.Fatal(err)
	}
	page := func(q store.Query) (string, string) {
		t.Helper()
		list, next, err := s.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, i := range list {
			all = append(all, strings.TrimPrefix(i.ID, "0190-"))
		}
		return strings.Join(all, " "), next
	}
	const want = "g f e d c b a"
	if got, next := page(store.Query{}); got != want || next != "" {
		t.Errorf("%q, next %q", got, next)
	}
	for limit := 1; limit <= 8; limit++ {
		var all []string
		for cursor := ""; ; {
			got, next := page(store.Query{Cursor: cursor, Limit: limit})
			all = append(all, got)
			if cursor = next; cursor == "" {
				break
			}
		}
		if got := strings.Join(all, " "); got != want {
			t.Errorf("in pages of %d: %q", limit, got)
		}
	}
	if got, _ := page(store.Query{Cwds: []string{"/w/0190-c"}}); got != "c" {
		t.Error(got)
	}
	if got, _ := page(store.Query{Cwds: []string{"/w/0190-a", "/w", "/w/0190-c"}}); got != "c a" {
		t.Error(got)
	}
	if got, _ := page(store.Query{Favorite: true}); got != "b" {
		t.Error(got)
	}
	if got, _ := page(store.Query{Favorite: true, Cwds: []string{"/w/0190-c"}}); got != "" {
		t.Error(got)
	}
	if _, _, err := s.List(t.Context(), store.Query{Cursor: "x"}); err == nil {
		t.Error("a wrong cursor is taken")
	}
	for part, want := range map[string]string{"0190-a": "0190-a", "b": "0190-b", "-G": "0190-g", " 0190-c ": "0190-c"} {
		if id, err := s.FindID(t.Context(), part); err != nil || id != want {
			t.Errorf("%q is %q, %v", part, id, err)
		}
	}
	for part, words := range map[string]string{"0190": "0190-a", "": "not found", "%": "not found", "x": "not found", "0190-_": "not found"} {
		if id, err := s.FindID(t.Context(), part); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q is %q, %v", part, id, err)
		}
	}
}

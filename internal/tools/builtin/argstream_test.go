package builtin

import (
	"encoding/json"
	"strings"
	"testing"
)

// readAll reads args in pieces that end at each of the cuts.
func readAll(args string, cuts ...int) *argStream {
	s := &argStream{}
	for _, c := range append(cuts, len(args)) {
		s.grow(args[:c])
	}
	return s
}

func TestArgStream(t *testing.T) {
	for _, args := range []string{
		`{"path":"a.txt","content":"one\ntwo\n"}`,
		` { "path" : "a" , "n": -1.5e3, "list": ["x\"}",{"content":"no"}], "content" : "tab\t\u00e9\ud83d\ude00\\" } `,
		`{"content":"\ud83d","path":"\ude00\ud83dx\ud83d\u0041"}`,
		"{\"content\":\"caf\xc3\xa9 \xff\xc3 end\"}",
		`{"content":"","path":null,"b":true}`,
		`{"\u0070ath":"escaped key"}`,
		`{}`,
	} {
		var want map[string]any
		if err := json.Unmarshal([]byte(args), &want); err != nil {
			t.Fatal(err)
		}
		for cut := range len(args) {
			s := readAll(args, cut)
			for key, v := range want {
				wanted, isText := v.(string)
				got, whole, ok := s.text(key)
				if ok != isText || got != wanted || ok && !whole {
					t.Errorf("%q cut at %d: %s is %q, %v, %v; want %q", args, cut, key, got, whole, ok, wanted)
				}
			}
		}
	}
}

func TestArgStreamBreaksOff(t *testing.T) {
	for args, want := range map[string]string{
		`{"content":"one\n`: "one\n", `{"content":"one\`: "one", `{"content":"\ud83d\ude`: "", `{"content":"x\u00`: "x",
		`{"content":"x\q rest`: "x", `{"content":"x\u0g00`: "x", "{\"content\":\"x\xc3": "x", `["content","x"]`: "", `{"content" "x"`: "",
	} {
		if got, whole, _ := readAll(args).text("content"); got != want || whole {
			t.Errorf("%q: %q, %v", args, got, whole)
		}
	}
}

// However the arguments are cut, the texts are those of the whole, and what is
// told before is how they begin.
func FuzzArgStream(f *testing.F) {
	f.Add(`{"path":"a","content":"x\n\ud83d\ude00"}`, 12, 25)
	f.Add("{\"path\":\"\xff\xf0\x9f\",\"content\":\"\\u00e9\"}", 9, 10)
	f.Add(`{"a":[{"path":"no"}],"path":"yes"}`, 3, 7)
	f.Fuzz(func(t *testing.T, args string, a, b int) {
		a = max(0, min(a, len(args)))
		b = max(a, min(b, len(args)))
		whole := readAll(args)
		cut := &argStream{}
		for _, to := range []int{a, b} {
			cut.grow(args[:to])
			for key, text := range cut.texts {
				now := text.String()
				if final, _, ok := whole.text(key); strings.Count(args, key) == 1 && (!ok || !strings.HasPrefix(final, now)) {
					t.Errorf("%q to %d: %q of %q", args, to, now, final)
				}
			}
		}
		cut.grow(args)
		if len(cut.texts) != len(whole.texts) {
			t.Errorf("%q: %v, want %v", args, cut.texts, whole.texts)
		}
		for key := range whole.texts {
			got, gotAll, _ := cut.text(key)
			want, wantAll, _ := whole.text(key)
			if got != want || gotAll != wantAll {
				t.Errorf("%q cut at %d and %d: %s is %q, want %q", args, a, b, key, got, want)
			}
		}
		var object map[string]any
		if json.Unmarshal([]byte(args), &object) != nil {
			return
		}
		for key, v := range object {
			text, isText := v.(string)
			if got, all, ok := whole.text(key); isText && (!ok || !all || got != text) {
				t.Errorf("%q: %s is %q, want %q", args, key, got, text)
			}
		}
	})
}

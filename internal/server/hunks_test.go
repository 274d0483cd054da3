package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/tools"
)

func edit(name, op, base, proposed string) tools.FileEdit {
	return tools.FileEdit{Path: tools.Path{Display: name, Abs: "/w/" + name}, Op: op, Base: base, Proposed: proposed}
}

func filesOf(edits []tools.FileEdit) []protocol.SubjectEdit {
	return subject(&tools.Subject{Edits: edits}).Files
}

// numbers are the lines 0 and up, with others between them.
func numbers(between string) string {
	var b strings.Builder
	for i := range maxHunks + 1 {
		fmt.Fprintf(&b, "%d\n%s\n", i, between)
	}
	return b.String()
}

func TestWireHunks(t *testing.T) {
	for _, c := range []struct {
		name string
		edit tools.FileEdit
		want string
	}{
		{"lines", edit("a", "modify", "1\n2\n3\n4\n5\n", "one\n2\n3\n4\nfive\nsix\n"), "2.1 0-1>0-1 2.2 4-5>4-6"},
		{"CRLF counts no line more", edit("a", "modify", "1\r\n2\r\n", "1\r\n2\n3\r\n"), "2.1 2-2>2-3"},
		{"only line ends", edit("a", "modify", "1\r\n2\n", "1\n2\n"), "2.1 0-0>0-0"},
		{"removed and added", edit("a", "modify", "1\n2\n3\n", "2\n3\n4\n"), "2.1 0-1>0-0 2.2 3-3>2-3"},
		{"a new file is one", edit("a", "create", "", "1\n\n2\n"), "2.1 0-1>0-4"},
		{"an empty one", edit("a", "create", "", ""), "2.1 0-1>0-1"},
		{"a removed file is one", edit("a", "delete", "1\n\n2\n", ""), "2.1 0-4>0-1"},
		{"moved", edit("a", "rename", "1\n", "1\n"), "2.1 0-0>0-0"},
		{"all over", edit("a", "modify", numbers("x"), numbers("y")), "2.1 0-2003>0-2003"},
		{"moved and changed", edit("a", "rename", "1\n2\n3\n", "1\n2\nx\n"), "2.1 2-3>2-3"},
	} {
		var got []string
		for _, h := range wireHunks(1, c.edit) {
			got = append(got, fmt.Sprintf("%s %d-%d>%d-%d", h.ID, h.StartLine, h.EndLine, h.NewStartLine, h.NewEndLine))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestTakeHunks(t *testing.T) {
	const base = "1\n2\n3\n4\n5\n6\n7\n"
	const proposed = "one\n2\n3\n4\nfive\n6\nseven\n"
	one := []tools.FileEdit{edit("a", "modify", base, proposed)}
	two := append(one, edit("b", "modify", "x\r\ny\r\nz\r\n", "X\r\ny\r\nZ\r\n"), edit("c", "create", "", "new\n"))
	type texts = map[string]string
	for _, c := range []struct {
		name   string
		edits  []tools.FileEdit
		edited texts
		ids    string // JSON
		want   texts
		hunks  string
		err    string
	}{
		{"left out is all", one, nil, `null`, nil, "map[]", ""},
		{"all", one, nil, `["1.3","1.1","1.2"]`, nil, "map[]", ""},
		{"some, one twice", one, nil, `["1.3","1.1","1.1"]`, texts{"/w/a": "one\n2\n3\n4\n5\n6\nseven\n"}, "map[/w/a:{2 3}]", ""},
		{"of one file of several", two, nil, `["2.2"]`, texts{"/w/b": "x\ny\nZ\n"}, "map[/w/a:{0 3} /w/b:{1 2} /w/c:{0 1}]", ""},
		{"all of a file", two, nil, `["3.1","2.1","2.2"]`, nil, "map[/w/a:{0 3}]", ""},
		{"altered and taken", one, texts{"/w/a": "one\n2\n3\n4\nFIVE!\n6\nseven\n"}, `["1.2"]`, texts{"/w/a": "1\n2\n3\n4\nFIVE!\n6\n7\n"}, "map[/w/a:{1 3}]", ""},
		{"altered and left", one, texts{"/w/a": "one\n2\n3\n4\nFIVE!\n6\nseven\n"}, `["1.1"]`, texts{"/w/a": "one\n2\n3\n4\n5\n6\n7\n"}, "map[/w/a:{1 3}]", ""},
		{"beside a hunk", one, texts{"/w/a": "one\n2\nTHREE\n4\nfive\n6\nseven\n"}, `["1.1"]`, texts{"/w/a": "one\n2\nTHREE\n4\n5\n6\n7\n"}, "map[/w/a:{1 3}]", ""},
		{"altered, with CRLF", two, texts{"/w/b": "X\ny and me\nZ\n"}, `["2.1"]`, texts{"/w/b": "X\ny and me\nz\n"}, "map[/w/a:{0 3} /w/b:{1 2} /w/c:{0 1}]", ""},
		{"altered, in a file that stays", two, texts{"/w/b": "mine\n"}, `["3.1"]`, texts{}, "map[/w/a:{0 3} /w/b:{0 2}]", ""},
		{"altered, all taken", one, texts{"/w/a": "mine\n"}, `["1.1","1.2","1.3"]`, texts{"/w/a": "mine\n"}, "map[]", ""},
		{"none", one, nil, `[]`, nil, "map[]", "hunks are none: reject the edit"},
		{"unknown", one, nil, `["1.1","1.4"]`, nil, "", `hunks "1.4" is none of them`},
		{"of another file", one, nil, `["2.1"]`, nil, "", `hunks "2.1" is none of them`},
		{"no id", one, nil, `[""]`, nil, "", `hunks "" is none of them`},
		{"joined", one, texts{"/w/a": "all in\nother\nplace\n"}, `["1.1"]`, nil, "", "hunks a: your change"},
		{"of no edit", nil, nil, `["1.1"]`, nil, "map[]", "no file is edited"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out protocol.ApprovalOutcome
			if err := json.Unmarshal([]byte(`{"hunks":`+c.ids+`}`), &out); err != nil {
				t.Fatal(err)
			}
			a := approval.Answer{Allowed: true, Edited: maps.Clone(c.edited)}
			err := takeHunks(&a, c.edits, filesOf(c.edits), out.Hunks)
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Fatalf("err = %v", err)
			}
			if err != nil {
				return
			}
			if fmt.Sprint(a.Edited) != fmt.Sprint(c.want) || fmt.Sprint(a.Hunks) != c.hunks {
				t.Errorf("%q, %v", a.Edited, a.Hunks)
			}
		})
	}
	if err := takeHunks(&approval.Answer{}, one, filesOf(one), []string{"1.1"}); err == nil || !strings.Contains(err.Error(), "rejection") {
		t.Errorf("with a no: %v", err)
	}
}

// Of any change of any files: what is taken is there, what is left is as it was,
// and lines that no hunk has are never touched.
func TestTakeHunksProperty(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	lines := func() (list []string) {
		for range rnd.IntN(12) {
			list = append(list, string(rune('a'+rnd.IntN(5)))+"\n")
		}
		return list
	}
	for range 3000 {
		var edits []tools.FileEdit
		for i := range 1 + rnd.IntN(3) {
			base := lines()
			next := slices.Clone(base)
			for range rnd.IntN(4) {
				at := rnd.IntN(len(next) + 1)
				next = slices.Replace(next, at, min(len(next), at+rnd.IntN(2)), lines()[:0]...)
				next = slices.Insert(next, min(at, len(next)), fmt.Sprintf("new %d\n", rnd.IntN(9)))
			}
			edits = append(edits, edit(fmt.Sprint(i), "modify", strings.Join(base, ""), strings.Join(next, "")))
		}
		var ids []string
		for i, e := range edits {
			for _, h := range wireHunks(i, e) {
				if rnd.IntN(2) == 0 {
					ids = append(ids, h.ID)
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		a := approval.Answer{Allowed: true}
		if err := takeHunks(&a, edits, filesOf(edits), ids); err != nil {
			t.Fatal(err)
		}
		for i, e := range edits {
			want, taken := "", 0
			base, proposed := strings.Split(e.Base, "\n"), strings.Split(e.Proposed, "\n")
			var out []string
			at := 0
			hunks := wireHunks(i, e)
			for _, h := range hunks {
				out = append(out, base[at:h.StartLine]...)
				if slices.Contains(ids, h.ID) {
					taken++
					out = append(out, proposed[h.NewStartLine:h.NewEndLine]...)
				} else {
					out = append(out, base[h.StartLine:h.EndLine]...)
				}
				at = h.EndLine
			}
			want = strings.Join(append(out, base[at:]...), "\n")
			choice, partly := a.Hunks[e.Path.Abs]
			got, edited := a.Edited[e.Path.Abs]
			switch {
			case taken == len(hunks):
				if partly || edited {
					t.Fatalf("all taken: %v, %q", choice, got)
				}
			case choice != tools.HunkChoice{Taken: taken, Of: len(hunks)}:
				t.Fatalf("%v, not %d of %d", choice, taken, len(hunks))
			case edited != (taken > 0), edited && got != want:
				t.Fatalf("%q of %q, not %q", got, e.Proposed, want)
			}
		}
	}
}

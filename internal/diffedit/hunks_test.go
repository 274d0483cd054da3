package diffedit

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestHunks(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          []Hunk
	}{
		{"a\n", "a\n", []Hunk{}},
		{"", "a\n", []Hunk{{"1", 0, 0, 0, 1}}},
		{"a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\nF\n", []Hunk{{"1", 0, 1, 0, 1}, {"2", 4, 5, 4, 6}}},
		{"a\nb\nc\n", "x\ny\na\nc\n", []Hunk{{"1", 0, 0, 0, 2}, {"2", 1, 2, 3, 3}}},
		{"a\r\nb\r\n", "a\nb\r\n", []Hunk{{"1", 0, 1, 0, 1}}},
		{"a", "a\n", []Hunk{{"1", 1, 1, 1, 2}}},
	} {
		if got := Hunks(c.before, c.after); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q → %q: %+v, want %+v", c.before, c.after, got, c.want)
		}
	}
}

func TestAccept(t *testing.T) {
	const before, proposed = "1\n2\n3\n4\n5\n6\n7\n8\n", "1\nTWO\n3\n4\n5\nSIX\nand\n7\n" // 2; 6; 8 goes
	for _, c := range []struct {
		name, user string
		ids        string
		want       string
	}{
		{"all", proposed, "1 2 3", proposed},
		{"none", proposed, "", before},
		{"first", proposed, "1", "1\nTWO\n3\n4\n5\n6\n7\n8\n"},
		{"middle", proposed, "2", "1\n2\n3\n4\n5\nSIX\nand\n7\n8\n"},
		{"first and last, named twice", proposed, "3 1 3", "1\nTWO\n3\n4\n5\n6\n7\n"},
		{"altered and accepted", "1\nTwo!\n3\n4\n5\nSIX\nand\n7\n", "1", "1\nTwo!\n3\n4\n5\n6\n7\n8\n"},
		{"altered and refused", "1\nTwo!\n3\n4\n5\nSIX\nand\n7\n", "2", "1\n2\n3\n4\n5\nSIX\nand\n7\n8\n"},
		{"grown and accepted", "1\nTWO\nmore\n3\n4\n5\nSIX\nand\n7\n", "1", "1\nTWO\nmore\n3\n4\n5\n6\n7\n8\n"},
		{"a line beside it stays", "1\nTWO\nthree\n4\n5\nSIX\nand\n7\n", "2 3", "1\n2\nthree\n4\n5\nSIX\nand\n7\n"},
		{"a line further off stays", "1\nTWO\n3\n4\nfive\nSIX\nand\n7\n", "", "1\n2\n3\n4\nfive\n6\n7\n8\n"},
		{"lines added at both ends stay", "0\n1\nTWO\n3\n4\n5\nSIX\nand\n7\n9\nno line end", "1", "0\n1\nTWO\n3\n4\n5\n6\n7\n8\n9\nno line end"},
		{"altered with its neighbour", "1\nTwo!\nthree\n4\n5\nSIX\nand\n7\n", "", "1\n2\nthree\n4\n5\n6\n7\n8\n"},
		{"a hunk put back by hand, accepted", "1\n2\n3\n4\n5\nSIX\nand\n7\n", "1", "1\n2\n3\n4\n5\n6\n7\n8\n"},
		{"a removed line put back by hand, refused", "1\nTWO\n3\n4\n5\nSIX\nand\n7\n8\n", "1", "1\nTWO\n3\n4\n5\n6\n7\n8\n"},
		{"all one change, line by line", "a\nb\nc\nd\ne\nf\ng\nh\n", "1", "a\nb\nc\nd\ne\n6\nh\n8\n"},
		{"everything taken out, hunks refused", "", "", "2\n6\n8\n"},
		{"taken out with its neighbours, refused", "4\n5\nSIX\nand\n7\n", "2 3", "2\n4\n5\nSIX\nand\n7\n"},
		{"altered and grown, refused", "1\nTwo!\nmore\n3\n4\n5\nSIX\nand\n7\n", "2 3", "1\n2\n3\n4\n5\nSIX\nand\n7\n"},
	} {
		got, err := Accept(before, proposed, c.user, strings.Fields(c.ids))
		if err != nil || got != c.want {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", c.name, got, err, c.want)
		}
	}
	for _, c := range []struct{ user, ids, want string }{
		{proposed, "4", `no hunk "4" in this change of 3`},
		{proposed, "1 x", `no hunk "x"`},
		{"all\nnew\n", "1", "joins hunks that are accepted with hunk 2"},
		{"1\nTwo!\nx\ny\n4\n5\nSIX\nand\n7\n", "2 3", "2-4 goes over hunk 1, which is not accepted, and lines beside it"},
		{"x\ny\nTwo!\n3\n4\n5\nSIX\nand\n7\n", "2 3", "1-3 goes over hunk 1"},
		{"1\nTWO\n3\n4\nmine\n", "1", "lines beside it"},
	} {
		if got, err := Accept(before, proposed, c.user, strings.Fields(c.ids)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %s: %q, %v", c.user, c.ids, got, err)
		}
	}
}

// changeLines makes up to n changes of lines.
func changeLines(r *rand.Rand, lines []string, n int) []string {
	lines = slices.Clone(lines)
	for range n {
		from := r.IntN(len(lines))
		to := min(from+r.IntN(3), len(lines))
		fresh := make([]string, r.IntN(3))
		for i := range fresh {
			fresh[i] = fmt.Sprint("fresh ", r.IntN(30))
		}
		if lines = slices.Replace(lines, from, to, fresh...); len(lines) == 0 {
			lines = []string{""}
		}
	}
	return lines
}

// takeOnly makes only those hunks of a change.
func takeOnly(before, after []string, hunks []Hunk, taken map[string]bool) string {
	var out []string
	at := 0
	for _, h := range hunks {
		if taken[h.ID] {
			out = append(append(out, before[at:h.From]...), after[h.NewFrom:h.NewTo]...)
			at = h.To
		}
	}
	return strings.Join(append(out, before[at:]...), "\n")
}

func TestAcceptTakesWhatIsNamed(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 2000 {
		before := make([]string, 1+r.IntN(40))
		for i := range before {
			before[i] = fmt.Sprint("line ", r.IntN(25))
		}
		proposed := changeLines(r, before, r.IntN(6))
		b, p := strings.Join(before, "\n"), strings.Join(proposed, "\n")
		hunks := Hunks(b, p)
		taken := map[string]bool{}
		var all, some []string
		for _, h := range hunks {
			all = append(all, h.ID)
			if r.IntN(2) == 0 {
				taken[h.ID] = true
				some = append(some, h.ID)
			}
		}
		if got, err := Accept(b, p, p, some); err != nil || got != takeOnly(before, proposed, hunks, taken) {
			t.Fatalf("%q → %q, hunks %v of %+v: %q, %v", b, p, some, hunks, got, err)
		}
		if got, err := Accept(b, p, p, nil); err != nil || got != b {
			t.Fatalf("%q → %q, no hunk: %q, %v", b, p, got, err)
		}
		u := strings.Join(changeLines(r, proposed, r.IntN(4)), "\n")
		if got, err := Accept(b, p, u, all); err != nil || got != u {
			t.Fatalf("%q → %q, user %q, all hunks: %q, %v", b, p, u, got, err)
		}
	}
}

// What a person changed in lines that the proposal left alone stays, whichever
// hunks they take.
func TestAcceptKeepsOwnLines(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 2000 {
		var before, proposed, user, want, ids []string
		for i := range 3 + r.IntN(20) {
			line, mine := fmt.Sprint("line ", i), fmt.Sprint("mine ", i)
			before = append(before, line)
			switch r.IntN(5) {
			case 0: // a hunk, taken; between lines that nobody touches
				proposed, user, want = append(proposed, "new"), append(user, "new"), append(want, "new")
				ids = append(ids, "")
			case 1: // one that is refused
				proposed, user, want = append(proposed, "new", "more"), append(user, "new", "more"), append(want, line)
				ids = append(ids, "no")
			case 2: // altered, refused
				proposed, user, want = append(proposed, "new"), append(user, mine), append(want, line)
				ids = append(ids, "no")
			case 3: // altered, taken
				proposed, user, want = append(proposed, "new"), append(user, mine, mine), append(want, mine, mine)
				ids = append(ids, "")
			default: // theirs
				proposed, user, want = append(proposed, line), append(user, "very", mine), append(want, "very", mine)
			}
			fixed := fmt.Sprint("fixed ", i)
			before, proposed, user, want = append(before, fixed), append(proposed, fixed), append(user, fixed), append(want, fixed)
		}
		var taken []string
		for i, id := range ids {
			if id == "" {
				taken = append(taken, fmt.Sprint(i+1))
			}
		}
		got, err := Accept(strings.Join(before, "\n"), strings.Join(proposed, "\n"), strings.Join(user, "\n"), taken)
		if err != nil || got != strings.Join(want, "\n") {
			t.Fatalf("before %q\nproposed %q\nuser %q\ntaken %v: %v\ngot  %q\nwant %q", before, proposed, user, taken, err, got, want)
		}
	}
}

// lostLines fails when more lines of a person's hunk are gone than the refused
// hunks it goes over had: the others were changed beside these.
func lostLines(t *testing.T, before, proposed, user, got string, ids []string) {
	t.Helper()
	theirs, kept := strings.Split(user, "\n"), strings.Split(got, "\n")
	for _, u := range Hunks(proposed, user) {
		covered := 0
		for _, h := range Hunks(before, proposed) {
			if !slices.Contains(ids, h.ID) {
				covered += max(0, min(u.To, h.NewTo)-max(u.From, h.NewFrom))
			}
		}
		if covered == u.To-u.From { // all of it is in hunks that go
			continue
		}
		lost := 0
		for _, line := range theirs[u.NewFrom:u.NewTo] {
			if !slices.Contains(kept, line) {
				lost++
			}
		}
		if lost > covered {
			t.Fatalf("%q → %q, user %q, hunks %v: %q lost %d lines of %+v, which goes over %d refused", before, proposed, user, ids, got, lost, u, covered)
		}
	}
}

func TestAcceptLosesNoLines(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	parted := 0
	for range 5000 {
		before := make([]string, 1+r.IntN(12))
		for i := range before {
			before[i] = fmt.Sprint("line ", i)
		}
		proposed := changeLines(r, before, 1+r.IntN(4))
		user := changeLines(r, proposed, 1+r.IntN(4))
		b, p, u := strings.Join(before, "\n"), strings.Join(proposed, "\n"), strings.Join(user, "\n")
		var ids []string
		for _, h := range Hunks(b, p) {
			if r.IntN(2) == 0 {
				ids = append(ids, h.ID)
			}
		}
		if got, err := Accept(b, p, u, ids); err == nil && u != p {
			parted++
			lostLines(t, b, p, u, got, ids)
		}
	}
	if parted < 2000 {
		t.Errorf("only %d of the changes could be parted", parted)
	}
}

func FuzzAccept(f *testing.F) {
	f.Add("a\nb\nc\n", "A\nb\nC\n", "A\nb\nx\n", uint8(1))
	f.Add("a\nb\nc", "c", "c\n", uint8(0))
	f.Add("", "x\ny", "y", uint8(3))
	f.Fuzz(func(t *testing.T, before, proposed, user string, mask uint8) {
		var ids, all []string
		for i, h := range Hunks(before, proposed) {
			all = append(all, h.ID)
			if i < 8 && mask>>i&1 == 1 {
				ids = append(ids, h.ID)
			}
		}
		if got, err := Accept(before, proposed, user, all); err != nil || got != user {
			t.Errorf("all: %q, %v", got, err)
		}
		if got, err := Accept(before, proposed, proposed, nil); err != nil || got != before {
			t.Errorf("none: %q, %v", got, err)
		}
		byHand, _ := Accept(before, proposed, proposed, ids)
		if got, err := Accept(before, proposed, byHand, ids); err != nil || got != byHand {
			t.Errorf("put back by hand: %q, %v", got, err)
		}
		got, err := Accept(before, proposed, user, ids)
		again, err2 := Accept(before, proposed, user, ids)
		if got != again || (err == nil) != (err2 == nil) {
			t.Errorf("twice: %q, %q", got, again)
		}
		if err == nil && user != byHand {
			lostLines(t, before, proposed, user, got, ids)
		}
	})
}

package demo

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, s := range stories {
		got, err := Find(s.Name)
		if err != nil || got.Task != s.Task {
			t.Errorf("%s: %+v, %v", s.Name, got, err)
		}
		if !known(s.Task) {
			t.Errorf("%s: the model does not know its own story", s.Name)
		}
	}
	if _, err := Find("nope"); err == nil || !strings.Contains(err.Error(), `no story "nope"; there are: weather, edit`) {
		t.Error(err)
	}
}

func TestUnpack(t *testing.T) {
	for name, want := range map[string][]string{
		"weather": {"README.md", "places.md"}, "edit": {"go.mod", "price.go", "price_test.go"},
	} {
		s, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "new", "folder")
		if err := s.Unpack(dir); err != nil {
			t.Fatal(err)
		}
		var got []string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		file := filepath.Join(dir, want[0])
		if err := s.Unpack(file); err == nil {
			t.Errorf("%s: unpacked into a file", name)
		}
	}
}

func TestTomorrow(t *testing.T) {
	block := func(names ...string) string {
		var out []string
		for _, n := range names {
			out = append(out, "\n"+n+":\nTemperature: 5°F\n")
		}
		return strings.Join(out, "\n---\n")
	}
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"Today", "Tonight", "Sunday"}, "Sunday"},
		{[]string{"Tonight", "Sunday", "Sunday Night"}, "Sunday"},
		{[]string{"This Afternoon", "Tonight", "Monday"}, "Monday"},
		{[]string{"Rest of Today", "Tonight", "Monday"}, "Monday"},
		{[]string{"Overnight", "Saturday", "Saturday Night", "Sunday"}, "Sunday"},
		{[]string{"Tonight", "Labor Day"}, "Labor Day"},
		{[]string{"Tonight"}, ""},
		{nil, ""},
	} {
		p, ok := tomorrow(block(tt.names...))
		if p.name != tt.want || ok != (tt.want != "") {
			t.Errorf("%q: %q", tt.names, p.name)
		}
	}
}

func TestWindZh(t *testing.T) {
	for wind, want := range map[string]string{
		"9 mph W": "西风 9 mph", "7 to 13 mph N": "北风 7–13 mph", "5 mph NE": "东北风 5 mph", "5 mph SW": "西南风 5 mph",
		"5 mph NNE": "北东北风 5 mph", "5 mph ENE": "东东北风 5 mph", "5 mph WSW": "西西南风 5 mph", "5 mph SSE": "南东南风 5 mph",
		"calm": "风 calm", "5 mph variable": "风 5 mph variable", "5 mph X": "风 5 mph X", "5 mph ": "风 5 mph",
	} {
		if got := windZh(wind); got != want {
			t.Errorf("%q: %q, want %q", wind, got, want)
		}
	}
}

func TestCoordinates(t *testing.T) {
	washington := places[0]
	for _, tt := range []struct {
		text     string
		lat, lon float64
		from     bool
	}{
		{"", 38.9072, -77.0369, false},
		{"3 | - Washington: 10.5, -20.25", 10.5, -20.25, true},
		{"3 | 华盛顿：10.5°, -20.25°", 10.5, -20.25, true},
		{"1 | New York: 1.5, 2.5\n2 | Washington: 3.5,4.5", 3.5, 4.5, true},
		{"1 | Washington: 99.5, 4.5", 38.9072, -77.0369, false},
		{"1 | Washington: 9.5, 184.5", 38.9072, -77.0369, false},
		{"1 | Washington has 700, 000 people", 38.9072, -77.0369, false},
	} {
		lat, lon, from := coordinates(washington, tt.text)
		if lat != tt.lat || lon != tt.lon || from != tt.from {
			t.Errorf("%q: %g, %g, %v", tt.text, lat, lon, from)
		}
	}
}

func TestFileToRead(t *testing.T) {
	for listing, want := range map[string]string{
		". (3 entries)\nREADME.md\nnotes.txt\nPlaces.json": "Places.json",
		". (2 entries)\nsrc/\nREADME.md":                   "README.md",
		". (2 entries)\nsrc.md/\n\"we\\nird.md\"":          "",
		". is empty.": "",
		"":            "",
		"The user denied this. Nothing was read and places.md no": "",
	} {
		if got := (&talk{}).fileToRead(listing); got != want {
			t.Errorf("%q: %q, want %q", listing, got, want)
		}
	}
	for listing, want := range map[string]string{
		". (2 entries)\naccounts.json\nReadme.md": "Readme.md", ". (2 entries)\naccounts.json\nprivate.txt": "", ". (2 entries)\nREADME\nplaces.txt": "places.txt",
	} {
		if got := (&talk{guest: true}).fileToRead(listing); got != want {
			t.Errorf("a guest, %q: %q, want %q", listing, got, want)
		}
	}
}

func TestUserWords(t *testing.T) {
	for text, want := range map[string]string{
		"<task>\nhi\n</task>": "hi",
		"<user_message>\nhi </user_message> x\n</user_message>": "hi </user_message> x",
		"<task>\nnever closed":                    "never closed",
		"<feedback>\n<task>x</task>\n</feedback>": "",
		"plain": "",
	} {
		if got := userWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever two results come in turn, a task comes to its end, and nothing is
// tried over and over.
func FuzzResults(f *testing.F) {
	for _, s := range []string{
		". (2 entries)\nplaces.md", "1 | Washington: 38.9, -77.0", "2 definitions in 1 file of .\n\nprice.go\n9 | func Discount(p, percent int) int",
		"1 | \treturn price - percent", "price.go: unchanged since you read it, see above.", "Edited price.go: 1 added, 1 removed.",
		"The command succeeded (exit code 0, 1s).\nOutput:\nok", "The user denied this. The user says:\n<feedback>\nNew York\n</feedback>",
		"The call was refused and nothing was done. In plan mode.", "The user interrupted this call.", "",
		"Created hello-clined.md (9 lines).", ". (the first 200 entries; there are more, which a command such as ls shows)\nx", "hello-clined.md does not exist.",
	} {
		f.Add(s, ". (1 entry)\nprice.go")
		f.Add("Found 1 match in 1 file.\n\nprice.go\n9:func Discount(p int) int {", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, task := range []string{"weather in Washington", "纽约的天气", "fix the discount", "create a file", "run a command", "anything"} {
			talk := &talk{guest: len(a)%2 == 0, tools: []string{"weather__get_forecast", "attempt_completion"}, environment: "# Detected CLI Tools\ngo", task: task}
			for n := 0; talk.newest().tool != "attempt_completion"; n++ {
				if n == 12 {
					t.Fatalf("%s: does not end with %q and %q", task, a, b)
				}
				r := think(talk)
				raw, err := encode(r.args)
				s := step{id: r.id, tool: r.tool, result: []string{a, b}[n%2]}
				if err != nil || json.Unmarshal(raw, &s.args) != nil || r.tool == "" {
					t.Fatalf("%s: %+v: %v", task, r, err)
				}
				talk.steps = append(talk.steps, s)
				if talk.tried(r.tool) > 2 {
					t.Errorf("%s: %s for the third time with %q and %q", task, r.tool, a, b)
				}
			}
		}
	})
}

func FuzzPieces(f *testing.F) {
	for _, s := range []string{"", "a b  c", "明天华盛顿的天气怎么样？", "averyverylongwordwithoutanyspace", "\xff\xfe "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parts := pieces(s)
		if strings.Join(parts, "") != s || slices.Contains(parts, "") {
			t.Errorf("%q: %q", s, parts)
		}
	})
}

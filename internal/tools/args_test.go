package tools_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

func parse(t *testing.T, text string) tools.Args {
	t.Helper()
	args, err := tools.ParseArgs(text)
	if err != nil {
		t.Fatalf("ParseArgs(%q): %v", text, err)
	}
	return args
}

func TestParseArgs(t *testing.T) {
	for _, text := range []string{"", "  \n", "null", "{}"} {
		if args := parse(t, text); len(args) != 0 || args == nil {
			t.Errorf("ParseArgs(%q) = %v, want an empty map", text, args)
		}
	}
	if got := parse(t, `{"a":1,"a":1}`).String("a"); got != "1" {
		t.Errorf("equal duplicates: got %q", got)
	}
	bad := []struct{ text, want string }{
		{`{"path": "a`, `unexpected end of JSON input at character 11, right after "{\"path\": \"a"`},
		{`{"path": "a"}{"path": "b"}`, "at character 14"},
		{"{\"c\": \"x\ny\"}", `write \n for a line break`},
		{`["a"]`, "one JSON object"},
		{`"text"`, "one JSON object"},
		{`{"a":1,"b":2,"a":3}`, `hold "a" twice`},
		{`<path>x</path>`, "not valid JSON"},
	}
	for _, c := range bad {
		_, err := tools.ParseArgs(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ParseArgs(%q): got %v, want an error with %q", c.text, err, c.want)
		}
	}
}

func TestReaders(t *testing.T) {
	a := parse(t, `{"s":"x","n":5,"f":5.0,"q":"5","half":5.5,"huge":1e300,"t":true,"T":"True","no":"false","null":null,"empty":"",
		"list":["a",1,{"b":2}],"text":"[\"a\",\"b\"]","one":"just text","o":{"k":"v"},"ot":"{\"k\":\"v\"}"}`)
	for name, want := range map[string]string{"s": "x", "n": "5", "t": "true", "null": "", "missing": "", "o": `{"k":"v"}`} {
		if got := a.String(name); got != want {
			t.Errorf("String(%q) = %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"n", "f", "q"} {
		if n, ok := a.Int(name); n != 5 || !ok {
			t.Errorf("Int(%q) = %d, %v", name, n, ok)
		}
	}
	for _, name := range []string{"half", "huge", "s", "t", "missing", "null"} {
		if n, ok := a.Int(name); ok {
			t.Errorf("Int(%q) = %d, want none", name, n)
		}
	}
	for name, want := range map[string]bool{"t": true, "T": true, "no": false, "missing": false, "s": false} {
		if got := a.Bool(name); got != want {
			t.Errorf("Bool(%q) = %v", name, got)
		}
	}
	for name, want := range map[string][]string{
		"list": {"a", "1", `{"b":2}`}, "text": {"a", "b"}, "one": {"just text"}, "missing": nil, "null": nil, "empty": nil,
	} {
		if got := a.Strings(name); !slices.Equal(got, want) {
			t.Errorf("Strings(%q) = %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"o", "ot"} {
		if o, err := a.Object(name); err != nil || o.String("k") != "v" {
			t.Errorf("Object(%q) = %v, %v", name, o, err)
		}
	}
	if !a.Has("empty") || a.Has("null") || a.Has("missing") {
		t.Error("Has: an empty text is given, null and nothing are not")
	}
}

func TestStripChecklist(t *testing.T) {
	a := parse(t, `{"path":"x","task_progress":"- [ ] a"}`)
	stripped, list := tools.StripChecklist(a, false)
	if list != "- [ ] a" || stripped.Has(tools.ChecklistParam) || !stripped.Has("path") {
		t.Errorf("got %v, %q", stripped, list)
	}
	if !a.Has(tools.ChecklistParam) {
		t.Error("the given arguments were changed")
	}
	if kept, list := tools.StripChecklist(a, true); list != "" || !kept.Has(tools.ChecklistParam) {
		t.Errorf("own parameter: got %v, %q", kept, list)
	}
	if _, list := tools.StripChecklist(parse(t, `{"task_progress":["- [x] a","- [ ] b"]}`), false); list != "- [x] a\n- [ ] b" {
		t.Errorf("list: got %q", list)
	}
}

var demoSpec = &tools.Spec{Name: "demo", Params: []tools.Param{
	{Name: "path", Type: "string", Required: true, Aliases: []string{"absolutePath"}},
	{Name: "content", Type: "string", Required: true},
	{Name: "line", Type: "integer"},
	{Name: "deep", Type: "boolean"},
	{Name: "ratio", Type: "number"},
	{Name: "files", Type: "array"},
	{Name: "env", Type: "object"},
	{Name: "options", Type: "string", JSON: true},
}}

func TestValidate(t *testing.T) {
	good := []string{
		`{"path":"a","content":""}`, // Empty is present
		`{"absolutePath":"/a","content":"x"}`,
		`{"path":"a","content":5,"line":"7","deep":"false","ratio":"0.5","files":"[1]","env":"{}"}`,
		`{"path":"a","content":"x","line":null,"options":["a"]}`,
		`{"path":"a","content":"x","options":"[\"a\"]","unknown":1}`,
	}
	for _, text := range good {
		if err := tools.Validate(demoSpec, parse(t, text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	bad := []struct{ text, want string }{
		{`{"path":"a"}`, `demo: the required parameter "content" is missing; nothing was done. Call it like this: demo {"path": <string>, "content": <string>}`},
		{`{"path":"a","content":null}`, `"content" is missing`},
		{`{"file_path":"a","content":"x"}`, `"path" is missing (not known here: "file_path")`},
		{`{"path":["a"],"content":"x"}`, `"path" must be of type string, not ["a"]`},
		{`{"path":"a","content":"x","line":"seven"}`, `"line" must be of type integer, not "seven"`},
		{`{"path":"a","content":"x","deep":"perhaps"}`, `of type boolean`},
		{`{"path":"a","content":"x","ratio":"x"}`, `of type number`},
		{`{"path":"a","content":"x","files":{}}`, `of type array`},
		{`{"path":"a","content":"x","env":[]}`, `of type object`},
	}
	for _, c := range bad {
		if err := tools.Validate(demoSpec, parse(t, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}

// Whatever a model sends, reading it never panics, and what is accepted is
// what a JSON decoder reads.
func FuzzParseArgs(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a":1,"a":2}`, `{"a":"\ud83d"}`, `{"path":"a`, `{"path":[1,{}],"line":"5"}`, "null", `{"":null}`, `{"a":1}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args, err := tools.ParseArgs(text)
		if err != nil {
			if args != nil || err.Error() == "" {
				t.Fatalf("args %v with error %q", args, err)
			}
			return
		}
		if args == nil {
			t.Fatal("nil arguments")
		}
		if len(args) > 0 && !json.Valid([]byte(text)) {
			t.Fatalf("accepted invalid JSON %q", text)
		}
		for name := range args {
			args.String(name)
			args.Int(name)
			args.Bool(name)
			args.Strings(name)
			_, _ = args.Object(name)
		}
		_ = tools.Validate(demoSpec, args)
		stripped, _ := tools.StripChecklist(args, false)
		if _, ok := stripped[tools.ChecklistParam]; ok {
			t.Fatal("checklist left")
		}
	})
}

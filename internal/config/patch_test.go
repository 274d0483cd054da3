package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestPatch(t *testing.T) {
	price := Prices{"m": {Input: 1}}
	tests := []struct {
		name, before, key string
		value             any
		after             string
	}{
		{"nothing yet", "", "model", "m", "{\n  \"model\": \"m\"\n}\n"},
		{"nothing yet, in a group", "", "log.level", "info", "{\n  \"log\": {\n    \"level\": \"info\"\n  }\n}\n"},
		{"only a comment", "// mine", "model", "m", "// mine\n{\n  \"model\": \"m\"\n}\n"},
		{"only a comment, nothing to take out", "// mine", "model", nil, "// mine"},
		{"a byte order mark", "\ufeff{\"model\": \"a\"}", "model", "m", "\ufeff{\"model\": \"m\"}"},
		{"an empty object", "{}", "model", "m", "{\n  \"model\": \"m\"\n}"},
		{"an empty object over lines", "{\n\t// none\n}\n", "model", "m", "{\n\t// none\n  \"model\": \"m\"\n}\n"},
		{"an empty object with a comment", "{ /* none */ }", "model", "m", "{ /* none */\n  \"model\": \"m\"\n }"},
		{"replace keeps all around", "{ // c\n  \"model\" : /* old */ \"a\" /* b */, // d\n}", "model", "m", "{ // c\n  \"model\" : /* old */ \"m\" /* b */, // d\n}"},
		{"line ends and tabs", "{\r\n\t\"model\": \"a\" // x\r\n}\r\n", "shell", "zsh", "{\r\n\t\"model\": \"a\", // x\r\n\t\"shell\": \"zsh\"\r\n}\r\n"},
		{"a trailing comma", "{\n    \"model\": \"a\", // x\n    // end\n}", "shell", "zsh", "{\n    \"model\": \"a\", // x\n    \"shell\": \"zsh\",\n    // end\n}"},
		{"one line", "{\"model\": \"a\"}", "plainTextEnds", true, "{\"model\": \"a\", \"plainTextEnds\": true}"},
		{"one line with a comment", "{\"model\": \"a\" /* x */ }", "log.level", "info", "{\"model\": \"a\" /* x */, \"log\": {\"level\": \"info\"} }"},
		{"one line, trailing comma", "{\"model\": \"a\",}", "shell", "zsh", "{\"model\": \"a\", \"shell\": \"zsh\",}"},
		{"into the group's braces", "{\n  \"log\": {\n    \"level\": \"info\"\n  }\n}", "log.file", true, "{\n  \"log\": {\n    \"level\": \"info\",\n    \"file\": true\n  }\n}"},
		{"into empty braces", "{\n  \"log\": {}\n}", "log.file", true, "{\n  \"log\": {\n    \"file\": true\n  }\n}"},
		{"beside dots", "{\n  \"log.level\": \"info\",\n  \"model\": \"a\"\n}", "log.file", true, "{\n  \"log.level\": \"info\",\n  \"model\": \"a\",\n  \"log.file\": true\n}"},
		{"dots are replaced as dots", "{\"autoApprove.read\": true}", "autoApprove.read", false, "{\"autoApprove.read\": false}"},
		{"a group that is none", "{\n  \"log\": null\n}", "log.file", true, "{\n  \"log\": null,\n  \"log.file\": true\n}"},
		{"new group beside others", "{\n\t\"model\": \"a\"\n}", "limits.cost", 2.5, "{\n\t\"model\": \"a\",\n\t\"limits\": {\n\t\t\"cost\": 2.5\n\t}\n}"},
		{"the last of several counts", "{\"model\": \"a\", \"model\": \"b\"}", "model", "m", "{\"model\": \"a\", \"model\": \"m\"}"},
		{"null is replaced", "{\"model\": null}", "model", "m", "{\"model\": \"m\"}"},
		{"a wrong value is replaced", "{\"commandTimeout\": \"soon\"}", "commandTimeout", 5, "{\"commandTimeout\": 5}"},
		{"a list", "{\n  \"permissions\": {\"deny\": []}\n}", "permissions.deny", []string{"rm", "a < b"}, "{\n  \"permissions\": {\"deny\": [\"rm\", \"a < b\"]}\n}"},
		{"prices", "{\n}", "prices", price, "{\n  \"prices\": {\n    \"m\": {\n      \"input\": 1,\n      \"output\": 0,\n      \"cacheRead\": 0,\n      \"cacheWrite\": 0\n    }\n  }\n}"},
		{"command approval", "{}", "autoApprove.command", json.RawMessage(`"safe"`), "{\n  \"autoApprove\": {\n    \"command\": \"safe\"\n  }\n}"},

		{"take out a line", "{\n  \"model\": \"a\",\n  \"shell\": \"zsh\"\n}", "model", nil, "{\n  \"shell\": \"zsh\"\n}"},
		{"take out the last line", "{\n  \"model\": \"a\", // x\n  \"shell\": \"zsh\"\n}", "shell", nil, "{\n  \"model\": \"a\" // x\n}"},
		{"take out before a trailing comma", "{\n  \"model\": \"a\",\n  \"shell\": \"zsh\",\n}", "shell", nil, "{\n  \"model\": \"a\",\n}"},
		{"comments stay", "{\n  // about it\n  \"model\": \"a\" /* y */, // x\n  \"shell\": \"zsh\"\n}", "model", nil, "{\n  // about it\n  /* y */ // x\n  \"shell\": \"zsh\"\n}"},
		{"take out of one line", "{\"model\": \"a\", \"shell\": \"zsh\"}", "model", nil, "{\"shell\": \"zsh\"}"},
		{"take the last out of one line", "{\"model\": \"a\", \"shell\": \"zsh\" }", "shell", nil, "{\"model\": \"a\" }"},
		{"take out the only one", "{\"model\": \"a\"}", "model", nil, "{}"},
		{"take out all of several", "{\"model\": \"a\", \"shell\": \"zsh\", \"model\": \"b\", \"model\": \"c\"}", "model", nil, "{\"shell\": \"zsh\"}"},
		{"take out braces and dots", "{\"log\": {\"level\": \"info\"}, \"log.level\": \"warn\"}", "log.level", nil, "{}"},
		{"take out the group that is empty then", "{\n  \"model\": \"a\", // x\n  \"limits\": {\n    \"cost\": 5\n  }\n}", "limits.cost", nil, "{\n  \"model\": \"a\" // x\n}"},
		{"take out both of one group", "{\"limits\": {\"cost\": 5, \"cost\": 6}, \"model\": \"a\"}", "limits.cost", nil, "{\"model\": \"a\"}"},
		{"a group with comments stays", "{\n  \"limits\": {\n    // why\n    \"cost\": 5\n  }\n}", "limits.cost", nil, "{\n  \"limits\": {\n    // why\n  }\n}"},
		{"a group with a comment behind stays", "{\"limits\": {\"cost\": 5, /* why */ }}", "limits.cost", nil, "{\"limits\": {/* why */ }}"},
		{"a group with another setting stays", "{\"limits\": {\"cost\": 5, \"requests\": 1}}", "limits.cost", nil, "{\"limits\": {\"requests\": 1}}"},
		{"a group that was empty before stays", "{\"log\": {}, \"limits\": {\"cost\": 5}}", "limits.cost", nil, "{\"log\": {}}"},
		{"take out what is misspelt", "{\n  \"modle\": \"a\", // x\n  \"shell\": \"zsh\"\n}", "modle", nil, "{\n  // x\n  \"shell\": \"zsh\"\n}"},
		{"take out what is misspelt in a group", "{\"log\": {\"levle\": \"info\", \"file\": true}, \"log.levle\": 1}", "log.levle", nil, "{\"log\": {\"file\": true}}"},
		{"take out a group that is misspelt", "{\"logs\": {\"level\": \"info\"}, \"model\": \"a\"}", "logs", json.RawMessage("null"), "{\"model\": \"a\"}"},
		{"take out a group that is none", "{\"log\": 5, \"model\": \"a\"}", "log", nil, "{\"model\": \"a\"}"},
		{"take out what is not there", "{\"model\": \"a\"} // x", "shell", nil, "{\"model\": \"a\"} // x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Patch([]byte(tt.before), tt.key, tt.value)
			if err != nil || string(got) != tt.after {
				t.Errorf("%v\n got %q\nwant %q", err, got, tt.after)
			}
		})
	}
}

func TestPatchRefuses(t *testing.T) {
	tests := []struct {
		name, text, key string
		value           any
		says, hint      string
		line            int
	}{
		{"a broken file", "{\n  \"model\": ]\n}", "model", "m", "cannot be read", "mend it", 2},
		{"a list", "\n[]", "model", "m", "not an object", "mend it", 2},
		{"a misspelt key that is not there", "{}", "modle", nil, `no setting "modle"`, `"model"`, 0},
		{"a group with settings", "{\"log\": {\"level\": \"info\"}}", "log", nil, `"log" is a group`, `log.level`, 0},
		{"a misspelt key", "{}", "modle", "m", `no setting "modle"`, `"model"`, 0},
		{"a group", "{}", "log", "m", `"log" is a group`, "log.level, log.file", 0},
		{"a wrong value", "{}", "commandTimeout", "soon", "a whole number", "", 0},
		{"a literal key", "{}", "apiKey", "sk-CANARY123", `must be "keyring"`, "clined auth login", 0},
		{"what is no JSON", "{}", "model", make(chan int), "must be", "", 0},
		{"too large", "{" + strings.Repeat(" ", maxFile) + "}", "model", "m", "1 MiB", "mend it", 1},
		{"too deep", strings.Repeat("[", maxFile), "model", "m", "brackets", "mend it", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Patch([]byte(tt.text), tt.key, tt.value)
			var p *Problem
			if !errors.As(err, &p) || !strings.Contains(p.Message, tt.says) || !strings.Contains(p.Hint, tt.hint) || p.Line != tt.line {
				t.Fatalf("%+v", p)
			}
			if strings.Contains(p.Message+p.Hint, "CANARY") {
				t.Errorf("the secret is shown: %v", p)
			}
		})
	}
}

// values that each key takes, to choose from.
func valuesOf(k Key) []string {
	switch k.Type {
	case Choice:
		var list []string
		for _, c := range k.Choices {
			list = append(list, string(c))
		}
		return list
	case Flag:
		return []string{"true", "false"}
	case Count:
		return []string{"1", "7", "50", "10000"}
	case Amount:
		return []string{"0", "0.5", "3", "1e3"}
	case List:
		if k.kind == "url" {
			return []string{"[]", `["http://127.0.0.1:1234/v1"]`, `["https://h/\"}", "http://[::1]/// no comment"]`}
		}
		return []string{"[]", `["rm"]`, `["git status", "// no comment", "\"}"]`}
	case Costs:
		return []string{`{}`, `{"m": {"input": 1, "output": 2}}`, `{"a.b": {"cacheRead": 0.25}, "m": {"input": 3}}`}
	}
	switch k.kind {
	case "url":
		return []string{`"https://a.example/v1"`, `"http://127.0.0.1:1"`, `""`}
	case "secret":
		return []string{`"keyring"`, `"${env:MINE}"`, `""`}
	}
	return []string{`"x"`, `"a, b } // c"`, `"é\u2028"`, `""`}
}

// scribble makes a settings file as people leave them: comments anywhere, keys
// in braces and with dots, twice, unknown ones, wrong values, trailing commas.
type scribble struct{ r *rand.Rand }

func (s scribble) one(of ...string) string { return of[s.r.IntN(len(of))] }

func (s scribble) space() string {
	return s.one("", "", " ", "\n", "\r\n", "\n\t", "  ", "/* , } */", " // \"model\": 1\n", "/* \n */ ", "//\r\n")
}

func (s scribble) member(k Key, name string) string {
	v := s.one(append(valuesOf(k), "null", "[1]")...)
	inside := func() string { return s.one("", " ", "/*in*/", "\n\t", "//in\n") }
	return s.space() + `"` + name + `"` + inside() + ":" + inside() + v + s.space()
}

func (s scribble) object(prefix string, members int) string {
	var list []string
	for range members {
		k := keys()[s.r.IntN(len(keys()))]
		for range 50 { // seldom one that does not belong here
			if strings.HasPrefix(k.Name, prefix) {
				break
			}
			k = keys()[s.r.IntN(len(keys()))]
		}
		group, name, nested := strings.Cut(k.Name, ".")
		switch {
		case prefix != "" && group+"." == prefix && nested:
			list = append(list, s.member(k, name))
		case prefix != "":
			list = append(list, s.space()+`"unknown": {"level": 1}`)
		case nested && s.r.IntN(2) == 0:
			list = append(list, s.space()+`"`+group+`": `+s.one("null", "false", s.object(group+".", s.r.IntN(3)), s.object(group+".", s.r.IntN(5))))
		default:
			list = append(list, s.member(k, k.Name))
		}
	}
	text := "{" + strings.Join(list, ",")
	if len(list) > 0 {
		text += s.one("", ",")
	}
	return text + s.space() + "}"
}

func (s scribble) file() string {
	return s.one("", "\ufeff") + s.space() + s.object("", s.r.IntN(7)) + s.space() + s.one("", "// end")
}

// Whatever a file looks like: after Patch the key has its value, every other key
// reads as before, and every comment is still there.
func TestPatchProperties(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := scribble{r}
		text := s.file()
		k := keys()[r.IntN(len(keys()))]
		var v any
		if r.IntN(3) > 0 {
			v = json.RawMessage(s.one(valuesOf(k)...))
		}
		checkPatch(t, text, k, v)
		if t.Failed() {
			t.Fatalf("seed %d: %s = %s in\n%s", seed, k.Name, v, text)
		}
	}
}

func checkPatch(t *testing.T, text string, k Key, v any) {
	t.Helper()
	got, err := Patch([]byte(text), k.Name, v)
	before, problems := FromFile("f", []byte(text))
	if err != nil {
		if len(problems) == 0 || problems[0].Key != "" {
			t.Errorf("a good file is refused: %+v", err)
		}
		return
	}
	after, _ := FromFile("f", got)
	if !reflect.DeepEqual(texts(before.without(k.Name)), texts(after.without(k.Name))) {
		t.Errorf("other keys changed: %v, %v\n%s", texts(before.values), texts(after.values), got)
	}
	at := slices.IndexFunc(after.values, func(v value) bool { return v.key.Name == k.Name })
	if (at >= 0) != (v != nil) {
		t.Errorf("the key is there: %v\n%s", at >= 0, got)
	} else if at >= 0 {
		if want, _ := k.decode(v.(json.RawMessage)); !reflect.DeepEqual(want.Interface(), after.values[at].data.Interface()) {
			t.Errorf("%v instead of %s\n%s", after.values[at].data, v, got)
		}
	}
	again, err := Patch(got, k.Name, v)
	if err != nil || !bytes.Equal(again, got) {
		t.Errorf("done again it changes more: %v\n%s\n%s", err, got, again)
	}
	if !keepsComments([]byte(text), got) {
		t.Errorf("a comment is gone\n%s", got)
	}
	if bytes.HasPrefix([]byte(text), bom) != bytes.HasPrefix(got, bom) {
		t.Error("the byte order mark")
	}
}

func texts(values []value) (list []string) {
	for _, v := range values {
		raw, _ := json.Marshal(v.data.Interface())
		list = append(list, v.key.Name+"="+string(raw))
	}
	slices.Sort(list)
	return list
}

// keepsComments says whether all comments are there, in their order, but those
// within a member.
func keepsComments(before, after []byte) bool {
	for _, c := range commentsOf(before) {
		if bytes.Contains(c, []byte("in")) {
			continue
		}
		at := bytes.Index(after, c)
		if at < 0 {
			return false
		}
		after = after[at+len(c):]
	}
	return true
}

func commentsOf(text []byte) (list [][]byte) {
	for i := 0; i < len(text); {
		switch n := comment(text[i:]); {
		case n > 0:
			list = append(list, text[i:i+n])
			i += n
		case text[i] == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
		default:
			i++
		}
	}
	return list
}

// FuzzPatch: no text makes Patch fail in any way but a problem, and what it
// returns reads as it should.
func FuzzPatch(f *testing.F) {
	for _, s := range []string{"", "{", "{}", "//", "\ufeff{/*x*/}", `{"model":1,}`, `{"log":{"x":1},"log":null}`, "{\n\"log.level\": \"debug\"}", "{\"\xff\":1,}", `{"prices":{"a":{}}}`} {
		f.Add([]byte(s), uint8(1), uint8(0))
		f.Add([]byte(s), uint8(37), uint8(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, which, what uint8) {
		k := keys()[int(which)%len(keys())]
		values := valuesOf(k)
		var v any
		if n := int(what) % (len(values) + 1); n < len(values) {
			v = json.RawMessage(values[n])
		}
		got, err := Patch(text, k.Name, v)
		var p *Problem
		if err != nil && (!errors.As(err, &p) || strings.Contains(p.Message, "without changing more")) {
			t.Fatalf("%v", err)
		}
		if err == nil {
			if _, wrong := parse(withoutBOM(got)); wrong != nil {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}

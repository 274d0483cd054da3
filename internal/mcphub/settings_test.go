package mcphub_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"clined/internal/mcphub"
)

// Every form that other products write is read, and what is wrong names its place.
func TestParseSettings(t *testing.T) {
	a := mcphub.Config{Command: "x", Timeout: mcphub.DefaultTimeout}
	one := map[string]mcphub.Config{"a": a}
	none := map[string]mcphub.Config{}
	for name, c := range map[string]struct {
		text string
		want map[string]mcphub.Config
	}{
		"comma and comment": {`{ "mcpServers": { "a": { "command": "x", }, } } // note`, one},
		"byte order mark":   {"\ufeff{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}", one},
		"empty":             {"", none},
		"blank":             {" \r\n\t", none},
		"comments only":     {"// nothing yet\n/* really */", none},
		"no servers":        {`{"other": 1}`, none},
		"null":              {`{"mcpServers": null}`, none},
		"last one counts":   {`{"mcpServers":{"a":{"command":"y"},"a":{"command":"x"}}}`, one},
		"captured": {
			`{"mcpServers":{"weather":{"disabled":false,"timeout":60,"command":"uv","args":["--directory","/d","run","weather.py"],"transportType":"stdio"}}}`,
			map[string]mcphub.Config{"weather": {Command: "uv", Args: []string{"--directory", "/d", "run", "weather.py"}, Timeout: time.Minute}},
		},
		"remote": {
			`{"mcpServers":{"s":{"autoApprove":["t"],"disabled":true,"timeout":1.5,"url":"https://h/sse","type":"sse","headers":{"A":"b"}},"h":{"url":"u","transportType":"http"},"n":{"url":"u"}}}`,
			map[string]mcphub.Config{
				"s": {URL: "https://h/sse", Type: "sse", Headers: map[string]string{"A": "b"}, AutoApprove: []string{"t"}, Disabled: true, Timeout: 1500 * time.Millisecond},
				"h": {URL: "u", Type: "streamableHttp", Timeout: time.Minute},
				"n": {URL: "u", Timeout: time.Minute},
			},
		},
		"nested": {
			`{"mcpServers":{"a":{"transport":{"type":"stdio","command":"x","env":{"K":"v"},"cwd":"/c"},"disabled":true,"metadata":{"any":1}}}}`,
			map[string]mcphub.Config{"a": {Command: "x", Env: map[string]string{"K": "v"}, Cwd: "/c", Disabled: true, Timeout: time.Minute}},
		},
		"one bad, one good": {
			"{\"mcpServers\":{\n  \"bad\": {\"command\":\"x\",\n    \"args\": \"-y\"},\n  \"a\":{\"command\":\"x\"}}}",
			map[string]mcphub.Config{"a": a, "bad": {Problem: `line 3, column 13: "args" must not be a JSON string`}},
		},
		"not an entry": {
			"{\"mcpServers\":{\n \"b\": /* c */ 5}}",
			map[string]mcphub.Config{"b": {Problem: `line 2, column 15: a server must be a JSON object`}},
		},
		"problems": {
			"{\"mcpServers\":{\n\"t\":{\"command\":\"x\",\"timeout\":0},\n\"e\":{},\n\"y\":{\"type\":\"carrier pigeon\"},\n\"s\":{\"type\":\"stdio\",\"url\":\"u\"},\n\"l\":{\"command\":\"x\",\"timeout\":1e300}}}",
			map[string]mcphub.Config{
				"t": {Command: "x", Problem: `line 2, column 5: "timeout" must be from 1 to 86400 seconds`},
				"l": {Command: "x", Timeout: 48 * time.Hour, Problem: `line 6, column 5: "timeout" must be from 1 to 86400 seconds`},
				"e": {Timeout: time.Minute, Problem: `line 3, column 5: a server needs a "command" or a "url"`},
				"y": {Timeout: time.Minute, Problem: `line 4, column 5: unknown type "carrier pigeon"; it can be "stdio", "sse" or "streamableHttp"`},
				"s": {URL: "u", Timeout: time.Minute, Problem: `line 5, column 5: a stdio server needs a "command"`},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := mcphub.ParseSettings([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Servers, c.want) {
				t.Errorf("got  %+v\nwant %+v", got.Servers, c.want)
			}
		})
	}
}

func TestBrokenSettings(t *testing.T) {
	for text, want := range map[string]mcphub.SettingsError{
		"{":                              {Line: 1, Column: 2, Problem: "parsing value: unexpected EOF"},
		"{\n \"mcpServers\": {,}}":       {Line: 2, Column: 17, Problem: "invalid character ',' at start of value"},
		"\ufeff{\"mcpServers\":{}} x":    {Line: 1, Column: 19, Problem: "invalid character 'x' after top-level value"},
		"[]":                             {Line: 1, Column: 1, Problem: `the file must hold a JSON object with "mcpServers"`},
		"// c\n{\n  \"mcpServers\": []}": {Line: 3, Column: 17, Problem: `"mcpServers" must be an object of servers by name`},
	} {
		_, err := mcphub.ParseSettings([]byte(text))
		got, ok := errors.AsType[*mcphub.SettingsError](err)
		if !ok || got.Line != want.Line || got.Column != want.Column {
			t.Errorf("%q: got %v, want %v", text, err, &want)
			continue
		}
		if got.Problem != want.Problem {
			t.Errorf("%q: got %q, want %q", text, got.Problem, want.Problem)
		}
	}
}

// Whatever the text: no panic, a place inside the text, and every entry is
// either usable or says why not.
func FuzzParseSettings(f *testing.F) {
	seeds, err := filepath.Glob("testdata/settings/*.json")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range seeds {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		s, err := mcphub.ParseSettings(data)
		if string(data) != before {
			t.Fatal("the caller's bytes were changed")
		}
		if err != nil {
			broken, ok := errors.AsType[*mcphub.SettingsError](err)
			if !ok || broken.Line < 1 || broken.Column < 1 || broken.Problem == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		for name, c := range s.Servers {
			if c.Problem == "" && (c.Timeout < time.Second || (c.Command == "") == (c.URL == "")) {
				t.Errorf("%q is neither good nor bad: %+v", name, c)
			}
		}
	})
}

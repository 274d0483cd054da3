package mcphub

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"clined/internal/tools"
)

func TestCommandLineMasksSecrets(t *testing.T) {
	for want, args := range map[string][]string{
		"c -y @scope/server /home/dev":     {"-y", "@scope/server", "/home/dev"},
		"c --api-key *** --verbose":        {"--api-key", "abc", "--verbose"},
		"c --token=*** x":                  {"--token=abc", "x"},
		"c --token ${env:T}":               {"--token", "${env:T}"},
		"c --token=${env:T}":               {"--token=${env:T}"},
		"c API_KEY=*** NAME=x":             {"API_KEY=abc", "NAME=x"},
		"c ***":                            {"ghp_abcdefghijkl"},
		"c postgres://u:xxxxx@localhost/d": {"postgres://u:secret@localhost/d"},
		"c --author me --key-file":         {"--author", "me", "--key-file"},
		"c --header ***":                   {"--header", "Authorization: Bearer x"},
		"c --header=***":                   {"--header=Authorization: Bearer x"},
	} {
		if got := commandLine(Config{Command: "c", Args: args}); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}

func TestHash(t *testing.T) {
	base := tools.MCPTool{Name: "n", Description: "d", Schema: json.RawMessage(`{"a":1.0,"b":[1,2]}`)}
	same := base
	same.Schema = json.RawMessage("{ \"b\":[1, 2],\n\"a\":1.0}")
	same.AutoApprove = true
	if hash(base) != hash(same) {
		t.Error("spacing and order of keys matter")
	}
	seen := map[string]bool{hash(base): true}
	for i, change := range []func(*tools.MCPTool){
		func(t *tools.MCPTool) { t.Name = "m" },
		func(t *tools.MCPTool) { t.Description = "d." },
		func(t *tools.MCPTool) { t.Schema = json.RawMessage(`{"a":1.0,"b":[2,1]}`) },
		func(t *tools.MCPTool) { t.Schema = json.RawMessage(`not json`) },
		func(t *tools.MCPTool) { t.ReadOnly = true },
	} {
		other := base
		change(&other)
		if seen[hash(other)] {
			t.Errorf("change %d does not show", i)
		}
		seen[hash(other)] = true
	}
}

func TestServerLogIsBounded(t *testing.T) {
	var l serverLog
	w := &lineWriter{add: l.add}
	for i := range 3 * logLines {
		fmt.Fprintf(w, "line %d\r\n\n", i)
	}
	mark := l.mark()
	if got := l.since(mark, 5); len(got) != 0 {
		t.Errorf("since the end: %q", got)
	}
	fmt.Fprint(w, strings.Repeat("ä", maxPiece), "\nlast")
	w.close()
	all := l.tail(1000)
	if len(all) != logLines {
		t.Errorf("%d lines", len(all))
	}
	if got := l.since(mark, 1); len(got) != 1 || got[0] != "last" {
		t.Errorf("got %q", got)
	}
	for _, line := range all {
		if len(line) > logLineBytes+10 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// What comes out are exactly the lines that are messages, however they are cut.
func FuzzFilterMessages(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\"}\n"), 1)
	f.Add([]byte("noise\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n\n{}\n[1]\nrest"), 3)
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"x\":\""+strings.Repeat("y", 200)+"\"}"), 7)
	f.Fuzz(func(t *testing.T, data []byte, step int) {
		const limit = 100
		var want []string
		tooLong := false
		for line := range strings.Lines(string(data)) {
			if len(line) > limit {
				tooLong = true
				break
			}
			line = strings.TrimRight(line, "\r\n")
			var m struct{ JSONRPC string }
			if strings.HasPrefix(strings.TrimLeft(line, " \t"), "{") && json.Unmarshal([]byte(line), &m) == nil && m.JSONRPC == "2.0" {
				want = append(want, line+"\n")
			}
		}
		var out bytes.Buffer
		err := filterMessages(&out, &slowReader{data, max(1, step)}, limit, func(line string) {
			if strings.TrimSpace(line) == "" {
				t.Error("a blank line is called garbage")
			}
		})
		if got := out.String(); got != strings.Join(want, "") || errors.Is(err, errLongLine) != tooLong {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	})
}

type slowReader struct {
	data []byte
	step int
}

func (r *slowReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.step)], r.data)
	r.data = r.data[n:]
	return n, nil
}

// Any result gives text or an image, or an error; base64 stays out of the text.
func FuzzCallResult(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"a"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}`))
	f.Add([]byte(`{"content":[{"type":"resource","resource":{"uri":"u","blob":"AAAA"}},{"type":"resource_link","uri":"u","name":"n"}]}`))
	f.Add([]byte(`{"content":null,"structuredContent":{"a":[1]},"isError":true}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := callResult(raw)
		if err == nil && r.Text == "" && len(r.Images) == 0 {
			t.Errorf("%s: an empty result", raw)
		}
		if r, err = readResult(raw); err == nil && r.Text == "" && len(r.Images) == 0 {
			t.Errorf("%s: an empty resource", raw)
		}
	})
}

func TestAsyncWriterGivesUp(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	a := newAsyncWriter(w)
	piece := make([]byte, 1<<20)
	n := 0
	for ; n < 100; n++ {
		if _, err = a.Write(piece); err != nil {
			break
		}
	}
	if err == nil || n < 30 {
		t.Errorf("%d MiB were taken, %v", n, err)
	}
	_ = a.Close()
	if _, err := a.Write(piece); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// What one server says is bounded: the model is told of it in every request,
// the user in one sentence.
func TestToolsAreBounded(t *testing.T) {
	tool := func(name, description, schema string) json.RawMessage {
		raw, err := json.Marshal(map[string]any{"name": name, "description": description, "inputSchema": json.RawMessage(schema)})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	const object = `{"type":"object"}`
	long := strings.Repeat("ä", 1<<20)
	wide := `{"type":"object","description":"` + strings.Repeat("x", maxSchema) + `"}`
	list, warnings, notes := parseTools([]json.RawMessage{
		tool("fine", strings.Repeat("d", maxDescription), object), tool("talks", long, object), tool("wide", "d", wide), tool(long, "d", object),
	}, 100)
	if len(list) != 2 || list[0].Name != "fine" || len(list[0].Description) != maxDescription {
		t.Fatalf("%d tools", len(list))
	}
	if d := list[1].Description; len(d) > maxDescription || len(d) < maxDescription-10 || !utf8.ValidString(d) || !strings.HasSuffix(d, "ä …") {
		t.Errorf("a description of %d bytes: …%q", len(d), d[len(d)-8:])
	}
	if all := strings.Join(notes, "\n"); !strings.Contains(all, `"talks" has 2097152 bytes`) {
		t.Errorf("noted: %s", all)
	}
	if all := strings.Join(warnings, "\n"); len(warnings) != 2 || len(all) > 500 || !strings.Contains(all, `"wide" was left out: its schema has`) || !strings.Contains(all, "its name has") {
		t.Errorf("told: %s", all)
	}
	other, _, _ := parseTools([]json.RawMessage{tool("talks", long+"x", object)}, 100)
	if other[0].Hash == list[1].Hash {
		t.Error("a change of what is cut off does not show")
	}

	var many []json.RawMessage
	for n := range 5000 {
		many = append(many, tool(fmt.Sprintf("tool_%05d", n), "d", object), json.RawMessage(`{"name":5}`))
	}
	list, warnings, _ = parseTools(many, 100)
	all := strings.Join(warnings, "\n")
	if len(list) != 100 || len(all) > 1000 || !strings.Contains(all, "4995 more tools were left out") ||
		!strings.Contains(all, "it offers 5000 tools, the limit is 100; left out: tool_00100, tool_00101") || !strings.Contains(all, "and 4890 more") {
		t.Errorf("%d tools; told: %s", len(list), all)
	}
}

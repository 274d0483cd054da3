package rpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll reads everything: bodies as they are, bad input as "!code".
func readAll(t testing.TB, input string, r io.Reader, limit int) (got []string, end error) {
	t.Helper()
	f := newFrameReader(r, Sniff, limit, func(Framing) {})
	for range len(input) + 2 {
		body, err := f.next()
		var bad *badFrame
		switch {
		case errors.As(err, &bad):
			got = append(got, fmt.Sprintf("!%d", bad.code))
		case err != nil:
			return got, err
		default:
			got = append(got, string(body))
		}
	}
	t.Fatalf("the reader does not come to an end on %q", input)
	return nil, nil
}

func TestFrames(t *testing.T) {
	tests := []struct {
		name, in string
		want     string // joined by |
		end      error
	}{
		{"plain", "Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", "{}|[1]", io.EOF},
		{"lower case", "content-length: 2\r\n\r\n{}", "{}", io.EOF},
		{"no blank", "CONTENT-LENGTH:2\r\n\r\n{}", "{}", io.EOF},
		{"many blanks", "Content-Length : \t 2  \r\n\r\n{}", "{}", io.EOF},
		{"LF only", "Content-Length: 2\n\n{}", "{}", io.EOF},
		{"other fields", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\nX: y\r\n\r\n{}", "{}", io.EOF},
		{"blanks inside the length", "Content-Length: 5\r\n\r\n{}  \nContent-Length: 2\r\n\r\n[]", "{}  \n|[]", io.EOF},
		{"blank lines between", "Content-Length: 2\r\n\r\n{}\r\n\r\n\nContent-Length: 2\r\n\r\n[]", "{}|[]", io.EOF},
		{"body split at bytes of a rune", "Content-Length: 4\r\n\r\n\"ü\"", `"ü"`, io.EOF},
		{"empty body", "Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", "|{}", io.EOF},
		{"stray line", "Content-Length: 2\r\n\r\n{}printed by a library\r\nContent-Length: 2\r\n\r\n[]", "{}|!-32700|[]", io.EOF},
		{"many stray lines, one error", "Content-Length: 2\r\n\r\n{}one\ntwo\nthree\nContent-Length: 2\r\n\r\n[]", "{}|!-32700|[]", io.EOF},
		{"no length", "Content-Type: x\r\n\r\nContent-Length: 2\r\n\r\n[]", "!-32700|[]", io.EOF},
		{"bad length", "Content-Length: two\r\n\r\nContent-Length: 2\r\n\r\n[]", "!-32700|[]", io.EOF},
		{"negative length", "Content-Length: -2\r\n\r\nContent-Length: 2\r\n\r\n[]", "!-32700|[]", io.EOF},
		{"huge length", "Content-Length: 99999999999999999999\r\n\r\nContent-Length: 2\r\n\r\n[]", "!-32700|[]", io.EOF},
		{"over the limit", "Content-Length: 60\r\n\r\n" + strings.Repeat("x", 60) + "Content-Length: 2\r\n\r\n[]", "!-32600|[]", io.EOF},
		{"long header line", "C: " + strings.Repeat("x", 9000) + "\r\nContent-Length: 2\r\n\r\n[]", "!-32700|[]", io.EOF},
		{"cut in the body", "Content-Length: 20\r\n\r\n{}", "", io.ErrUnexpectedEOF},
		{"cut in a body over the limit", "Content-Length: 200\r\n\r\n{}", "", io.ErrUnexpectedEOF},
		{"cut in the header", "Content-Length: 20\r\n", "", io.ErrUnexpectedEOF},

		{"lines", "{\"a\":1}\n{\"b\":2}\r\n\n  \n[3]", `{"a":1}|{"b":2}|[3]`, io.EOF},
		{"blanks and a mark first", "\r\n \ufeff{}\n", "{}", io.EOF},
		{"a line over the limit", "{}\n" + strings.Repeat("x", 60) + "\n[]\n", "{}|!-32600|[]", io.EOF},
		{"a line of just the limit", strings.Repeat("x", 50) + "\n[]\n", strings.Repeat("x", 50) + "|[]", io.EOF},
		{"typed by hand", "hello\n", "hello", io.EOF},
		{"nothing", "", "", io.EOF},
		{"blanks only", " \n \n", "", io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				got, end := readAll(t, tt.in, r, 50)
				if strings.Join(got, "|") != tt.want || end != tt.end {
					t.Errorf("got %q, %v; want %q, %v", got, end, tt.want, tt.end)
				}
			}
		})
	}
}

// Whatever comes, reading ends, keeps to the limit, and does not depend on how
// the bytes arrive; a good line after bad ones is always found.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"Content-Length: 2\r\n\r\n{}", "content-length:2\n\n{}x\nContent-Length: 1\r\n\r\n1", "{}\n\n[1]\n",
		"Content-Length: 99\r\n\r\n", "C\r\n\r\n\r\n", "{\n\xff\n", "Content-Length: 1\r\nContent-Length: 3\r\n\r\n123",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		const limit = 64
		got, end := readAll(t, string(in), bytes.NewReader(in), limit)
		again, end2 := readAll(t, string(in), iotest.OneByteReader(bytes.NewReader(in)), limit)
		if fmt.Sprint(got, end) != fmt.Sprint(again, end2) {
			t.Errorf("byte by byte %q, %v; at once %q, %v", again, end2, got, end)
		}
		for _, g := range got {
			if len(g) > limit {
				t.Errorf("%d bytes in spite of the limit", len(g))
			}
		}
		line := "{\n" + string(in) + "\n{\"id\":1}\n"
		if got, _ := readAll(t, line, strings.NewReader(line), limit); got[len(got)-1] != `{"id":1}` {
			t.Errorf("the good line is lost: %q", got)
		}
		if len(in) <= limit { // any body comes out as it went in, whatever it holds
			framed := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(in), in)
			if got, _ := readAll(t, framed+framed, strings.NewReader(framed+framed), limit); len(got) != 2 || got[0] != string(in) || got[1] != string(in) {
				t.Errorf("%q comes out of its frames as %q", in, got)
			}
		}
	})
}

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		code int64
	}{
		{`{bad json}`, CodeParseError},
		{``, CodeParseError},
		{`{"id":1,"method":"x"} trailing`, CodeParseError},
		{`[]`, CodeInvalidRequest},
		{` [{"id":1,"method":"x"}]`, CodeInvalidRequest},
		{`"x"`, CodeInvalidRequest},
		{`null`, CodeInvalidRequest},
		{`{}`, CodeInvalidRequest},
		{`{"jsonrpc":"2.0","result":1}`, CodeInvalidRequest},
		{`{"id":1.5,"method":"x"}`, CodeInvalidRequest},
		{`{"id":1e3,"method":"x"}`, CodeInvalidRequest},
		{`{"id":true,"method":"x"}`, CodeInvalidRequest},
		{`{"id":{},"method":"x"}`, CodeInvalidRequest},
		{`{"id":1,"method":7}`, CodeInvalidRequest},
		{`{"id":1,"method":""}`, CodeInvalidRequest},
		{`{"id":1,"method":"x"}`, 0},
		{`{"method":"x","params":{"t":"\ud83d"}}`, 0},
		{`{"id":null,"method":"x"}`, 0},
		{`{"id":7}`, 0},
		{`{"id":7,"error":"text"}`, 0},
	}
	for _, tt := range tests {
		_, bad := parse([]byte(tt.in))
		if (bad == nil) != (tt.code == 0) || bad != nil && bad.Code != tt.code {
			t.Errorf("%s: got %v, want code %d", tt.in, bad, tt.code)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":1,"method":"x","params":[1]}`))
	f.Add([]byte(`{"id":"é","error":{"code":1,"message":"m"}}`))
	f.Add([]byte(`[1]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, bad := parse(in)
		if (m == nil) == (bad == nil) {
			t.Errorf("neither message nor error, or both: %v, %v", m, bad)
		}
		if m == nil || m.id == nil {
			return
		}
		if _, bad := parse(encodeReply(m.id, nil, nil)); bad != nil {
			t.Errorf("the reply to %s is no message: %v", m.id, bad)
		}
	})
}

func BenchmarkFrames(b *testing.B) {
	const frames = 1000
	body := `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"text":"` + strings.Repeat("x", 200) + `"}}`
	in := []byte(strings.Repeat(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body), frames))
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		f := newFrameReader(bytes.NewReader(in), Header, DefaultMaxMessage, nil)
		for range frames {
			if _, err := f.next(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N*frames)/b.Elapsed().Seconds(), "frames/s")
}

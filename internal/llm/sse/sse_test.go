package sse

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// got is an event in a form that outlives the Reader's buffer.
type got struct {
	Name, Data string
	Comment    bool
}

func readAll(r io.Reader) ([]got, error) {
	var events []got
	reader := NewReader(r)
	for {
		e, err := reader.Next()
		if err != nil {
			return events, err
		}
		events = append(events, got{e.Name, string(e.Data), e.Comment})
	}
}

func TestNext(t *testing.T) {
	tests := []struct {
		name, in string
		want     []got
	}{
		{"plain", "data: a\n\ndata: b\n\n", []got{{Data: "a"}, {Data: "b"}}},
		{"no blank after colon", "data:{\"a\":1}\n\n", []got{{Data: `{"a":1}`}}},
		{"one blank only is dropped", "data:  a\n\n", []got{{Data: " a"}}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []got{{Data: "a"}, {Data: "b"}}},
		{"CR", "data: a\r\rdata: b\r\r", []got{{Data: "a"}, {Data: "b"}}},
		{"mixed line ends", "data: a\r\ndata: b\rdata: c\n\r\n", []got{{Data: "a\nb\nc"}}},
		{"several data lines", "data: {\"a\":\ndata: 1}\n\n", []got{{Data: "{\"a\":\n1}"}}},
		{"empty data line between", "data: a\ndata:\ndata: b\n\n", []got{{Data: "a\n\nb"}}},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []got{{Data: "a"}}},
		{"byte order mark only at the start", "data: \xef\xbb\xbf\n\n", []got{{Data: "\xef\xbb\xbf"}}},
		{"empty events", "data:\n\n\n\nevent: ping\n\ndata: a\n\n", []got{{Data: "a"}}},
		{"name", "event: error\ndata: {}\n\ndata: x\n\n", []got{{Name: "error", Data: "{}"}, {Data: "x"}}},
		{"name does not outlive its event", "event: a\n\ndata: x\n\n", []got{{Data: "x"}}},
		{"comment", ": keep-alive\n\ndata: a\n\n", []got{{Comment: true}, {Data: "a"}}},
		{"comment inside an event", "event: e\n: c\ndata: a\n:\ndata: b\n\n",
			[]got{{Comment: true}, {Comment: true}, {Name: "e", Data: "a\nb"}}},
		{"other fields", "id: 7\nretry: 10\nfoo\ndata\ndata: a\n\n", []got{{Data: "\na"}}},
		{"end without blank line", "data: a\n\ndata: [DONE]\n", []got{{Data: "a"}, {Data: "[DONE]"}}},
		{"end without line end", "data: [DONE]", []got{{Data: "[DONE]"}}},
		{"nothing", "", nil},
		{"blank lines only", "\n\r\n\r", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"whole":    strings.NewReader(tt.in),
				"one byte": iotest.OneByteReader(strings.NewReader(tt.in)),
				"data err": iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				events, err := readAll(r)
				if err != io.EOF {
					t.Errorf("%s: error %v, want EOF", name, err)
				}
				if !reflect.DeepEqual(events, tt.want) {
					t.Errorf("%s: got %+v, want %+v", name, events, tt.want)
				}
			}
		})
	}
}

// No number of comments ends a stream.
func TestManyComments(t *testing.T) {
	in := strings.Repeat(": OPENROUTER PROCESSING\n\n", 500) + "data: a\n\n"
	events, err := readAll(strings.NewReader(in))
	if err != io.EOF || len(events) != 501 || events[500].Data != "a" {
		t.Fatalf("%d events, error %v", len(events), err)
	}
}

// An event is returned before the server sends anything more, also when its
// lines end in CR.
func TestIncremental(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		pr, pw := io.Pipe()
		r := NewReader(pr)
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			_, _ = io.WriteString(pw, "data: a"+end+end)
		}()
		if e, err := r.Next(); err != nil || string(e.Data) != "a" {
			t.Errorf("end %q: %q, %v", end, e.Data, err)
		}
		_ = pr.Close()
		<-sent
	}
}

// Long lines are whole; only a line above the limit is an error.
func TestLongLines(t *testing.T) {
	for _, n := range []int{64 << 10, 300 << 10, 5 << 20, MaxLine - len("data: ")} {
		in := "data: " + strings.Repeat("x", n) + "\n\n"
		events, err := readAll(strings.NewReader(in))
		if err != io.EOF || len(events) != 1 || len(events[0].Data) != n {
			t.Errorf("%d bytes: %d events, error %v", n, len(events), err)
		}
	}
	in := "data: a\n\ndata: " + strings.Repeat("x", MaxLine) + "\n\n"
	events, err := readAll(strings.NewReader(in))
	if !errors.Is(err, ErrTooLong) || len(events) != 1 {
		t.Errorf("above the limit: %d events, error %v", len(events), err)
	}
	line := "data: " + strings.Repeat("x", MaxLine/2) + "\n"
	if _, err := readAll(strings.NewReader(line + line + "\n")); !errors.Is(err, ErrTooLong) {
		t.Errorf("an event above the limit: error %v", err)
	}
}

// A broken connection is no end: the event that was being read is not returned.
func TestBrokenConnection(t *testing.T) {
	broken := errors.New("reset")
	in := io.MultiReader(strings.NewReader("data: a\n\ndata: b\nda"), iotest.ErrReader(broken))
	events, err := readAll(in)
	if err != broken || !reflect.DeepEqual(events, []got{{Data: "a"}}) {
		t.Fatalf("got %+v, %v", events, err)
	}
}

// cutReader returns the pieces of data between the cuts, one a Read.
type cutReader struct {
	data []byte
	cuts []byte
}

func (c *cutReader) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := len(c.data)
	if len(c.cuts) > 0 {
		n = min(n, int(c.cuts[0])%7)
		c.cuts = c.cuts[1:]
	}
	n = copy(p, c.data[:n])
	c.data = c.data[n:]
	return n, nil
}

// plainEvents reads a whole stream the plain way, by the words of the standard,
// with our deviations: comments are told, and a last event needs no blank line.
func plainEvents(in string) (events []got) {
	in = strings.TrimPrefix(in, "\xef\xbb\xbf")
	in = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(in)
	var name string
	var data []string
	end := func() {
		if text := strings.Join(data, "\n"); text != "" {
			events = append(events, got{Name: name, Data: text})
		}
		name, data = "", nil
	}
	for line := range strings.SplitSeq(in, "\n") {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			end()
		case field == "":
			events = append(events, got{Comment: true})
		case field == "event":
			name = value
		case field == "data":
			data = append(data, value)
		}
	}
	end()
	return events
}

// Any split of the bytes gives the events that a plain reader finds.
func FuzzSplit(f *testing.F) {
	for _, in := range []string{
		"\xef\xbb\xbfdata: {\"a\":\"ä\"}\r\n\r\n: c\n\nevent: e\rdata: 1\rdata: 2\r\r",
		"data: a\n\ndata:b\r\n\n\rdata: [DONE]",
		"data:\n\n\ndata\n\n",
		"id: 1\nevent\nevent:  x\ndata:: y\n\nretry: 5\n\n:\r\n\r\ndata: \xff\x00",
	} {
		f.Add([]byte(in), []byte{1, 1, 2, 3, 0, 5, 1})
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		// Enough zero-length reads in a row are an error of bufio's own.
		cuts = bytes.ReplaceAll(cuts, []byte{0, 0}, []byte{0, 1})
		for i := range cuts {
			if i > 0 && cuts[i]%7 == 0 {
				cuts[i] = 1
			}
		}
		want, err := readAll(bytes.NewReader(in))
		if plain := plainEvents(string(in)); err != io.EOF || !reflect.DeepEqual(want, plain) {
			t.Fatalf("whole: got %+v, %v, want %+v", want, err, plain)
		}
		events, err := readAll(&cutReader{in, cuts})
		if err != io.EOF || !reflect.DeepEqual(events, want) {
			t.Fatalf("split: got %+v, %v, want %+v", events, err, want)
		}
		for _, e := range want {
			if !e.Comment && e.Data == "" {
				t.Fatal("an event without data")
			}
		}
	})
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// program is a run of the command.
type program struct {
	t      *testing.T
	url    string
	stdin  *io.PipeWriter
	code   chan int
	stderr bytes.Buffer
}

func begin(t *testing.T, script string, flags ...string) *program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.script")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, code: make(chan int, 1)}
	in, stdin := io.Pipe()
	out, stdout := io.Pipe()
	p.stdin = stdin
	go func() {
		p.code <- run(t.Context(), append(flags, file), in, stdout, &p.stderr)
		_ = stdout.Close()
	}()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var first struct{ URL string }
	if err != nil || json.Unmarshal(line, &first) != nil || !strings.HasSuffix(first.URL, "/v1") {
		t.Fatalf("the first line is %q, %v; %s", line, err, p.stderr.String())
	}
	p.url = first.URL
	return p
}

// end closes stdin and returns the exit code.
func (p *program) end() int {
	p.t.Helper()
	_ = p.stdin.Close()
	return <-p.code
}

// do sends a request; path begins below the server, or with /v1.
func (p *program) do(method, path, body string) (int, string) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, strings.TrimSuffix(p.url, "/v1")+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Close = true
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

const ask = `{"model":"m","temperature":0,"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hello."}]}`

func TestServe(t *testing.T) {
	p := begin(t, "reply\n  expect contains Hello\n  pace 1\n  text one two\n  pause 5\n  hold middle\n  text three\n")
	var asking sync.WaitGroup
	asking.Go(func() {
		if code, text := p.do("POST", "/v1/chat/completions", ask); code != 200 || !strings.Contains(text, `"three"`) || !strings.HasSuffix(text, "data: [DONE]\n\n") {
			t.Errorf("%d %s", code, text)
		}
	})
	if code, _ := p.do("GET", "/held?name=middle", ""); code != 204 {
		t.Errorf("held: %d", code)
	}
	if code, text := p.do("GET", "/requests", ""); code != 200 || strings.TrimSpace(text) != "["+ask+"]" {
		t.Errorf("requests: %d %s", code, text)
	}
	for path, want := range map[string]int{"/release": 400, "/held": 400, "/release?name=middle": 204} {
		method := "POST"
		if path == "/held" {
			method = "GET"
		}
		if code, text := p.do(method, path, ""); code != want {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	asking.Wait()
	if code, text := p.do("POST", "/script", "nonsense"); code != 400 || !strings.Contains(text, "before the first reply") {
		t.Errorf("a bad script: %d %s", code, text)
	}
	if code, _ := p.do("POST", "/script", "reply\n  conversation b\n  text more\n"); code != 204 {
		t.Errorf("more of the script: %d", code)
	}
	if _, text := p.do("POST", "/v1/chat/completions", ask); !strings.Contains(text, "more") {
		t.Errorf("got %s", text)
	}
	if code := p.end(); code != 0 || p.stderr.Len() > 0 {
		t.Errorf("exit code %d: %s", code, p.stderr.String())
	}
}

func TestServeTellsFaults(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		flags        []string
		play         func(*program)
		code         int
		words        string
	}{
		{"nothing asked for", "reply\n  text a\n", nil, func(*program) {}, 1, "1 of 1 replies were not asked for"},
		{"which is allowed", "reply\n  text a\n", []string{"-partial"}, func(*program) {}, 0, ""},
		{"dismissed", "reply\n  text a\n", nil, func(p *program) { p.do("POST", "/dismiss", "") }, 0, ""},
		{"held for ever", "reply\n  hold x\n  text a\n", []string{"-partial"}, func(*program) {}, 0, ""},
		{"asked too much", "", nil, func(p *program) { p.do("POST", "/v1/chat/completions", ask) }, 1, "unexpected request 1"},
		{"asked wrongly", "reply\n  expect contains Goodbye\n  text a\n", nil, func(p *program) { p.do("POST", "/v1/chat/completions", ask) }, 1, `does not contain "Goodbye"`},
		{"no JSON", "reply\n  text a\n", []string{"-partial"}, func(p *program) {
			p.do("POST", "/v1/chat/completions", "{")
			if _, text := p.do("GET", "/requests", ""); strings.TrimSpace(text) != "[null]" {
				t.Errorf("requests: %s", text)
			}
		}, 1, "not what the API takes"},
		{"asked elsewhere", "", nil, func(p *program) { p.do("GET", "/v2/models", "") }, 1, "unexpected request GET /v2/models"},
	} {
		p := begin(t, tt.script, tt.flags...)
		tt.play(p)
		if code := p.end(); code != tt.code || !strings.Contains(p.stderr.String(), tt.words) || tt.words == "" && p.stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, want %d: %s", tt.name, code, tt.code, p.stderr.String())
		}
	}
}

func TestServeCannotStart(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("reply\n  pause soon\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-nonsense"}, {"/does/not/exist"}, {bad}} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != 2 || stdout.Len() > 0 || stderr.Len() == 0 {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, stdout.String(), stderr.String())
		}
	}
}

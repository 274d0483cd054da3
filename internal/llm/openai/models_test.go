package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/test/fakellm"
)

func ids(list []openai.ModelInfo) []string {
	var ids []string
	for _, m := range list {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestListModels(t *testing.T) {
	s := fakellm.Start(t, "")
	list, err := client(t, openai.Options{BaseURL: s.URL()}).ListModels(t.Context())
	if err != nil || !slices.Equal(ids(list), []string{"fake-model"}) {
		t.Errorf("%+v, %v", list, err)
	}
	for body, want := range map[string]string{
		`{"data":[{"id":"b"},{"id":"a","object":"model"},{"id":"b"},{"id":""},{}]}`: "[{ID:a Name: ContextWindow:0 Owner:} {ID:b Name: ContextWindow:0 Owner:}]",
		`{"object":"list","data":null}`:                                             "[]",
		"\n\t[]":                                                                    "[]",
		`[{"id":"a","display_name":"A","context_length":8}]`:                        "[{ID:a Name:A ContextWindow:8 Owner:}]",
		`{"data":[{"id":"o","name":"Open","context_length":131072.0}]}`:             "[{ID:o Name:Open ContextWindow:131072 Owner:}]",
		`{"data":[{"id":"v","owned_by":"vllm","max_model_len":4096,"name":"v"}]}`:   "[{ID:v Name: ContextWindow:4096 Owner:vllm}]",
		`{"data":[{"id":"m","max_context_length":32768,"name":null}]}`:              "[{ID:m Name: ContextWindow:32768 Owner:}]",
		`{"data":[{"id":"g","context_window":-1,"owned_by":7,"name":{}}]}`:          "[{ID:g Name: ContextWindow:0 Owner:}]",
		`{"data":[{"id":"h","context_window":"big","context_length":1e300}]}`:       "[{ID:h Name: ContextWindow:0 Owner:}]",
	} {
		url := serve(t, 200, nil, body)
		for _, base := range []string{url, strings.TrimSuffix(url, "/v1")} {
			list, err := client(t, openai.Options{BaseURL: base}).ListModels(t.Context())
			if got := fmt.Sprintf("%+v", list); err != nil || got != want {
				t.Errorf("%s: %s, %v, want %s", body, got, err, want)
			}
		}
	}
}

// What a server does wrong is a sentence with a hint, and never shows the key.
func TestListModelsFailures(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		want   llm.Class
		words  string
	}{
		{401, `{"error":{"message":"no, test-key-1"}}`, llm.Auth, "no, "},
		{404, `{"error":"nothing here"}`, llm.Refused, "lists no models"},
		{500, `{"error":{"message":"test-key-1 broke it"}}`, llm.Overloaded, "broke it"},
		{200, `{"data":7}`, llm.Refused, "malformed"},
		{200, `{"models":[]}`, llm.Refused, "malformed"},
		{200, `{"data":[{"id":`, llm.Refused, "malformed"},
		{200, `{"data":[{"id":5}]}`, llm.Refused, "malformed"},
		{200, "", llm.Refused, "malformed"},
		{200, "  <!doctype html><title>Sign in</title>", llm.Refused, "web page"},
		{200, `{"data":[{"id":"` + strings.Repeat("x", 9<<20) + `"}]}`, llm.Refused, "malformed"},
	} {
		url := serve(t, tt.status, nil, tt.body)
		_, err := openai.Ask(t.Context(), openai.Options{BaseURL: url, APIKey: "test-key-1"})
		if class(err) != tt.want || strings.Contains(err.Error(), "test-key-1") || !strings.Contains(strings.ToLower(err.Error()), tt.words) || llm.AsError(err).Hint == "" {
			t.Errorf("%d %.40s: class %s, want %s: %v; hint %q", tt.status, tt.body, class(err), tt.want, err, llm.AsError(err).Hint)
		}
	}
	if _, err := openai.Ask(t.Context(), openai.Options{BaseURL: "http://127.0.0.1:1/v1"}); class(err) != llm.Network || llm.AsError(err).Hint == "" {
		t.Errorf("nobody there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openai.Ask(ctx, openai.Options{BaseURL: "http://127.0.0.1:1/v1"}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// A redirect to elsewhere does not take the key along, not even to another port.
func TestRedirectKeepsTheKey(t *testing.T) {
	var got []string
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization")+r.Header.Get("X-Own"))
		_, _ = w.Write([]byte(`{"data":[]}`))
	}))
	defer target.Close()
	var from *httptest.Server
	from = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := target.URL + "/v1/models"
		if r.URL.Path == "/v1/models" {
			to = from.URL + "/v2/models"
		} else if r.Header.Get("Authorization") != "Bearer k1" {
			t.Errorf("the key is lost on the same server: %v", r.Header)
		}
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}))
	defer from.Close()
	c := client(t, openai.Options{BaseURL: from.URL + "/v1", APIKey: "k1", Headers: map[string]string{"X-Own": "k2"}})
	if _, err := c.ListModels(t.Context()); err != nil || !slices.Equal(got, []string{""}) {
		t.Errorf("%v; the other server was told %q", err, got)
	}
}

// hostile serves what a discovery meets that asks whatever listens.
func hostile(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = quiet()
	s.Start()
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestDiscover(t *testing.T) {
	asked := 0
	elsewhere := hostile(t, func(w http.ResponseWriter, r *http.Request) { asked++ })
	none := serve(t, 200, nil, `{"object":"list","data":null}`)
	lmStudio := serve(t, 200, nil, `{"data":[{"id":"qwen","owned_by":"organization_owner"},{"id":"gemma","owned_by":"organization_owner"},{"id":"qwen"}]}`)
	ollama := serve(t, 200, nil, `{"data":[{"id":"mine","owned_by":"me"},{"id":"llama3:8b","owned_by":"library"}]}`)
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, `,{"id":"model-%05d"}`, 9999-i)
	}
	lots := serve(t, 200, nil, `{"data":[`+many.String()[1:]+`]}`)
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	places := []string{
		lots,
		serve(t, 401, nil, `{}`), serve(t, 404, nil, ``), serve(t, 500, nil, `no`),
		serve(t, 200, nil, `<html>`), serve(t, 200, nil, `{"data":`), serve(t, 200, nil, `{"hello":"world"}`),
		serve(t, 302, http.Header{"Location": {elsewhere + "/models"}}, ``),
		serve(t, 307, http.Header{"Location": {elsewhere + "/models"}}, ``),
		hostile(t, func(w http.ResponseWriter, r *http.Request) { // hangs
			select {
			case <-stuck:
			case <-r.Context().Done():
			}
		}),
		hostile(t, func(w http.ResponseWriter, r *http.Request) { // never ends
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(strings.Repeat(" ", 1<<16))); err != nil {
					return
				}
			}
		}),
		hostile(t, func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }),
		lmStudio, ollama + "/", none, lmStudio, ollama, strings.Replace(none, "127.0.0.1", "localhost", 1),
		"http://127.0.0.1:1/v1", "http://192.0.2.1/v1", "https://models.example/v1", "http://user@127.0.0.1/v1", "nonsense", "", "ftp://127.0.0.1",
	}
	start := time.Now()
	found := openai.Discover(t.Context(), places)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if asked != 0 {
		t.Errorf("%d redirects were followed", asked)
	}
	if len(found) != 4 {
		t.Fatalf("found %d: %+.200v", len(found), found)
	}
	if m := found[0].Models; len(m) != 10_000 || !slices.IsSorted(m) || found[0].BaseURL != lots {
		t.Errorf("%d models at %s", len(m), found[0].BaseURL)
	}
	want := fmt.Sprintf("[{Name:LM Studio Ollama:false BaseURL:%s Models:[gemma qwen]} {Name:Ollama Ollama:true BaseURL:%s Models:[llama3:8b mine]} {Name:OpenAI-compatible server Ollama:false BaseURL:%s Models:[]}]", lmStudio, ollama, none)
	if got := fmt.Sprintf("%+v", found[1:]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if found := openai.Discover(t.Context(), nil); found != nil {
		t.Errorf("nowhere: %+v", found)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found := openai.Discover(ctx, places); len(found) != 0 {
		t.Errorf("cancelled: %+v", found)
	}
}

func TestOllamaPlace(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "  ": "", "ftp://x": "",
		"127.0.0.1":            "http://127.0.0.1:11434/v1",
		"0.0.0.0":              "http://127.0.0.1:11434/v1",
		"0.0.0.0:9000":         "http://127.0.0.1:9000/v1",
		":9000":                "http://127.0.0.1:9000/v1",
		"[::]:9000":            "http://127.0.0.1:9000/v1",
		"[::1]":                "http://[::1]:11434/v1",
		"::1":                  "http://[::1]:11434/v1",
		"localhost":            "http://localhost:11434/v1",
		"box.lan:1":            "http://box.lan:1/v1",
		"http://127.0.0.1":     "http://127.0.0.1:80/v1",
		"https://box/":         "https://box:443/v1",
		"http://box:8/ollama/": "http://box:8/ollama/v1",
	} {
		if got := openai.OllamaPlace(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		settings, host, want string
	}{
		{openai.Ollama + " http://127.0.0.1:1234/v1", ":9000", openai.Ollama + " http://127.0.0.1:1234/v1 http://127.0.0.1:9000/v1"},
		{openai.Ollama, "", openai.Ollama},
		{"http://127.0.0.1:1234/v1", ":9000", "http://127.0.0.1:1234/v1"},
		{"", ":9000", ""},
	} {
		settings := strings.Fields(tt.settings)
		if got := strings.Join(openai.Places(settings, tt.host), " "); got != tt.want {
			t.Errorf("%q with %q: %q", tt.settings, tt.host, got)
		}
	}
}

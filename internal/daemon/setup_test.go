package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"clined/internal/config"
	"clined/internal/protocol"
	"clined/internal/server"
)

// sessionOn is a session on settings of its own, of nobody's environment.
func sessionOn(t *testing.T, settings string, environ ...string) *session {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	d, problems, err := New(Options{
		Dirs: config.Dirs{Config: dir, State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")}, Environ: append(environ, "CLINED_HOME="+dir),
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	t.Cleanup(d.Close)
	s, err := d.Open(context.Background(), server.SessionSpec{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.(*session)
}

// endpoint answers each request for models with what it was sent as a key, as a
// name of a model.
func endpoint(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/refuses/"):
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"Incorrect API key provided: `+r.Header.Get("Authorization")+`"}}`)
		case strings.HasPrefix(r.URL.Path, "/hangs/"):
			<-r.Context().Done()
		default:
			_, _ = fmt.Fprintf(w, `{"data":[{"id":%q,"name":"Key","context_length":4096}]}`, "sent "+r.Header.Get("Authorization"))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A setup screen checks an address and a key; the key goes there and nowhere else.
func TestModelsOfAnEndpoint(t *testing.T) {
	mine, other := endpoint(t), endpoint(t)
	s := sessionOn(t, `{"baseUrl": "`+mine+`/v1"}`, "OPENAI_API_KEY=vendor-key")
	ctx := t.Context()
	if err := s.Accounts().Login(ctx, protocol.Account{Provider: "openai", BaseURL: mine}, "my-key", false); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		p    protocol.ModelListParams
		want string
	}{
		{protocol.ModelListParams{}, `{"models":[{"id":"sent Bearer my-key","name":"Key","contextWindow":4096}]}`},
		{protocol.ModelListParams{BaseURL: mine + "/v2/"}, `{"models":[{"id":"sent Bearer my-key","name":"Key","contextWindow":4096}]}`},
		{protocol.ModelListParams{BaseURL: other + "/v1"}, `{"models":[{"id":"sent ","name":"Key","contextWindow":4096}]}`},
		{protocol.ModelListParams{Provider: "ollama", BaseURL: mine + "/v1"}, `{"models":[{"id":"sent ","name":"Key","contextWindow":4096}]}`},
		{protocol.ModelListParams{BaseURL: mine + "/v1", Secret: "tried"}, `{"models":[{"id":"sent Bearer tried","name":"Key","contextWindow":4096}]}`},
		{protocol.ModelListParams{BaseURL: other + "/v1", Secret: "tried"}, `{"models":[{"id":"sent Bearer tried","name":"Key","contextWindow":4096}]}`},
		{protocol.ModelListParams{BaseURL: mine + "/v1"}, `{"models":[{"id":"sent Bearer my-key","name":"Key","contextWindow":4096}]}`},
		{protocol.ModelListParams{BaseURL: mine + "/refuses/v1"},
			`{"models":null,"problem":"Incorrect API key provided: Bearer *** (HTTP 401)","hint":"check the API key for ` + strings.TrimPrefix(mine, "http://") + ` and what it may be used for"}`},
		{protocol.ModelListParams{BaseURL: other + "/refuses/v1"},
			`{"models":null,"problem":"Incorrect API key provided: (HTTP 401)","hint":"store an API key for ` + strings.TrimPrefix(other, "http://") + `: clined auth login --base-url ` + other + `/refuses/v1"}`},
	} {
		got, err := json.Marshal(s.Setup().Models(ctx, tt.p))
		if err != nil || string(got) != tt.want {
			t.Errorf("%+v:\n%s, want\n%s", tt.p, got, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	var asking sync.WaitGroup
	asking.Go(func() { s.Setup().Models(ctx, protocol.ModelListParams{BaseURL: mine + "/hangs/v1"}) })
	cancel()
	asking.Wait()
}

// What an editor takes back is its own: a key that the command line stored is
// there again.
func TestLogoutOfThisProcess(t *testing.T) {
	s := sessionOn(t, `{"model": "m", "baseUrl": "https://mine/v1"}`)
	ctx, acc := t.Context(), protocol.Account{Provider: "openai", BaseURL: "https://mine"}
	where := func() string {
		t.Helper()
		list, err := s.Accounts().Status(ctx)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0].Where
	}
	for _, persist := range []bool{true, false} {
		if err := s.Accounts().Login(ctx, acc, "key", persist); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		persist bool
		want    string
	}{{false, "file"}, {false, "file"}, {true, ""}} {
		if where() == "" {
			t.Fatal("it is gone")
		}
		if err := s.Accounts().Logout(ctx, acc, tt.persist); err != nil || where() != tt.want {
			t.Errorf("%+v: %v, in %q", tt, err, where())
		}
	}
}

// Who looks for an Ollama looks where the user has theirs.
func TestDiscoverGoesByTheEnvironment(t *testing.T) {
	at := endpoint(t)
	s := sessionOn(t, `{}`, "OLLAMA_HOST="+strings.TrimPrefix(at, "http://"))
	found := s.Setup().Discover(t.Context())
	if len(found) == 0 || found[len(found)-1].BaseURL != at+"/v1" {
		t.Errorf("found %+v", found)
	}
	s = sessionOn(t, `{"discover": []}`, "OLLAMA_HOST="+strings.TrimPrefix(at, "http://"))
	if found := s.Setup().Discover(t.Context()); len(found) > 0 {
		t.Errorf("found %+v", found)
	}
}

// The demo comes and goes while settings change and others look.
func TestDemoBesideAll(t *testing.T) {
	s := sessionOn(t, `{}`)
	ctx := t.Context()
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 20 {
				switch n {
				case 0:
					if err := s.Setup().Demo(ctx, i%2 == 1); err != nil {
						t.Error(err)
					}
				case 1:
					_ = s.Configure(json.RawMessage(fmt.Sprintf(`{"model": "m%d", "baseUrl": "http://127.0.0.1:1/v1"}`, i)))
				case 2:
					if st := s.Setup().Status(ctx); st.Demo != (st.Model == "clined-demo") {
						t.Errorf("%+v", st)
					}
				case 3:
					_ = s.SetOption("model", fmt.Sprint("x", i))
					s.Options()
				}
			}
		})
	}
	all.Wait()
	if err := s.Setup().Demo(ctx, false); err != nil {
		t.Fatal(err)
	}
	if st := s.Setup().Status(ctx); !st.Demo || !st.Configured || st.Problem != "" {
		t.Errorf("%+v", st)
	}
	_ = s.Configure(json.RawMessage(`{"model": "m19", "baseUrl": "http://127.0.0.1:1/v1", "contextWindow": 3000}`)) // no other
	if st := s.Setup().Status(ctx); !st.Demo {
		t.Errorf("%+v", st)
	}
	_ = s.Configure(json.RawMessage(`{"baseUrl": "http://127.0.0.1:1/v1"}`)) // names none
	if st := s.Setup().Status(ctx); !st.Demo {
		t.Errorf("%+v", st)
	}
	_ = s.Configure(json.RawMessage(`{"model": "last"}`))
	if st := s.Setup().Status(ctx); st.Demo || st.Model != "last" {
		t.Errorf("%+v", st)
	}
}

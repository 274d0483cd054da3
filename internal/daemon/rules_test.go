package daemon

import (
	"strings"
	"testing"

	"clined/internal/approval"
	"clined/internal/store"
	"clined/internal/tools"
)

// A stored rule that is not understood whole allows nothing, is told of, and can
// be listed and removed.
func TestRulesOfAnotherVersion(t *testing.T) {
	for text, readable := range map[string]bool{
		`{"scope":"user","kind":"command","commands":[["ls"]]}`:                       true,
		`{"kind":"edit","inside":true,"paths":["docs/**"]}`:                           true,
		`{"scope":"user","kind":"command","commands":[["ls"]],"except":[["ls","/"]]}`: false,
		`{"scope":"user","kind":"command","commands":"ls"}`:                           false,
		`["command"]`: false,
	} {
		st := store.Open(t.TempDir(), store.Options{})
		defer st.Close()
		id, err := st.AddRule(t.Context(), store.Rule{Scope: "user", Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		rules := NewRules(st, "")
		got, err := rules.Rules(t.Context())
		if (err == nil) != readable || (len(got) == 1) != readable {
			t.Errorf("%s: %v, %v", text, got, err)
		}
		want := approval.Allow
		if !readable {
			want = approval.Ask
		}
		if list, err := rules.List(t.Context(), true); err != nil || len(list) != 1 || list[0].ID != id || list[0].Verdict != string(want) || list[0].Pattern == "" {
			t.Errorf("%s: %+v, %v", text, list, err)
		}
		if err := rules.Remove(t.Context(), id); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestParseRule(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"kind":"command","exact":[["a"]]}`: true, " {\"kind\":\"read\"}\n": true,
		`{"kind":"command"} {"kind":"edit"}`: false, `{"kind":"command"}x`: false, ``: false, `{`: false, `{"kind":7}`: false,
	} {
		r, err := parseRule([]byte(text))
		if (err == nil) != ok || (ok && r.Kind != tools.Command && r.Kind != tools.Read) || (!ok && r.Kind != "") {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

// What is wrong with the limits of the environment is told, and what is of a
// wrong type lets nothing run unasked.
func TestLimitsOfTheEnvironment(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, `{"deny": ["rm *"]}`: nil,
		`{"denny": ["rm *"], "x": 1}`: {`no key "denny"`, `no key "x"`},
		`{"deny": "rm *"}`:            {`"deny" is to be a list of texts`},
		`{"allowRedirects": "yes"}`:   {`"allowRedirects" is to be true or false`},
		"null":                        {"cannot be read: it is null"},
	} {
		limits, problems := limitsOf(text)
		if len(problems) != len(want) || (limits == nil) != (text == "") {
			t.Errorf("%s: %+v", text, problems)
			continue
		}
		for i, p := range problems {
			if !strings.Contains(p.Message, want[i]) || p.Key != approval.LimitsVariable || p.Hint == "" || p.Source == "" {
				t.Errorf("%s: %+v", text, p)
			}
		}
	}
}

package config

import (
	"strings"
	"testing"
)

func TestShownURL(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "https://api.example.com/v1": "https://api.example.com/v1",
		"http://127.0.0.1:1/v1?api_key=sk-QUERYSECRET":         "http://127.0.0.1:1/v1?api_key=***",
		"https://h/v1?KEY=a&api-version=2024-10-21&code=b#top": "https://h/v1?KEY=***&api-version=2024-10-21&code=***#top",
		"https://h?subscription-key=a;b=c":                     "https://h?subscription-key=***&b=***",
		"https://h/v1?flag&empty=":                             "https://h/v1?flag&empty=",
		"https://user:pass@h/v1?x=y":                           "https://***@h/v1?x=***",
		"https://user:p@ss@h":                                  "https://***@h",
		"https://h/v1@2":                                       "https://h/v1@2",
		"%%%?key=secret":                                       "%%%?key=***",
	} {
		if got := ShownURL(raw); got != want {
			t.Errorf("%q is shown as %q, want %q", raw, got, want)
		}
	}
}

// No word about an endpoint holds the key in its query.
func TestKeyInTheQueryIsNotShown(t *testing.T) {
	const url = "https://h/v1?api_key=sk-QUERYSECRET"
	for _, text := range []string{
		`{"model": "m", "baseUrl": "` + url + `", "apiKey": "keyring"}`,
		`{"model": "m", "baseUrl": "` + url + `", "apiKey": "${env:NONE}"}`,
		`{"model": "m", "apiKey": "${env:NONE}", "act": {"baseUrl": "` + url + `"}}`,
	} {
		s, problems := Merge(noEnv, file(t, text))
		if len(problems) != 0 {
			t.Fatal(problems)
		}
		e, err := s.Endpoint("act", Lookup{Getenv: noEnv})
		var words []string
		if err != nil {
			words = append(words, err.Error(), err.(*Problem).Hint)
		} else if e.Warning != nil {
			words = append(words, e.Warning.Message, e.Warning.Hint)
		}
		for _, name := range []string{"baseUrl", "act.baseUrl"} {
			k, _ := findKey(name)
			value, _ := s.Value(k)
			words = append(words, string(value))
		}
		if all := strings.Join(words, "\n"); strings.Contains(all, "QUERYSECRET") || !strings.Contains(all, "api_key=***") {
			t.Error(all)
		}
	}
}

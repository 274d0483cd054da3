package openai

import (
	"net/url"
	"slices"
	"strings"
)

// masker takes secrets out of texts that users and logs will see: servers echo
// what they were sent.
type masker struct{ secrets []string }

// looksSecret matches keys that are not ours to know, such as those of a
// gateway that quotes its own request.
var looksSecret = pattern(`\b(sk|gsk|xai)-[A-Za-z0-9_-]{12,}|(?i:\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}|\bAIza[A-Za-z0-9_-]{30,}`)

// shortestSecret keeps common words that stand in for a key ("none") in texts.
const shortestSecret = 6

func newMasker(key string, headers map[string]string, urls ...*url.URL) masker {
	secrets := []string{key}
	for _, v := range headers {
		secrets = append(secrets, v)
		if _, token, ok := strings.Cut(v, " "); ok {
			secrets = append(secrets, token)
		}
	}
	for _, u := range urls {
		secrets = append(secrets, secretsOf(u)...)
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < shortestSecret })
	// The longest first, so that none is left half.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	return masker{slices.Compact(secrets)}
}

// secretWords stand in the names of parameters that hold secrets.
var secretWords = [...]string{"key", "token", "secret", "sig", "auth", "pass", "code"}

func secretsOf(u *url.URL) []string {
	if u == nil {
		return nil
	}
	var secrets []string
	if p, set := u.User.Password(); set {
		secrets = append(secrets, p, url.QueryEscape(p))
	}
	for name, values := range u.Query() {
		n := strings.ToLower(name)
		if slices.ContainsFunc(secretWords[:], func(word string) bool { return strings.Contains(n, word) }) {
			secrets = append(secrets, values...)
		}
	}
	return secrets
}

func (m masker) text(s string) string {
	for _, secret := range m.secrets {
		s = strings.ReplaceAll(s, secret, "***")
	}
	return looksSecret().ReplaceAllString(s, "***")
}

package openai

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"clined/internal/llm"
)

// parseBase reads a base URL as people write it: with the endpoint's path or a
// slash at its end, or without a scheme for a server on this machine.
func parseBase(s string) (*url.URL, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		s = goopenai.DefaultConfig("").BaseURL
	}
	const hint = `set "baseUrl" to something like "https://api.openai.com/v1" or "http://127.0.0.1:11434/v1"`
	if !strings.Contains(s, "://") {
		host, _, _ := strings.Cut(s, "/")
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if !isLoopback(host) {
			return nil, settingError(llm.Refused, hint, "the base URL %q has no scheme", s)
		}
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, settingError(llm.Refused, hint, "the base URL is no http or https URL")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, "/chat/completions"), "/")
	u.RawPath, u.Fragment = "", ""
	return u, nil
}

func isLoopback(host string) bool {
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// cleanKey drops the blanks that come with a key from a file or a clipboard.
func cleanKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	for _, r := range key {
		if r <= ' ' || r > '~' {
			return "", settingError(llm.Auth, "copy the key again; it may hold a line break or a typographic character",
				"the API key holds a character that no key has")
		}
	}
	return key, nil
}

// newTransport limits the time to connect but never that of a whole exchange.
// Compression is off: a compressed stream comes in lumps.
func newTransport(proxy *url.URL, caFile string) (*http.Transport, error) {
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout: 15 * time.Second,
		IdleConnTimeout:     60 * time.Second,
		MaxIdleConnsPerHost: 4,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true,
	}
	if proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) {
			if isLoopback(r.URL.Hostname()) {
				return nil, nil
			}
			return proxy, nil
		}
	}
	if caFile != "" {
		pool, err := certificates(caFile)
		if err != nil {
			return nil, err
		}
		t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return t, nil
}

func parseProxy(s string) (*url.URL, error) {
	if s == "" {
		return nil, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return nil, settingError(llm.Refused, `set "proxy" to something like "http://proxy.example:8080"`, "the proxy is no URL")
	}
	return u, nil
}

func certificates(file string) (*x509.CertPool, error) {
	const hint = `"caFile" names a file of certificates in PEM form`
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, settingError(llm.Refused, hint, "cannot read the CA file: %v", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, settingError(llm.Refused, hint, "the CA file %q holds no certificate", file)
	}
	return pool, nil
}

// redirect follows only redirects that keep a POST a POST: the others would lose
// the request's body, and the answer would make no sense. A key goes along to no
// other place than it was given for, not even to another port of the host.
func (c *Client) redirect(r *http.Request, via []*http.Request) error {
	if r.Method != via[0].Method || len(via) >= 5 {
		return http.ErrUseLastResponse
	}
	if !samePlace(via[0].URL, r.URL) {
		r.Header.Del("Authorization")
		for name := range c.headers {
			r.Header.Del(name)
		}
	}
	return nil
}

// samePlace says whether to is where from is, or the same over TLS.
func samePlace(from, to *url.URL) bool {
	if from.Scheme == to.Scheme {
		return strings.EqualFold(from.Host, to.Host)
	}
	return to.Scheme == "https" && from.Port() == "" && to.Port() == "" && strings.EqualFold(from.Hostname(), to.Hostname())
}

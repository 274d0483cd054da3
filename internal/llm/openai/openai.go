// Package openai owns the dialect of OpenAI's chat completions, as spoken by
// OpenAI and by the many servers compatible with it: the request's bytes, the
// streamed chunks in all their odd shapes, usage, failures and their classes,
// the list of models, and the servers found on this machine.
//
// It never retries (the loop does) except to leave out a parameter that the
// server says it does not take. It imports no tools and no agent. daemon, demo
// and tests import it.
package openai

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"time"

	"clined/internal/llm"
)

// DefaultIdleTimeout is how long a server may say nothing, the time to its
// first byte included: local servers take minutes to read a long prompt.
const DefaultIdleTimeout = 5 * time.Minute

// Options say where and how requests go. The zero value is OpenAI without a key.
type Options struct {
	// BaseURL such as "https://api.openai.com/v1" (the default). A query is kept.
	BaseURL string
	// APIKey is sent as a bearer token; empty sends none, as local servers like it.
	APIKey string
	// Headers are sent with each request. Their values are taken for secrets.
	Headers map[string]string
	// Proxy is a URL; "" goes by HTTPS_PROXY and its like. Loopback hosts are
	// always reached directly.
	Proxy string
	// CAFile names a PEM file of certificates trusted beside the system's.
	CAFile string
	// IdleTimeout is 0 for DefaultIdleTimeout. There is no limit on the whole.
	IdleTimeout time.Duration
	// HTTPClient replaces the connection settings above (Proxy, CAFile).
	HTTPClient *http.Client
	// Now is the clock for dates in headers; nil for time.Now.
	Now func() time.Time
	// Log is for maintainers; nil for slog.Default.
	Log *slog.Logger
}

// Client speaks to one server. It may be used by several goroutines.
type Client struct {
	base    *url.URL
	key     string
	headers map[string]string
	http    *http.Client
	idle    time.Duration
	now     func() time.Time
	log     *slog.Logger
	mask    masker
	quirks  quirkBook
	schemas schemaBook
}

// New returns a client and sends nothing. An error is an *llm.Error that names
// the setting at fault.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, err
	}
	key, err := cleanKey(o.APIKey)
	if err != nil {
		return nil, err
	}
	proxy, err := parseProxy(o.Proxy)
	if err != nil {
		return nil, err
	}
	hc := o.HTTPClient
	if hc == nil {
		t, err := newTransport(proxy, o.CAFile)
		if err != nil {
			return nil, err
		}
		hc = &http.Client{Transport: t}
	}
	own := *hc
	c := &Client{base: base, key: key, headers: maps.Clone(o.Headers), http: &own, idle: o.IdleTimeout, now: o.Now, log: o.Log}
	own.CheckRedirect = c.redirect
	if c.idle <= 0 {
		c.idle = DefaultIdleTimeout
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.log == nil {
		c.log = slog.Default()
	}
	c.mask = newMasker(key, o.Headers, base, proxy)
	return c, nil
}

// Close closes the connections that are kept for later requests. Streams that
// run go on.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Encode returns the body of the request as Stream would send it now.
func (c *Client) Encode(req llm.Request) ([]byte, error) {
	return encode(req, c.quirksFor(req.Model.ID), &c.schemas, c.log)
}

// Stream implements llm.Client.
func (c *Client) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		s := &stream{c: c, req: req, yield: yield}
		err := s.run(ctx)
		switch {
		case err == nil || s.left:
		case ctx.Err() != nil:
			yield(llm.Event{}, ctx.Err())
		default:
			yield(llm.Event{}, err)
		}
	}
}

// endpoint is the URL of a path below the base, with the base's query.
func (c *Client) endpoint(path string) *url.URL {
	base := *c.base
	if base.Path == "" { // JoinPath would leave the path without its slash
		base.Path = "/"
	}
	return base.JoinPath(path)
}

func settingError(class llm.Class, hint, format string, args ...any) *llm.Error {
	return &llm.Error{Class: class, Message: fmt.Sprintf(format, args...), Hint: hint}
}

var _ llm.Client = (*Client)(nil)

package openai

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"clined/internal/llm"
	"clined/internal/llm/sse"
)

// maxMessage is the longest text of a provider shown to the user, in characters.
const maxMessage = 500

// httpError makes an error of an answer whose status is not 200.
func (c *Client) httpError(ctx context.Context, resp *http.Response, body io.Reader, model string) error {
	raw, err := io.ReadAll(io.LimitReader(body, maxErrorBody))
	if err != nil && ctx.Err() != nil {
		return c.networkError(ctx, err)
	}
	f := parseFault(raw)
	if resp.StatusCode/100 == 3 {
		f.message = fmt.Sprintf("the server redirects to %q", resp.Header.Get("Location"))
	}
	e := c.failure(resp.StatusCode, f, model)
	e.RetryAfter = retryAfter(resp.StatusCode, resp.Header, f, c.now())
	return e
}

// streamError makes an error of an error object inside a stream of status 200.
func (c *Client) streamError(f fault, model string) error {
	e := c.failure(f.status, f, model)
	e.RetryAfter = min(f.retry, longestDelay)
	return e
}

func (c *Client) failure(status int, f fault, model string) *llm.Error {
	// Masked before it is shortened: half a secret is one too.
	message := shorten(c.mask.text(f.message), maxMessage)
	if message == "" && len(f.words) > 0 {
		message = shorten(c.mask.text(strings.Join(f.words, " ")), maxMessage)
	}
	if message == "" {
		message = strings.ToLower(http.StatusText(status))
	}
	if message == "" {
		message = "the provider reports an error and does not say which"
	}
	class := classify(status, f)
	return &llm.Error{Class: class, Status: status, Message: message, Hint: c.hint(class, status, f, model)}
}

var aboutModel = pattern(`(?i)\bmodel\b[^.]{0,100}(not found|not exist|not available|unknown|invalid|decommissioned|no longer)|(no such|unknown|invalid|valid) model|try pulling|no endpoints found`)

// aboutTool names the tool whose schema a server refuses.
var aboutTool = pattern(`(?i)schema for (?:function|tool) ['"]([^'"]+)['"]`)

// noTools is said of models that can only chat, such as by Ollama.
var noTools = pattern(`(?i)(not|n't) (support|allow) (tool|function)|(tool|function)( ?call(s|ing)?|s| use)? (is|are)( not|n't) (supported|allowed)|no endpoints found that support tool`)

func (c *Client) hint(class llm.Class, status int, f fault, model string) string {
	switch class {
	case llm.Auth:
		if c.key == "" {
			return fmt.Sprintf("store an API key for %s: clined auth login --base-url %s", c.base.Host, c.baseText())
		}
		return fmt.Sprintf("check the API key for %s and what it may be used for", c.base.Host)
	case llm.Quota:
		return "add credit or raise the limit at the provider, or choose another model"
	case llm.Overflow:
		return "shorten the conversation, or choose a model with a larger context"
	case llm.Refused:
	default:
		return ""
	}
	if m := aboutTool().FindStringSubmatch(f.message); m != nil {
		return fmt.Sprintf("disable the MCP server that offers %q, or choose another model", m[1])
	}
	switch {
	case noTools().MatchString(f.message):
		return `choose another model, or chat without tools: clined run --no-tools, or "toolCalling": "none" in the settings`
	case f.has("model_not_found", "model_not_available") || aboutModel().MatchString(f.message):
		return fmt.Sprintf("%q is not a model of %s: check its name, or load it there first", model, c.base.Host)
	case status == 404 || status == 405 || status/100 == 3:
		return c.checkBase()
	}
	return ""
}

func (c *Client) checkBase() string {
	return fmt.Sprintf("check the base URL %q; most end in /v1", c.baseText())
}

// baseText is the base URL as users may see it.
func (c *Client) baseText() string { return c.mask.text(c.base.Redacted()) }

// webPage is the failure of a 200 answer that is HTML: a login page, or the
// start page of a server whose API is elsewhere.
func (c *Client) webPage(resp *http.Response) error {
	return &llm.Error{Class: llm.Refused, Status: resp.StatusCode, Message: "the server answered with a web page", Hint: c.checkBase()}
}

// networkError makes an error of a connection that failed or went silent.
func (c *Client) networkError(ctx context.Context, err error) error {
	var idle *sse.IdleError
	if errors.As(context.Cause(ctx), &idle) {
		return &llm.Error{Class: llm.Network, Message: fmt.Sprintf("the model said nothing for %s", idle.Limit.Round(time.Millisecond)),
			Hint: `if the server needs longer to read a prompt, raise "requestTimeout" in the settings`, Err: idle}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the URL, whose query may hold a key
	}
	e := &llm.Error{Class: llm.Network, Err: err}
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var dns *net.DNSError
	at := c.baseText()
	switch {
	case errors.As(err, &certificate):
		e.Class = llm.Refused
		e.Message = fmt.Sprintf("the certificate of %s is not trusted: %v", c.base.Host, certificate.Err)
		e.Hint = `if your network has its own certificates, name their file in "caFile"`
	case errors.Is(err, http.ErrSchemeMismatch) || errors.As(err, &record):
		e.Class = llm.Refused
		e.Message = fmt.Sprintf("%s does not speak TLS", c.base.Host)
		e.Hint = fmt.Sprintf("use http:// in the base URL %q", at)
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = fmt.Sprintf("connection refused: no server listens at %s", c.base.Host)
		e.Hint = fmt.Sprintf("start the server, or correct the base URL %q", at)
	case errors.As(err, &dns):
		e.Message = fmt.Sprintf("the host %q was not found", dns.Name)
		e.Hint = fmt.Sprintf("check the network connection and the base URL %q", at)
	case errors.Is(err, sse.ErrTooLong):
		e.Message = "the model's answer is malformed: " + err.Error()
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET):
		return brokeOff(err)
	default:
		e.Message = "the connection failed: " + shorten(c.mask.text(err.Error()), maxMessage)
	}
	return e
}

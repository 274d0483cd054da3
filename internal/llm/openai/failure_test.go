package openai_test

import (
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/llm"
	"clined/internal/llm/openai"
)

func TestHTTPFailures(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		class  llm.Class
		// message and hint are parts of the texts.
		message, hint string
	}{
		{"401", 401, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}`, llm.Auth, "Incorrect API key", "check the API key for 127.0.0.1"},
		{"403", 403, `{"error":{"message":"no access to this project"}}`, llm.Auth, "no access", "check the API key"},
		{"403 region", 403, `{"error":{"message":"Country, region, or territory not supported","code":"unsupported_country_region_territory"}}`, llm.Refused, "Country", ""},
		{"400 of Google's for a key", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}]`, llm.Auth, "API key not valid", "check"},
		{"402", 402, `{"error":{"message":"Insufficient Balance"}}`, llm.Quota, "Insufficient Balance", "add credit"},
		{"429 quota", 429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`, llm.Quota, "quota", "add credit"},
		{"429 quota by words", 429, `{"error":{"message":"You exceeded your current quota"}}`, llm.Quota, "quota", ""},
		{"400 credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}`, llm.Quota, "credit balance", ""},
		{"429", 429, `{"error":{"message":"Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.","type":"tokens","code":"rate_limit_exceeded"}}`, llm.RateLimited, "Rate limit reached", ""},
		{"429 of Google's", 429, `{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 7.5s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}}`, llm.RateLimited, "current quota", ""},
		{"429 without body", 429, ``, llm.RateLimited, "too many requests", ""},
		{"500", 500, `{"error":{"message":"The server had an error"}}`, llm.Overloaded, "The server had an error", ""},
		{"502 page", 502, "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body></html>", llm.Overloaded, "a web page instead of an answer: 502 Bad Gateway (HTTP 502)", ""},
		{"503", 503, `upstream connect error`, llm.Overloaded, "upstream connect error", ""},
		{"529", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.Overloaded, "Overloaded", ""},
		{"400 overloaded", 400, `{"error":{"message":"busy","type":"overloaded_error"}}`, llm.Overloaded, "busy", ""},
		{"404 model", 404, `{"error":{"message":"The model 'gpt-9' does not exist or you do not have access to it.","code":"model_not_found"}}`, llm.Refused, "gpt-9", `"fake-model" is not a model of 127.0.0.1`},
		{"404 of Ollama's", 404, `{"error":{"message":"model \"x\" not found, try pulling it first","type":"api_error"}}`, llm.Refused, "try pulling", "is not a model of"},
		{"400 model of a gateway", 400, `{"error":{"message":"x/y is not a valid model ID","code":400}}`, llm.Refused, "valid model", "is not a model of"},
		{"404 path", 404, `404 page not found`, llm.Refused, "404 page not found", "check the base URL"},
		{"404 page", 404, `<html><body><p>Cannot POST /chat/completions</p></body></html>`, llm.Refused, "Cannot POST", "most end in /v1"},
		{"405", 405, ``, llm.Refused, "method not allowed", "check the base URL"},
		{"400", 400, `{"error":{"message":"Invalid schema for function 'x'","param":"tools[0].function.parameters"}}`, llm.Refused, "Invalid schema", `disable the MCP server that offers "x"`},
		{"400 for tools of Ollama's", 400, `{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools","type":"api_error"}}`, llm.Refused, "gemma3", "--no-tools"},
		{"400 for tools", 400, `{"error":{"message":"tools is not supported in this model"}}`, llm.Refused, "not supported", "--no-tools"},
		{"404 for tools of OpenRouter's", 404, `{"error":{"message":"No endpoints found that support tool use. Try disabling \"read_file\"."}}`, llm.Refused, "No endpoints", "--no-tools"},
		{"422 of FastAPI's", 422, `{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}`, llm.Refused, "body.messages: Field required", ""},
		{"error as text", 400, `{"error":"bad things"}`, llm.Refused, "bad things", ""},
		{"error without words", 418, `{}`, llm.Refused, "i'm a teapot", ""},
		{"message beside error", 400, `{"status":400,"error":"Bad Request","message":"missing field"}`, llm.Refused, "missing field", ""},
		{"gateway", 502, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"{\"error\":{\"message\":\"the real reason\"}}","provider_name":"X"}}}`, llm.Overloaded, "the real reason", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := client(t, openai.Options{BaseURL: serve(t, tt.status, nil, tt.body), APIKey: "test-key-123"})
			e := run(t.Context(), c, hello()).failed(t, tt.class)
			if !strings.Contains(e.Error(), tt.message) || !strings.Contains(e.Hint, tt.hint) || tt.hint == "" && e.Hint != "" && tt.class == llm.Refused {
				t.Errorf("message %q hint %q, want %q and %q", e.Error(), e.Hint, tt.message, tt.hint)
			}
			if e.Status != tt.status {
				t.Errorf("status %d, want %d", e.Status, tt.status)
			}
		})
	}
}

func TestNoKeyWhereOneIsWanted(t *testing.T) {
	url := serve(t, 401, nil, `{"error":{"message":"No API key"}}`)
	e := run(t.Context(), client(t, openai.Options{BaseURL: url}), hello()).failed(t, llm.Auth)
	if want := "clined auth login --base-url " + url; !strings.HasSuffix(e.Hint, want) {
		t.Errorf("hint %q, want %q at its end", e.Hint, want)
	}
}

// An error inside a stream of status 200.
func TestErrorsInStream(t *testing.T) {
	tests := []struct {
		name, chunk string
		class       llm.Class
		message     string
	}{
		{"object", `{"error":{"message":"upstream busy","code":502},"choices":[]}`, llm.Overloaded, "upstream busy (HTTP 502)"},
		{"not the first key", `{"id":"x","choices":[],"error":{"message":"upstream busy"}}`, llm.Overloaded, "upstream busy"},
		{"beside a choice", `{"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"code":429,"message":"slow down"}}`, llm.RateLimited, "slow down"},
		{"text", `{"error":"text"}`, llm.Overloaded, "text"},
		{"numeric type", `{"error":{"message":"m","type":7}}`, llm.Overloaded, "m"},
		{"overloaded", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.Overloaded, "Overloaded"},
		{"object error", `{"object":"error","message":"out of memory","code":500}`, llm.Overloaded, "out of memory"},
		{"rate limit", `{"error":{"message":"m","type":"rate_limit_error"}}`, llm.RateLimited, "m"},
		{"quota", `{"error":{"message":"m","code":"insufficient_quota"}}`, llm.Quota, "m"},
		{"invalid", `{"error":{"message":"m","type":"invalid_request_error"}}`, llm.Refused, "m"},
		{"400", `{"error":{"message":"m","code":400}}`, llm.Refused, "m"},
		{"overflow", `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":400}}`, llm.Overflow, "maximum context"},
		{"list", `[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]`, llm.Overloaded, "overloaded. (HTTP 503)"},
		{"empty object", `{"error":{"message":""}}`, llm.Overloaded, "does not say which"},
	}
	for _, tt := range tests {
		for place, before := range map[string][]string{
			"first": nil,
			"later": {`{"choices":[{"delta":{"content":"Hel"}}],"error":null}`},
			"calls": {`{"choices":[{"delta":{"tool_calls":[{"id":"c","function":{"name":"get_time","arguments":"{}"}}]}}]}`},
		} {
			t.Run(tt.name+" "+place, func(t *testing.T) {
				url := events(t, append(before, tt.chunk, "[DONE]")...)
				o := run(t.Context(), client(t, openai.Options{BaseURL: url}), hello())
				e := o.failed(t, tt.class)
				if !strings.Contains(e.Error(), tt.message) {
					t.Errorf("message %q, want %q", e.Error(), tt.message)
				}
				if place == "later" && o.fold.Parts()[0].Text != "Hel" {
					t.Error("the partial text is gone")
				}
				if o.fold.Reason != "" {
					t.Error("a Stop beside an error")
				}
			})
		}
	}
	t.Run("by name", func(t *testing.T) {
		url := serve(t, 200, nil, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n")
		run(t.Context(), client(t, openai.Options{BaseURL: url}), hello()).failed(t, llm.Overloaded)
	})
}

// Overflow is told from other failures by words.
func TestOverflow(t *testing.T) {
	overflow := []string{
		`maximum prompt length is 131072 but the request contains 140001 tokens`,
		`Please reduce the length of the messages or completion. Current length is 41000 while limit is 40000`,
		`{"error":{"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"This model's maximum context length is 262144 tokens. However, you requested 300000 tokens.\"}}"}}}`,
		`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`,
		`{"error":{"message":"m","code":"context_length_exceeded"}}`,
		`{"error":{"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}`,
		`{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error"}}`,
		`{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages."}`,
		`{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`,
		`{"message":"Input is too long for requested model."}`,
		`{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again."}}`,
		`{"error":{"message":"Range of input length should be [1, 98304]"}}`,
		`{"error":{"message":"prompt token count of 70000 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}`,
		`{"detail":"The decoder prompt (length 5000) is longer than the maximum model length of 4096."}`,
		`{"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length"}}`,
		`{"error":{"message":"Requested token count exceeds the model's maximum context length of 131072 tokens."}}`,
	}
	other := []string{
		`{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens."}}`,
		`{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 200 input tokens"}}`,
		`{"error":{"message":"Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 53 instead.","code":"string_above_max_length"}}`,
		`{"error":{"message":"Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64."}}`,
		`{"error":{"message":"Unsupported parameter: 'context_window'"}}`,
		`{"error":{"message":"Unknown parameter: 'context_length'"}}`,
		`{"error":{"message":"tools[3].function.description is too long"}}`,
		`{"error":{"message":"Too many tokens, please wait before trying again."}}`,
		`{"error":{"message":"Invalid image: the image exceeds the limit of 20 MB"}}`,
		`{"error":{"message":"messages: at least one message is required"}}`,
		`{"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages"}}`,
		`{"error":{"message":"number of stop sequences exceeds the limit of 4"}}`,
		`{"error":{"message":"temperature exceeds the maximum of 2"}}`,
	}
	for _, body := range overflow {
		e := run(t.Context(), client(t, openai.Options{BaseURL: serve(t, 400, nil, body)}), hello()).failed(t, llm.Overflow)
		if e.Retryable() || e.Hint == "" {
			t.Errorf("%s: retryable %v, hint %q", body, e.Retryable(), e.Hint)
		}
	}
	for _, body := range other {
		run(t.Context(), client(t, openai.Options{BaseURL: serve(t, 400, nil, body)}), hello()).failed(t, llm.Refused)
	}
	for status, body := range map[int]string{
		413: `<html><title>413 Request Entity Too Large</title></html>`,
		429: `{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000. The input or output tokens must be reduced in order to run successfully."}}`,
	} {
		run(t.Context(), client(t, openai.Options{BaseURL: serve(t, status, nil, body)}), hello()).failed(t, llm.Overflow)
	}
	run(t.Context(), client(t, openai.Options{BaseURL: serve(t, 429, nil, `{"error":{"message":"Rate limit reached. Reduce the length of your prompt or wait."}}`)}), hello()).failed(t, llm.RateLimited)
}

// Every way to say when to try again.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name   string
		status int
		header map[string]string
		body   string
		want   time.Duration
	}{
		{"seconds", 429, map[string]string{"Retry-After": "3"}, "", 3 * time.Second},
		{"seconds of a 503", 503, map[string]string{"Retry-After": "1.5"}, "", 1500 * time.Millisecond},
		{"far away", 429, map[string]string{"Retry-After": "99999"}, "", 99999 * time.Second},
		{"beyond belief", 429, map[string]string{"Retry-After": "1e30"}, "", 30 * 24 * time.Hour},
		{"date", 429, map[string]string{"Retry-After": "Sun, 01 Mar 2026 12:00:10 GMT"}, "", 10 * time.Second},
		{"past date", 429, map[string]string{"Retry-After": "Sun, 01 Mar 2026 11:00:00 GMT"}, "", 0},
		{"milliseconds win", 429, map[string]string{"Retry-After-Ms": "250", "Retry-After": "1"}, "", 250 * time.Millisecond},
		{"reset of requests", 429, map[string]string{"X-Ratelimit-Reset-Requests": "1m30s"}, "", 90 * time.Second},
		{"the limit that is used up", 429, map[string]string{"X-Ratelimit-Remaining-Requests": "99", "X-Ratelimit-Reset-Requests": "9m",
			"X-Ratelimit-Remaining-Tokens": "0", "X-Ratelimit-Reset-Tokens": "120ms"}, "", 120 * time.Millisecond},
		{"reset in seconds", 429, map[string]string{"X-Ratelimit-Reset": "12"}, "", 12 * time.Second},
		{"reset as a time in seconds", 429, map[string]string{"X-Ratelimit-Reset": "1772366407"}, "", 7 * time.Second},
		{"reset as a time in milliseconds", 429, map[string]string{"X-Ratelimit-Reset": "1772366407500"}, "", 7500 * time.Millisecond},
		{"reset means nothing for a 500", 500, map[string]string{"X-Ratelimit-Reset-Requests": "1m"}, "", 0},
		{"text", 429, nil, `{"error":{"message":"Quota reached. Please retry in 7.5s."}}`, 7500 * time.Millisecond},
		{"text in minutes", 429, nil, `{"error":{"message":"Limit 3. Please try again in 6m0s. Visit"}}`, 6 * time.Minute},
		{"text in words", 429, nil, `{"error":{"message":"Please try again in 20 seconds"}}`, 20 * time.Second},
		{"text in milliseconds", 429, nil, `{"error":{"message":"Please try again in 120ms."}}`, 120 * time.Millisecond},
		{"text: wait", 429, nil, `{"error":{"message":"Please wait 15 seconds and go on"}}`, 15 * time.Second},
		{"text without a time", 429, nil, `{"error":{"message":"Please try again in a while"}}`, 0},
		{"RetryInfo", 429, nil, `{"error":{"message":"m","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12s"}]}}`, 12 * time.Second},
		{"nonsense", 429, map[string]string{"Retry-After": "soon", "X-Ratelimit-Reset": "-5"}, "", 0},
	}
	for _, tt := range tests {
		header := http.Header{}
		for k, v := range tt.header {
			header.Set(k, v)
		}
		c := client(t, openai.Options{BaseURL: serve(t, tt.status, header, tt.body), Now: func() time.Time { return now }})
		var e *llm.Error
		if err := run(t.Context(), c, hello()).err; !errors.As(err, &e) || e.RetryAfter != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, e.RetryAfter, tt.want)
		}
	}
	c := client(t, openai.Options{BaseURL: events(t, `{"error":{"message":"Please retry in 4s","code":429}}`)})
	if e := run(t.Context(), c, hello()).failed(t, llm.RateLimited); e.RetryAfter != 4*time.Second {
		t.Errorf("in a stream: %v", e.RetryAfter)
	}
}

func TestNetworkFailures(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String() + "/v1"
	_ = l.Close()
	e := run(t.Context(), client(t, openai.Options{BaseURL: closed}), hello()).failed(t, llm.Network)
	if !strings.Contains(e.Message, "connection refused") || !strings.Contains(e.Hint, closed) {
		t.Errorf("refused: %q, hint %q", e.Message, e.Hint)
	}

	plain := strings.Replace(serve(t, 200, nil, ""), "http://", "https://", 1)
	e = run(t.Context(), client(t, openai.Options{BaseURL: plain}), hello()).failed(t, llm.Refused)
	if !strings.Contains(e.Message, "does not speak TLS") || !strings.Contains(e.Hint, "http://") {
		t.Errorf("no TLS: %q, hint %q", e.Message, e.Hint)
	}

	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: [DONE]\n\n")
	}))
	s.Config.ErrorLog = quiet()
	s.StartTLS()
	defer s.Close()
	e = run(t.Context(), client(t, openai.Options{BaseURL: s.URL}), hello()).failed(t, llm.Refused)
	if !strings.Contains(e.Message, "certificate") || !strings.Contains(e.Hint, "caFile") {
		t.Errorf("certificate: %q, hint %q", e.Message, e.Hint)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(ca, block, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := run(t.Context(), client(t, openai.Options{BaseURL: s.URL, CAFile: ca}), hello()); o.String() != "text hi\nend_turn\n" {
		t.Errorf("with the CA file:\n%s", o)
	}
}

func TestRedirects(t *testing.T) {
	target := events(t, `{"choices":[{"delta":{"content":"hi"}}]}`, "[DONE]")
	for status, want := range map[int]string{
		307: "text hi\nend_turn\n", 308: "text hi\nend_turn\n",
		302: "refused: the server redirects to \"" + target + "/x\" (HTTP 302)\n",
	} {
		url := serve(t, status, http.Header{"Location": {target + "/x"}}, "")
		if o := run(t.Context(), client(t, openai.Options{BaseURL: url}), hello()); o.String() != want {
			t.Errorf("%d: got\n%s", status, o)
		}
	}
}

// No secret is in any text that a failure carries.
func TestSecretsAreMasked(t *testing.T) {
	const key, header, foreign = "Test-0123456789ABcdef", "header-secret-42", "sk-proj-ZZZZZZZZZZZZZZZZ"
	for name, body := range map[string]string{
		"message": `{"error":{"message":"Incorrect API key provided: ` + key + ` with ` + header + ` via ` + foreign + `"}}`,
		"text":    "bad header Authorization: Bearer " + key + " and X-Key: " + header,
		"page":    "<title>" + key + "</title>",
		"long":    strings.Repeat("x", 485) + " " + key,
		"words":   `{"error":{"code":"` + key + `"}}`,
	} {
		for _, status := range []int{200, 401, 400, 500} {
			c := client(t, openai.Options{
				BaseURL: serve(t, status, nil, "data: "+body+"\n\n") + "?api-key=query-secret-77", APIKey: " " + key + "\n",
				Headers: map[string]string{"X-Key": header},
			})
			e := run(t.Context(), c, hello()).err
			var le *llm.Error
			if !errors.As(e, &le) {
				t.Fatalf("%s %d: %v", name, status, e)
			}
			text := le.Error() + le.Hint
			if le.Err != nil {
				text += le.Err.Error()
			}
			for _, secret := range []string{key, key[:10], header, foreign, "query-secret-77"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s %d: %q shows %q", name, status, text, secret)
				}
			}
		}
	}
}

package mcphub

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/tailscale/hujson"
)

// DefaultTimeout of a request to a server whose settings name none.
const DefaultTimeout = 60 * time.Second

// maxTimeout is what the settings may name.
const maxTimeout = 24 * time.Hour

// Settings are the servers of a settings file, by name.
type Settings struct {
	Servers map[string]Config
}

// Config is one server's entry, as written: references such as ${env:NAME}
// are resolved when the server starts.
type Config struct {
	// Command, Args, Cwd and Env start a stdio server.
	Command string
	Args    []string
	Cwd     string
	Env     map[string]string
	// URL and Headers reach a remote one; Type says over which transport:
	// "sse", "streamableHttp" or "" for not said.
	URL     string
	Headers map[string]string
	Type    string

	Disabled bool
	// Timeout of each request, at least a second.
	Timeout time.Duration
	// AutoApprove names tools that the user need not be asked about.
	AutoApprove []string
	// Problem says why the entry cannot be used, "" when it can.
	Problem string
}

// SettingsError says where a settings file is broken.
type SettingsError struct {
	// Line and Column are 1-based, the column counts bytes.
	Line, Column int
	Problem      string
}

func (e *SettingsError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// ParseSettings reads a settings file in the format of cline_mcp_settings.json:
// JSON with comments and trailing commas, with or without a byte order mark.
// An empty file means no servers. An error is a *SettingsError. A mistake
// inside one entry is that entry's Problem and leaves the others alone.
func ParseSettings(data []byte) (*Settings, error) {
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	settings := &Settings{Servers: map[string]Config{}}
	// A comment on the last line needs a line end to be one.
	root, err := hujson.Parse(append(bytes.Clone(text), '\n'))
	if err != nil {
		// Blanks and comments alone are an empty file.
		if _, empty := hujson.Parse(append(bytes.Clone(text), "\n{}"...)); empty == nil {
			return settings, nil
		}
		return nil, syntaxError(text, err)
	}
	root.Standardize()
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, errorAt(text, root.StartOffset, "the file must hold a JSON object with \"mcpServers\"")
	}
	for _, member := range top.Members {
		if name(member) != "mcpServers" {
			continue
		}
		servers, ok := member.Value.Value.(*hujson.Object)
		if null, isLiteral := member.Value.Value.(hujson.Literal); isLiteral && null.Kind() == 'n' {
			continue
		}
		if !ok {
			return nil, errorAt(text, member.Value.StartOffset, "\"mcpServers\" must be an object of servers by name")
		}
		for _, s := range servers.Members {
			settings.Servers[name(s)] = parseConfig(text, s.Value)
		}
	}
	return settings, nil
}

func name(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

func syntaxError(text []byte, err error) error {
	e := &SettingsError{Line: 1, Column: 1, Problem: err.Error()}
	// hujson tells the place in its text only.
	if n, _ := fmt.Sscanf(e.Problem, "hujson: line %d, column %d:", &e.Line, &e.Column); n == 2 {
		e.Problem = errors.Unwrap(err).Error()
	}
	if end := errorAt(text, len(text), ""); e.Line > end.Line { // in the added line
		e.Line, e.Column = end.Line, end.Column
	}
	return e
}

func errorAt(text []byte, offset int, problem string) *SettingsError {
	before := text[:min(offset, len(text))]
	return &SettingsError{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  len(before) - bytes.LastIndexByte(before, '\n'),
		Problem: problem,
	}
}

// entry is a server's entry in the file. The keys of the connection may also
// stand in a nested "transport".
type entry struct {
	connection
	Transport   *connection `json:"transport"`
	Disabled    bool        `json:"disabled"`
	Timeout     *float64    `json:"timeout"`
	AutoApprove []string    `json:"autoApprove"`
}

type connection struct {
	Type          string            `json:"type"`
	TransportType string            `json:"transportType"`
	Command       string            `json:"command"`
	Args          []string          `json:"args"`
	Cwd           string            `json:"cwd"`
	Env           map[string]string `json:"env"`
	URL           string            `json:"url"`
	Headers       map[string]string `json:"headers"`
}

func parseConfig(text []byte, v hujson.Value) Config {
	var e entry
	var c Config
	at := v.StartOffset
	err := json.Unmarshal(v.Pack(), &e)
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case err == nil:
		c = e.config()
	case ok && wrong.Field != "":
		field := strings.TrimPrefix(wrong.Field, "connection.")
		c.Problem = fmt.Sprintf("%q must not be a JSON %s", field, wrong.Value)
		if found := v.Find("/" + strings.ReplaceAll(field, ".", "/")); found != nil {
			at = found.StartOffset
		}
	default:
		c.Problem = "a server must be a JSON object"
	}
	if c.Problem != "" {
		c.Problem = errorAt(text, at, c.Problem).Error()
	}
	return c
}

func (e *entry) config() Config {
	conn := e.connection
	if e.Transport != nil {
		conn = *e.Transport
	}
	if conn.Type == "" {
		conn.Type = conn.TransportType
	}
	c := Config{
		Command: conn.Command, Args: conn.Args, Cwd: conn.Cwd, Env: conn.Env,
		URL: conn.URL, Headers: conn.Headers,
		Disabled: e.Disabled, Timeout: DefaultTimeout, AutoApprove: e.AutoApprove,
	}
	if e.Timeout != nil { // more is more than a Duration may hold
		c.Timeout = time.Duration(min(*e.Timeout, 2*maxTimeout.Seconds()) * float64(time.Second))
	}
	stdio := conn.Type == "stdio" || conn.Type == "" && conn.Command != ""
	switch conn.Type {
	case "", "stdio":
	case "sse":
		c.Type = "sse"
	case "streamableHttp", "streamable-http", "http":
		c.Type = "streamableHttp"
	default:
		c.Problem = fmt.Sprintf("unknown type %q; it can be \"stdio\", \"sse\" or \"streamableHttp\"", conn.Type)
	}
	switch {
	case c.Problem != "":
	case c.Timeout < time.Second || c.Timeout > maxTimeout:
		c.Problem = fmt.Sprintf("\"timeout\" must be from 1 to %.f seconds", maxTimeout.Seconds())
	case stdio && c.Command == "":
		c.Problem = "a stdio server needs a \"command\""
	case stdio:
		c.URL, c.Headers = "", nil
	case c.URL == "":
		c.Problem = "a server needs a \"command\" or a \"url\""
	default:
		c.Command, c.Args, c.Cwd, c.Env = "", nil, "", nil
	}
	return c
}

// sameConnection tells whether going from a to b needs no new connection.
func sameConnection(a, b Config) bool {
	a.Timeout, a.AutoApprove = b.Timeout, b.AutoApprove
	return reflect.DeepEqual(a, b)
}

// Package fakemcp is a scripted MCP server for tests: a real child process on
// stdio that plays whatever good or bad behaviour its Script says, and insists
// that its client keeps the protocol.
//
// A test binary turns into the server: its TestMain calls Main first. Only
// tests import this package. It speaks the protocol by hand, so that it can
// also break it.
package fakemcp

import (
	"encoding/json"
	"os"
)

// ScriptVar is the environment variable that holds the script, as JSON, and
// makes Main play it.
const ScriptVar = "CLINED_FAKEMCP"

// Script is what the server does. The zero value is a server without tools.
type Script struct {
	// Name defaults to "fake". Protocol is the version answered to initialize,
	// by default "2024-11-05".
	Name, Protocol, Instructions string `json:",omitempty"`

	// Stderr and Garbage are printed at the start, to stderr and stdout.
	Stderr, Garbage []string `json:",omitempty"`
	// ExitAtStart ends it with this code before it reads anything.
	ExitAtStart *int `json:",omitempty"`
	// SilentUntil names a file: initialize is not answered before it exists.
	SilentUntil string `json:",omitempty"`
	// Children are started and left in the background: sleeps of 1000 s that
	// hold stdout open.
	Children int `json:",omitempty"`
	// Stubborn ignores the end of its input and SIGTERM.
	Stubborn bool `json:",omitempty"`
	// Deaf does not read anything after the handshake.
	Deaf bool `json:",omitempty"`

	Tools []Tool `json:",omitempty"`
	// PageSize of the tool list, 0 for one page. LoopCursor gives the same
	// cursor for ever.
	PageSize   int  `json:",omitempty"`
	LoopCursor bool `json:",omitempty"`
	// Restless says after each list of tools that it changed.
	Restless bool `json:",omitempty"`
	// Resources and Templates are announced when not nil.
	Resources []Resource `json:",omitempty"`
	Templates []Resource `json:",omitempty"`

	// Journal names a file to which each received line is appended, and a line
	// {"started":PID} at each start.
	Journal string `json:",omitempty"`
}

// Tool is a tool and what a call of it does: the steps from top to bottom. A
// tool that does nothing answers with the arguments exactly as it got them.
type Tool struct {
	Name        string
	Description string          `json:",omitempty"`
	Schema      json.RawMessage `json:",omitempty"`
	Annotations json.RawMessage `json:",omitempty"`

	Stderr   []string `json:",omitempty"`
	Progress []string `json:",omitempty"`
	// NewTools replace the tool list, and the client is told.
	NewTools []Tool `json:",omitempty"`
	Exit     *int   `json:",omitempty"`
	// CloseOutput closes stdout and goes on living.
	CloseOutput bool `json:",omitempty"`
	Hang        bool `json:",omitempty"`
	// Stop hangs and lets no further input be read.
	Stop bool `json:",omitempty"`

	// The answer is the first of these that is set.
	Raw json.RawMessage `json:",omitempty"` // the whole result
	// Fail is the message of a JSON-RPC error.
	Fail    string          `json:",omitempty"`
	Content json.RawMessage `json:",omitempty"`
	// Huge is the length of a text answer, in bytes.
	Huge int    `json:",omitempty"`
	Text string `json:",omitempty"`
	// Env answers with the environment, a variable per line.
	Env     bool `json:",omitempty"`
	IsError bool `json:",omitempty"`
}

// Resource is a resource, or a template with its template as URI.
type Resource struct {
	URI, Name, MimeType, Text string `json:",omitempty"`
	Blob                      []byte `json:",omitempty"`
}

// Env returns the variables that make a process that calls Main play s.
func (s Script) Env() map[string]string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("fakemcp: " + err.Error())
	}
	return map[string]string{
		ScriptVar: string(b),
		// A binary built with -race would otherwise linger for a second at its end.
		"GORACE": "atexit_sleep_ms=0",
	}
}

// Entry returns the entry of an MCP settings file that runs s in this test
// binary; extra fields are added to it, those of "env" merged.
func (s Script) Entry(extra map[string]any) map[string]any {
	exe, err := os.Executable()
	if err != nil {
		panic("fakemcp: " + err.Error())
	}
	env := s.Env()
	entry := map[string]any{"command": exe, "env": env}
	for k, v := range extra {
		if more, ok := v.(map[string]string); ok && k == "env" {
			for name, value := range more {
				env[name] = value
			}
			continue
		}
		entry[k] = v
	}
	return entry
}

// Settings returns an MCP settings file of the given entries by name.
func Settings(servers map[string]any) []byte {
	b, err := json.MarshalIndent(map[string]any{"mcpServers": servers}, "", "  ")
	if err != nil {
		panic("fakemcp: " + err.Error())
	}
	return b
}

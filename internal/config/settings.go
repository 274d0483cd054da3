// Package config owns the settings: which keys exist, where they may be set,
// which setting wins, and what the user is told of a wrong one. The Settings
// struct is the one source of the keys. It also owns where settings, state and
// cache live on this machine, and how secrets are named and kept out of print.
//
// Reading files is a thin layer (Load); parsing and merging are pure. It knows
// no editor, provider library or policy: it hands out strings that their owners
// parse. It imports nothing of ours. daemon and cmd use it.
package config

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Settings are what the user decided. A key is the path of JSON names, such as
// "autoApprove.readOutside"; CLINED_AUTO_APPROVE_READ_OUTSIDE is the same key
// in the environment. The doc tags are the documentation of the keys.
type Settings struct {
	Model
	// Plan and Act override Model in that mode, unless the environment or the
	// command line choose a model for both.
	Plan Model `json:"plan"`
	Act  Model `json:"act"`

	ToolCalling string `json:"toolCalling" enum:"auto none" doc:"auto gives a model the tools it can use; none makes it plain chat, without tools"`

	PlainTextEnds bool `json:"plainTextEnds" doc:"take an answer without a tool call as the end of the turn, for frontier models (family next-gen)"`

	AutoApprove AutoApprove `json:"autoApprove"`
	Permissions Permissions `json:"permissions"`
	Limits      Limits      `json:"limits"`

	Shell          string `json:"shell" doc:"the shell that commands run in; empty for the user's own"`
	CommandTimeout int    `json:"commandTimeout" min:"1" doc:"seconds after which a command is stopped, unless the call names its own limit"`

	RequestTimeout int `json:"requestTimeout" min:"1" doc:"seconds that the model's server may stay silent before a request is given up; local servers take long to read a prompt"`

	MCP    MCP    `json:"mcp"`
	Proxy  string `json:"proxy" kind:"url" doc:"HTTP proxy for the model's API, without a password; empty for HTTPS_PROXY and NO_PROXY of the environment"`
	CAFile string `json:"caFile" kind:"path" doc:"PEM file with further certificates to trust for the model's API"`
	Log    Log    `json:"log"`

	merged
}

// Model says which model answers and where. APIKey is a reference, never a key.
type Model struct {
	Provider      string `json:"provider" enum:"openai ollama" doc:"openai for any OpenAI-compatible API, ollama for a local Ollama"`
	Model         string `json:"model" doc:"the model's id as the provider wants it"`
	BaseURL       string `json:"baseUrl" kind:"url" doc:"where the API is; empty for the provider's own"`
	APIKey        string `json:"apiKey" kind:"secret" doc:"names the environment variable that holds the API key, such as ${env:OPENAI_API_KEY}"`
	ContextWindow int    `json:"contextWindow" min:"0" doc:"size of the model's context in tokens; 0 for what is known of the model"`
}

// AutoApprove says what runs without asking.
type AutoApprove struct {
	Read        bool            `json:"read" doc:"read files of the workspace without asking"`
	ReadOutside bool            `json:"readOutside" doc:"read any file without asking"`
	Edit        bool            `json:"edit" doc:"change files of the workspace without asking"`
	EditOutside bool            `json:"editOutside" doc:"change any file without asking"`
	Command     CommandApproval `json:"command" expect:"false, \"safe\" or true" doc:"run commands without asking: false, \"safe\" for those known to change nothing, or true"`
	MCP         bool            `json:"mcp" doc:"call MCP tools without asking"`
}

// CommandApproval says which commands run without asking.
type CommandApproval string

// In JSON: false, "safe" and true.
const (
	NoCommands   CommandApproval = "none"
	SafeCommands CommandApproval = "safe"
	AllCommands  CommandApproval = "all"
)

// UnmarshalJSON reads false, "safe" or true.
func (c *CommandApproval) UnmarshalJSON(b []byte) error {
	switch string(bytes.TrimSpace(b)) {
	case "false":
		*c = NoCommands
	case `"safe"`:
		*c = SafeCommands
	case "true":
		*c = AllCommands
	default:
		return errors.New("not one of the three")
	}
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (c CommandApproval) MarshalJSON() ([]byte, error) {
	switch c {
	case AllCommands:
		return []byte("true"), nil
	case SafeCommands:
		return json.Marshal("safe")
	}
	return []byte("false"), nil
}

// Permissions are rules in the words of the approval package. Those of all
// layers count together: none takes away another's.
type Permissions struct {
	Allow []string `json:"allow" doc:"rules for what runs without asking"`
	Ask   []string `json:"ask" doc:"rules for what always asks"`
	Deny  []string `json:"deny" doc:"rules for what never runs"`
}

// Limits bound a task.
type Limits struct {
	Requests int `json:"requests" min:"0" doc:"model requests after which a turn asks whether to go on; 0 for no limit"`
}

// MCP says where the servers are listed.
type MCP struct {
	File string `json:"file" kind:"path" doc:"the file that lists the MCP servers; empty for mcp.json beside the settings"`
}

// Log says how much is logged.
type Log struct {
	Level string `json:"level" enum:"debug info warn error" doc:"the least serious level that is logged"`
}

// Default returns the settings of somebody who set nothing: reading in the
// workspace is allowed, everything else asks.
func Default() Settings {
	return Settings{
		Model:          Model{Provider: "openai"},
		ToolCalling:    "auto",
		AutoApprove:    AutoApprove{Read: true, Command: NoCommands},
		CommandTimeout: 600,
		RequestTimeout: 300,
		Log:            Log{Level: "warn"},
	}
}

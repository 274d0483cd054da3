// Package config owns the settings: which keys exist, where they may be set,
// which setting wins, and what the user is told of a wrong one. The Settings
// struct is the one source of the keys. It also owns how a settings file is
// changed without touching what else is in it, what the file of a workspace may
// say, where settings, state and cache live on this machine, and how secrets
// are named and kept out of print.
//
// Reading and writing files is a thin layer (Load, Save); parsing, merging and
// patching are pure. It knows no editor, provider library or policy: it hands
// out strings that their owners parse. It never holds a secret of its own
// accord: who asks for an endpoint hands in where secrets are. daemon and cmd
// use it.
package config

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Settings are what the user decided. A key is the path of JSON names, such as
// "autoApprove.readOutside"; CLINED_AUTO_APPROVE_READ_OUTSIDE is the same key
// in the environment. The doc tags are the documentation of the keys, the
// workspace tags what the file of a workspace may say: see Say.
type Settings struct {
	Model
	// Plan and Act override Model in that mode, unless the environment or the
	// command line choose a model for both.
	Plan Model `json:"plan"`
	Act  Model `json:"act"`

	ToolCalling string `json:"toolCalling" enum:"none auto" workspace:"tighten" doc:"auto gives a model the tools it can use; none makes it plain chat, without tools"`

	PlainTextEnds bool `json:"plainTextEnds" workspace:"free" doc:"take an answer without a tool call as the end of the turn, for frontier models (family next-gen)"`

	Prices Prices `json:"prices" workspace:"trusted" expect:"an object with prices from 0 to 1000000 per model id, such as {\"some-model\": {\"input\": 3, \"output\": 15}}" doc:"what models cost, in US dollars per million tokens: input, output, cacheRead and cacheWrite of each model id"`

	AutoApprove AutoApprove `json:"autoApprove"`
	Permissions Permissions `json:"permissions"`
	Limits      Limits      `json:"limits"`

	Shell          string `json:"shell" workspace:"trusted" doc:"the shell that commands run in; empty for the user's own"`
	CommandTimeout int    `json:"commandTimeout" min:"1" max:"86400" workspace:"tighten" doc:"seconds after which a command is stopped, unless the call names its own limit"`

	Sandbox Sandbox `json:"sandbox"`

	RequestTimeout int `json:"requestTimeout" min:"1" max:"86400" workspace:"free" doc:"seconds that the model's server may stay silent before a request is given up; local servers take long to read a prompt"`

	MCP    MCP    `json:"mcp"`
	Proxy  string `json:"proxy" kind:"url" workspace:"trusted" doc:"HTTP proxy for the model's API, without a password; empty for HTTPS_PROXY and NO_PROXY of the environment"`
	CAFile string `json:"caFile" kind:"path" workspace:"trusted" doc:"PEM file with further certificates to trust for the model's API"`

	Discover []string `json:"discover" kind:"url" list:"whole" expect:"a list of http or https URLs" workspace:"trusted" doc:"base URLs at which model servers on this machine are looked for when you set up a model; an empty list looks nowhere"`

	Log Log `json:"log"`

	merged
}

// Model says which model answers and where. APIKey is a reference, never a key.
type Model struct {
	Provider      string `json:"provider" enum:"openai ollama" workspace:"trusted" doc:"openai for any OpenAI-compatible API, ollama for a local Ollama"`
	Model         string `json:"model" workspace:"free" doc:"the model's id as the provider wants it"`
	BaseURL       string `json:"baseUrl" kind:"url" workspace:"trusted" doc:"where the API is; empty for the provider's own"`
	APIKey        string `json:"apiKey" kind:"secret" workspace:"trusted" doc:"where the API key is: keyring for the one of clined auth login, or the environment variable that holds it, such as ${env:OPENAI_API_KEY}"`
	ContextWindow int    `json:"contextWindow" min:"0" max:"100000000" workspace:"free" doc:"size of the model's context in tokens; 0 for what is known of the model"`
	Reasoning     string `json:"reasoning" enum:"low medium high" optional:"true" workspace:"free" doc:"how much a model that can shall think before it answers; empty for what the model does by itself"`
}

// AutoApprove says what runs without asking.
type AutoApprove struct {
	Read        bool            `json:"read" workspace:"tighten" doc:"read files of the workspace without asking"`
	ReadOutside bool            `json:"readOutside" workspace:"tighten" doc:"read any file without asking"`
	Edit        bool            `json:"edit" workspace:"tighten" doc:"change files of the workspace without asking"`
	EditOutside bool            `json:"editOutside" workspace:"tighten" doc:"change any file without asking"`
	Command     CommandApproval `json:"command" choices:"[false, \"safe\", true]" expect:"false, \"safe\" or true" workspace:"tighten" doc:"run commands without asking: false, \"safe\" for those known to change nothing, or true"`
	MCP         bool            `json:"mcp" workspace:"tighten" doc:"call MCP tools without asking"`
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
	Allow []string `json:"allow" workspace:"trusted" doc:"rules for what runs without asking"`
	Ask   []string `json:"ask" workspace:"free" doc:"rules for what always asks"`
	Deny  []string `json:"deny" workspace:"free" doc:"rules for what never runs"`
}

// Sandbox says what commands may touch that run in it.
type Sandbox struct {
	Mode     string   `json:"mode" enum:"required auto off" workspace:"tighten" doc:"auto runs commands in a sandbox where the system has one: they write only in the workspace, temporary folders and the caches of tools; required refuses commands where it has none; off uses none"`
	Network  bool     `json:"network" workspace:"tighten" doc:"whether commands in the sandbox have the network"`
	Writable []string `json:"writable" expect:"a list of absolute paths; ~/ is the home folder" workspace:"trusted" doc:"further files and folders that commands in the sandbox may write"`
	MCP      bool     `json:"mcp" workspace:"trusted" doc:"run MCP servers that are started here in the sandbox too"`
}

// Limits bound a task.
type Limits struct {
	Requests int     `json:"requests" min:"0" max:"1000000" zero:"unlimited" workspace:"tighten" doc:"model requests after which a turn asks whether to go on; 0 for no limit"`
	Cost     float64 `json:"cost" min:"0" max:"1000000" zero:"unlimited" workspace:"tighten" doc:"US dollars that a task may cost before it asks whether to go on; 0 for no limit"`
}

// MCP says where the servers are listed, and how long they are waited for.
type MCP struct {
	File string `json:"file" kind:"path" workspace:"trusted" doc:"the file that lists the MCP servers; empty for mcp.json beside the settings"`
	Wait int    `json:"wait" min:"0" max:"86400" workspace:"free" doc:"seconds that a request waits for MCP servers that have just been started; after that it goes out without their tools, and the user is told"`
}

// Log says how much is logged, and where.
type Log struct {
	Level string `json:"level" enum:"debug info warn error" workspace:"trusted" doc:"the least serious level that is logged to standard error"`
	File  bool   `json:"file" workspace:"trusted" doc:"log everything, as JSON lines, to clined.log in the folder log of the state"`
}

// Default returns the settings of somebody who set nothing: reading in the
// workspace is allowed, everything else asks.
func Default() Settings {
	return Settings{
		Model:          Model{Provider: "openai"},
		ToolCalling:    "auto",
		AutoApprove:    AutoApprove{Read: true, Command: NoCommands},
		CommandTimeout: 600,
		Sandbox:        Sandbox{Mode: "auto", Network: true},
		RequestTimeout: 300,
		MCP:            MCP{Wait: 10},
		Discover:       usualPlaces(),
		Log:            Log{Level: "warn"},
	}
}

// usualPlaces are the ports that model servers choose by default: Ollama, LM
// Studio, llama.cpp, vLLM, Jan, GPT4All, text-generation-webui, KoboldCpp, SGLang.
func usualPlaces() []string {
	var list []string
	for _, port := range []string{"11434", "1234", "8080", "8000", "1337", "4891", "5000", "5001", "30000"} {
		list = append(list, "http://127.0.0.1:"+port+"/v1")
	}
	return list
}

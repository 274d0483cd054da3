package mcphub

import (
	"time"

	"clined/internal/tools"
)

// State is how a server is.
type State string

// The states.
const (
	Starting  State = "starting"
	Connected State = "connected"
	// Retrying waits a moment before the server is started again.
	Retrying State = "retrying"
	// Down stays so until Restart or other settings.
	Down     State = "down"
	Disabled State = "disabled"
)

// ServerStatus tells of one server.
type ServerStatus struct {
	Name  string
	State State
	// Since is when it came into this state.
	Since time.Time
	// Error says why it is retrying or down.
	Error string
	// Warnings are for the user: tools left out, variables not set.
	Warnings []string
	// Title and Version are what the server calls itself, Protocol the version
	// agreed on; "" before it was connected.
	Title, Version, Protocol string
	// Offer is what it offers, empty while it is not connected.
	Offer tools.MCPServer
	// Log holds the last lines it printed besides messages, oldest first.
	Log []string
}

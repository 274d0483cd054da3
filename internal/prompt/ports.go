package prompt

import (
	"context"
	"time"

	"clined/internal/tools"
	"clined/internal/workspace"
)

// Workspace is what the editor shows and where paths lead.
type Workspace interface {
	// State returns what the editor pushed last.
	State() workspace.State
	// Resolve turns an absolute path into the Path the model is shown. It fails
	// for a path that is hidden from the model, which then is not told of.
	Resolve(path string) (tools.Path, error)
}

// Lister lists files, see tools.Lister.
type Lister interface {
	List(ctx context.Context, dir tools.Path, recursive bool, limit int) (entries []string, more bool, err error)
}

// Servers tells of MCP servers, see tools.MCPServers. At the first call it may
// wait a moment for those that are starting: they then are in the system text.
type Servers interface {
	Servers(ctx context.Context) []tools.MCPServer
}

// Commands tells of commands in the background, see tools.Running.
type Commands interface {
	Running() []tools.RunningCommand
}

// CLI tells which well-known programs are installed.
type CLI interface {
	// Installed returns their names in a fixed order. It looks once for all
	// tasks, and returns none while that takes too long.
	Installed(ctx context.Context) []string
}

// VCS tells of version control.
type VCS interface {
	// Repository returns the one that dir is in; ok is false when it is in none.
	Repository(ctx context.Context, dir string) (r Repository, ok bool)
}

// Repository is a checkout.
type Repository struct {
	// Remotes are lines "name url" in a stable order, as configured: who shows
	// them strips credentials.
	Remotes []Remote
	// Branch is "" when detached, Head the commit's hash, "" before the first.
	Branch, Head string
}

// Remote is another copy of a repository.
type Remote struct{ Name, URL string }

// Now is the clock; the time's location is the user's.
type Now func() time.Time

// Environment is what the task contributes to environment_details. Its fields
// are those of agent.Environment, so that one converts to the other.
type Environment struct {
	// First is true for the first request of a task.
	First bool
	Mode  tools.Mode
	// Used is the size of the context after the last request, Window the
	// model's (0 when not known); both in tokens.
	Used, Window int
	// Checklist is the list as the model last wrote it, "" for none.
	Checklist string
	// SinceChecklist counts the requests since it was last written.
	SinceChecklist int
	// ChecklistByUser is true when the user changed it since the last request.
	ChecklistByUser bool
	// ModeChanged is true when the user changed the mode since the last request.
	ModeChanged bool
}

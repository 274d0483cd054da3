// Package daemon wires one process: settings, models, MCP servers, commands and
// the tools of each task, behind the session of an editor. It knows every room
// and decides nothing that a room decides; only cmd and tests import it.
package daemon

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/approval"
	"clined/internal/config"
	"clined/internal/demo"
	"clined/internal/prompt/host"
	"clined/internal/rpc"
	"clined/internal/safefile"
	"clined/internal/sandbox"
	"clined/internal/secret"
	"clined/internal/server"
	"clined/internal/shell"
	"clined/internal/store"

	"github.com/google/uuid"
)

// Options of a process.
type Options struct {
	Dirs    config.Dirs
	Version string
	// Flags are settings from the command line, by key.
	Flags map[string]string
	// Yes approves whatever would ask.
	Yes bool
	// Environ is the process's environment.
	Environ []string
	// LoginShell says that Environ lacks what the user's start-up files set, as it
	// does where a desktop started the editor: commands and MCP servers then get
	// the environment of their login shell.
	LoginShell bool
	// Executable is this program's file, "" when it cannot start itself: then
	// a killed daemon may leave processes behind, documents are read by the
	// daemon itself, and nothing holds commands. It must call Child.
	Executable string
	// LogTo gets the log, at the level of the settings.
	LogTo io.Writer
	// Now and NewID default to the wall clock and UUIDv7.
	Now   func() time.Time
	NewID func() string
}

// Daemon is the process-wide part.
type Daemon struct {
	o       Options
	log     *slog.Logger
	logging *logging
	reaper  *shell.Reaper
	cli     *host.CLI
	store   *store.Store
	// unfinished are the files that tools are making.
	unfinished *safefile.Unfinished
	secrets    *secret.Store
	sandbox    *sandbox.Sandbox
	audit      audit
	login      *shell.LoginEnv
	limits     *approval.CommandLimits // of the environment; nil for none
	// broken is what is wrong with the environment.
	broken []config.Problem
	// pace of the demo's model.
	pace time.Duration
}

// New returns a daemon that serves nobody yet, and what is wrong with the
// user's settings. It opens no connection and starts no process.
func New(o Options) (d *Daemon, problems []config.Problem, err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if o.LogTo == nil {
		o.LogTo = io.Discard
	}
	d = &Daemon{o: o, logging: newLogging(o.LogTo, filepath.Join(o.Dirs.State, "log")), pace: demo.Pace}
	d.log = d.logging.logger()
	settings, problems := config.Load(o.Dirs, config.Sources{Flags: o.Flags, Environ: o.Environ})
	d.logging.apply(settings)
	d.secrets = secret.ForUser(o.Dirs.SecretsFile(), d.getenv)
	d.store = store.Open(o.Dirs.State, store.Options{Now: o.Now, Log: d.log})
	d.unfinished = safefile.NewUnfinished(filepath.Join(o.Dirs.State, "unfinished"), d.log)
	d.audit = newAudit(o.Dirs.State)
	d.sandbox = sandbox.New(cmp.Or(o.Executable, os.DevNull)) // what cannot be started holds nothing
	if o.Executable != "" {
		d.reaper = shell.NewReaper([]string{o.Executable, ReaperArg}, d.log)
	}
	login := shell.LoginOptions{Base: o.Environ, Wanted: o.LoginShell, Log: d.log}
	if d.reaper != nil {
		login.Mark = d.reaper.Env()
	}
	d.login = shell.NewLoginEnv(login)
	d.cli = host.NewCLI(func(context.Context) string { return d.getenv("PATH") })
	d.limits, d.broken = limitsOf(d.getenv(approval.LimitsVariable))
	return d, append(problems, d.broken...), nil
}

// Close ends what the process holds; nobody may be served any more.
func (d *Daemon) Close() {
	d.cli.Close()
	d.login.Close()
	if err := d.store.Close(); err != nil {
		d.log.Warn("closing the store", "err", err)
	}
	if d.reaper != nil {
		d.reaper.Close()
	}
	d.audit.file.Close()
	d.logging.Close()
}

// Serve serves one editor on rwc, which it owns, and returns the exit code of
// LSP.
func (d *Daemon) Serve(ctx context.Context, rwc io.ReadWriteCloser, framing rpc.Framing) int {
	return server.Serve(ctx, rwc, server.Options{
		Backend: d, Version: d.o.Version, Framing: framing, Now: d.o.Now, NewID: d.o.NewID, Log: d.log,
	})
}

// getenv looks a variable up in the environment given to the process.
func (d *Daemon) getenv(name string) string {
	value := ""
	for _, kv := range d.o.Environ {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			value = v // the last one counts, as in exec
		}
	}
	return value
}

// userShell is the shell that commands run in, for the system text.
func (d *Daemon) userShell(s *config.Settings) string {
	if s.Shell != "" {
		return s.Shell
	}
	return d.getenv("SHELL")
}

func home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return "" // left out of the system text
	}
	return dir
}

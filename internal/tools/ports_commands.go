package tools

import (
	"context"
	"time"
)

// Commands runs command lines.
type Commands interface {
	// Run runs line in a shell in dir and returns when the shell has ended, was
	// stopped, timed out, or was let go on in the background. output is told of
	// text as it comes. ctx's end stops the whole process tree.
	Run(ctx context.Context, c CommandLine, output func(text string)) (*CommandResult, error)
}

// CommandLine is what to run.
type CommandLine struct {
	Line, Dir string
	// Timeout of 0 means the default.
	Timeout time.Duration
	// ID names the command for those who watch it, type into it or stop it: the
	// call's. It is unique in a task.
	ID string
	// TTY gives the command a terminal of its own instead of an empty standard
	// input: what it asks can be answered.
	TTY bool
	// Unsandboxed runs it outside of the sandbox; a person allowed that.
	Unsandboxed bool
}

// CommandResult is how a command ended.
type CommandResult struct {
	// Output is what it printed, stdout and stderr in order, resolved to plain
	// text; when it is long, head and tail with a mark between them that names
	// LogFile.
	Output string
	// Omitted counts the lines left out of the middle of Output.
	Omitted int
	// LogFile holds the complete output, up to a cap, when something was left
	// out of Output; with Background it goes on to receive what comes later.
	LogFile string
	// ExitCode is -1 when it did not exit by itself.
	ExitCode int
	// Signal names the signal that ended it, such as "killed"; else "".
	Signal string
	// TimedOut and Cancelled tell why it was stopped by us.
	TimedOut, Cancelled bool
	// Background is true when processes it started still run.
	Background bool
	// Detached is true when the user let it go on in the background while its
	// shell still ran: ExitCode tells nothing, and later output comes with
	// Running.
	Detached bool
	// Asks is the line it seems to have stopped at, waiting for input that it
	// cannot get; "" when it does not seem so.
	Asks string
	// Stopped names the process of it that a signal had stopped, and that did not
	// go on; "" for none.
	Stopped string
	// Confined says what the sandbox let the command do, "" when it ran without
	// one; Refused is why the sandbox probably was what made it fail, as a
	// sentence, "" when that is not likely.
	// Demanded is true when there is no running it without the sandbox.
	Confined, Refused string
	Demanded          bool
	Duration          time.Duration
}

// Running tells what runs in the background, for the model.
type Running interface {
	// Running lists the commands in the background, oldest first, with those that
	// ended since it was last told. Each piece of output is given once.
	Running() []RunningCommand
}

// RunningCommand is a command in the background.
type RunningCommand struct {
	// ID as in CommandLine; Line and Dir as they were run.
	ID, Line, Dir string
	// Fresh is what it printed since it was last told, resolved to plain text,
	// head and tail when it is long; Omitted counts the lines left out.
	Fresh   string
	Omitted int
	LogFile string
	// Ended is true once no process of it is left; ExitCode and Signal are as in
	// CommandResult. WithDaemon is true when that was because the daemon ended,
	// before the task was opened again.
	Ended, WithDaemon bool
	ExitCode          int
	Signal            string
}

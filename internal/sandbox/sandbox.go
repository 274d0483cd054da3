// Package sandbox owns what the kernel holds a command to: it writes in the
// workspace, temporary folders and the caches of tools only, cannot read what is
// hidden, and has no network when the plan says so. Which of that a system can
// do, how a command is started so that it and all its descendants are held, and
// what a failure by it looks like is answered here.
//
// It decides nothing: which commands are held, and whether one may run without,
// is for the settings, the policy and the user. It starts no command itself, it
// changes an exec.Cmd that its owner starts and waits for. What it does is
// Linux only (Landlock, and namespaces where needed); elsewhere it says so. It
// imports nothing of ours; daemon wires it to commands and MCP servers, and
// cmd/clined calls Main in the child.
//
// What is held, and what is not:
//
//   - Creating, writing, truncating, renaming, linking and removing files
//     outside of the writable folders fails with EACCES or EXDEV, by whatever
//     way the path leads there. Modes, owners, times and extended attributes
//     of files outside can be changed as before: Landlock has no right for
//     these.
//   - Inside of a writable folder everything can be written, .git/hooks and
//     the like too: Landlock can take nothing out of a folder that it gave,
//     and git must be able to work there. Mounts would not help: git takes
//     settings and hooks from where a new file .git/commondir says
//     (gitrepository-layout(5)). That such files are protected is the
//     policy's business.
//   - What is hidden or kept in a writable folder stays where it is: the folders
//     above it cannot be renamed.
//   - A symbolic link that lies in a writable folder never widens a plan: a
//     command could have made it for the next one. One that leads to what is
//     hidden or kept can be replaced there.
//   - Of open files a command inherits its three streams only.
//   - Devices can be used as far as devices says; no new ones can be made.
//   - Nothing can be mounted, no set-user-ID program gains anything (sudo),
//     processes outside cannot be traced, nor their environment be read. The
//     latter holds for the daemon's keys. Since ABI 6 of Landlock they cannot
//     be signalled either, nor reached by abstract sockets.
//   - Sockets with a path, such as docker.sock, D-Bus or an agent of ssh, can be
//     connected to by a command that has network. Who may talk to a service
//     which acts outside can act outside. Without network and before ABI 9, one
//     bound by a relative name is hidden where a process works in its folder.
//   - As root, the capabilities are those that containers usually have.
package sandbox

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// ChildArg is the first argument of the child that confines itself and becomes
// the command; what follows is for Main.
const ChildArg = "confine-command"

// ExitSetup is the exit code of a child that could not be confined and so did
// not become the command. It is that of env, timeout and the like.
const ExitSetup = 125

// setupFailed begins what such a child says on standard error.
const setupFailed = "clined: the sandbox could not be set up, so the command was not run: "

// Plan is what a command may do. Paths are absolute; others, and those that do
// not exist, are left out.
type Plan struct {
	// Workspace are the folders that are worked on, and with each goes the
	// folder of the git repository that it belongs to. Writable are further
	// folders and files that may be written: see Temp and Caches. What may be
	// written may be read.
	Workspace, Writable []string
	// Hidden are files and folders that may be neither read nor written,
	// whether they exist now or come to be later. One that lies in a
	// writable folder must exist, and hiding it takes namespaces.
	Hidden []string
	// Kept are files and folders that may be read, but not written although
	// they lie in a writable folder. They must exist, and it takes namespaces.
	Kept []string
	// Network allows it. Without, the command has a loopback interface of its
	// own, and sockets of processes outside are out of reach.
	Network bool
	// Required refuses what cannot be held in full; else a command runs with
	// what the system has.
	Required bool
	// Dir is the folder that relative paths in the command's messages are
	// taken from; only Refusal looks at it.
	Dir string
}

// Sandbox confines commands. Its methods may be called from any goroutine.
type Sandbox struct {
	executable string
	support    func() Support
}

// Unavailable is the error of a plan that was required and cannot be held.
type Unavailable struct {
	// Lacks is what is missing, in words.
	Lacks []string
}

func (e *Unavailable) Error() string {
	return "the command was not run: the sandbox is required, and this system " + strings.Join(e.Lacks, " and ")
}

// Hint is what the user can do about it.
func (e *Unavailable) Hint() string {
	return `set "sandbox.mode" to "auto" to run commands with what the system can hold, or to "off"`
}

// Wrap makes cmd, not started yet, run confined: its owner starts it, waits for
// it and kills it as before, the process is the same from the fork to the end.
// What SysProcAttr has is kept. The text says what is held, "" when nothing is
// and the command is as it was.
//
// It fails with an *Unavailable for a plan that is Required and cannot be held,
// and when the system does not tell what there is to hide. A child that cannot
// be confined after all runs nothing and exits with ExitSetup.
func (s *Sandbox) Wrap(cmd *exec.Cmd, p Plan) (held string, err error) {
	held, err = s.Describe(p)
	if err != nil || held == "" {
		return "", err
	}
	return held, s.wrap(cmd, p)
}

// Describe says what Wrap would hold a command to, or its error.
func (s *Sandbox) Describe(p Plan) (held string, err error) {
	have := s.support()
	if lacks := have.lacks(p); p.Required && len(lacks) > 0 {
		return "", &Unavailable{Lacks: lacks}
	}
	if !have.Files {
		return "", nil
	}
	held = "writes only in the workspace, temporary folders and tool caches"
	if !p.Network && have.Namespaces {
		held += "; no network"
	}
	if have.Namespaces {
		return held, nil
	}
	if !p.Network {
		held += "; the network is not held off: this system " + have.WhyNamespaces
	}
	if open := covered(p.hidden(), p.writable()); len(open) > 0 {
		held += fmt.Sprintf("; %q is not hidden: this system %s", open[0], have.WhyNamespaces)
	} else if open := covered(p.kept(), p.writable()); len(open) > 0 {
		held += fmt.Sprintf("; %q can be written: this system %s", open[0], have.WhyNamespaces)
	}
	return held, nil
}

// Support is what a system can hold commands to.
type Support struct {
	// Files: writes are held to folders, and files are hidden.
	Files bool
	// Whole: truncating files is held too, which the first versions of
	// Landlock do not.
	Whole bool
	// Signals: processes outside cannot be signalled.
	Signals bool
	// Namespaces: the network can be held off, and files be hidden that lie
	// in folders which can be written.
	Namespaces bool
	// Landlock is the kernel's version of it, 0 for none.
	Landlock int
	// WhyFiles and WhyNamespaces say what the system lacks when it does: they
	// go on from "this system".
	WhyFiles, WhyNamespaces string
}

// lacks is what of p cannot be held.
func (s Support) lacks(p Plan) (lacks []string) {
	switch {
	case !s.Files:
		return []string{s.WhyFiles}
	case !s.Whole:
		lacks = append(lacks, fmt.Sprintf("has version %d of Landlock, which does not keep files from being truncated", s.Landlock))
	}
	if !s.Namespaces && (!p.Network || len(covered(slices.Concat(p.hidden(), p.kept()), p.writable())) > 0) {
		lacks = append(lacks, s.WhyNamespaces)
	}
	return lacks
}

// String is one line for the user.
func (s Support) String() string {
	if !s.Files {
		return "not available: this system " + s.WhyFiles
	}
	text := fmt.Sprintf("available (Landlock %d)", s.Landlock)
	if !s.Whole {
		text += ", except that any file can be truncated"
	}
	if !s.Signals {
		text += ", except that any process can be signalled"
	}
	if !s.Namespaces {
		text += "; the network cannot be held off: this system " + s.WhyNamespaces
	}
	return text
}

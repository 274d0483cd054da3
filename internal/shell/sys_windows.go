package shell

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"clined/internal/tools"

	"golang.org/x/sys/windows"
)

const supported = true

// reaped is false where the system itself ends what a dead daemon leaves: a job
// object ends with its last handle.
const reaped = false

// newSession starts the child without a console, so that it can ask nobody, and
// suspended: it must not start others before it is in the job object of its tree.
func newSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP,
	}
}

// setLine gives cmd the arguments that run line, after newSession.
func setLine(cmd *exec.Cmd, path, line string) {
	args := shellArgs(path, line)
	if familyOf(path) == cmdExe {
		cmd.SysProcAttr.CmdLine = syscall.EscapeArg(path) + " " + args[0]
		return
	}
	cmd.Args = append(cmd.Args, args...)
}

func systemShell() (string, error) {
	for _, name := range []string{"pwsh.exe", "powershell.exe", os.Getenv("ComSpec"), "cmd.exe"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("neither PowerShell nor cmd.exe was found")
}

// startError is a sentence for the model.
func startError(err error, _ *exec.Cmd, c tools.CommandLine) error {
	if errors.Is(err, windows.ERROR_FILENAME_EXCED_RANGE) || errors.Is(err, syscall.E2BIG) {
		return fmt.Errorf("the command line is too long for the system (%d bytes): write it to a script file and run that", len(c.Line))
	}
	return fmt.Errorf("the command could not be started: %w", err)
}

// exitOf returns the exit code; there are no signals.
func exitOf(s *os.ProcessState) (code int, signal string) { return s.ExitCode(), "" }

//go:build unix

package mcphub

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// group is the process group of one server. Its leader is a reaper: a shell
// that does nothing but read from a pipe whose other end only this process
// holds. When that end closes, because this process died in whatever way, the
// reaper ends the group, itself included.
//
// A parent-death signal would not do: it reaches only the direct child, and it
// fires when the thread that forked ends, not the process. The server joins
// the reaper's group before it runs, so no moment is left uncovered.
type group struct {
	reaper *exec.Cmd
	pipe   *os.File
}

const reaperScript = `trap '' TERM HUP INT
while read -r _; do :; done
kill -TERM 0
sleep 1
kill -KILL 0`

// startInGroup starts cmd in a new group, confined where confine is set.
func startInGroup(cmd *exec.Cmd, confine func(*exec.Cmd) error) (*group, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	reaper := exec.Command("/bin/sh", "-c", reaperScript)
	reaper.Stdin, reaper.Dir = r, "/"
	reaper.Env = []string{"PATH=/usr/bin:/bin"}
	reaper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = reaper.Start()
	_ = r.Close()
	if err != nil {
		_ = w.Close()
		return nil, fmt.Errorf("cannot start the reaper: %w", err)
	}
	g := &group{reaper: reaper, pipe: w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: reaper.Process.Pid}
	if confine != nil {
		if err := confine(cmd); err != nil {
			g.kill()
			return nil, err
		}
	}
	if err := cmd.Start(); err != nil {
		g.kill()
		return nil, err
	}
	return g, nil
}

// terminate asks everything in the group to end; the reaper does not listen.
func (g *group) terminate() { _ = syscall.Kill(-g.reaper.Process.Pid, syscall.SIGTERM) }

// kill ends what is left of the group, the reaper too. It is called once.
func (g *group) kill() {
	// The group's id cannot be taken by others before Wait collects the reaper.
	_ = syscall.Kill(-g.reaper.Process.Pid, syscall.SIGKILL)
	_ = g.reaper.Wait()
	_ = g.pipe.Close()
}

// lookPath finds a command as execvp would with the given PATH, relative names
// with a slash from dir. Unlike exec.LookPath it uses the PATH of the server's
// own environment, which may be that of a login shell.
func lookPath(command string, env map[string]string, dir string) (string, error) {
	if strings.Contains(command, "/") {
		if !filepath.IsAbs(command) {
			command = filepath.Join(dir, command)
		}
		if err := executable(command); err != nil {
			return "", fmt.Errorf("%q cannot be run: %w", command, err)
		}
		return command, nil
	}
	for _, d := range filepath.SplitList(env["PATH"]) {
		if d == "" || !filepath.IsAbs(d) {
			continue // a relative entry would run what a repository brings along
		}
		if path := filepath.Join(d, command); executable(path) == nil {
			return path, nil
		}
	}
	return "", notFound(command, env["PATH"])
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return errors.Unwrap(err)
	case info.IsDir():
		return syscall.EISDIR
	case info.Mode()&0o111 == 0:
		return syscall.EACCES
	}
	return nil
}

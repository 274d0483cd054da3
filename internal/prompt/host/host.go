// Package host owns what the machine itself tells for a prompt: its operating
// system, which well-known programs are installed, and the version control of a
// folder. It implements ports of prompt.
//
// It reads, and never runs a program or opens a connection: looking at a
// repository must not run what that repository configures. daemon imports it.
package host

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// OS names the operating system and the processor, such as
// "Debian GNU/Linux 12 (bookworm), linux/amd64".
func OS() string {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	switch runtime.GOOS {
	case "darwin":
		return "macOS, " + platform
	case "windows":
		return "Windows, " + platform
	}
	// os-release(5) has it on Linux and the BSDs.
	text, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(value, `"'`) + ", " + platform
		}
	}
	return platform
}

// patience is how long a request waits for the look at PATH: folders of it may
// be on slow network drives.
const patience = time.Second

// known are the programs worth knowing of, in the order they are told.
var known = []string{
	"git", "gh", "docker", "podman", "kubectl", "npm", "node", "pnpm", "yarn", "bun", "deno", "go", "cargo", "python3", "pip", "uv",
	"mvn", "gradle", "make", "cmake", "gcc", "clang", "curl", "wget", "jq", "rg", "fd", "sqlite3", "psql", "terraform", "aws", "gcloud", "brew",
}

// CLI looks for programs on PATH, once.
type CLI struct {
	stop context.CancelFunc
	done chan struct{}
	// found is set before done is closed.
	found []string
}

// NewCLI starts to look on the PATH that path returns, which may wait, for
// instance for a login shell. Close ends it.
func NewCLI(path func(context.Context) string) *CLI {
	ctx, stop := context.WithCancel(context.Background())
	c := &CLI{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		folders := filepath.SplitList(path(ctx))
		for _, name := range known {
			if ctx.Err() != nil {
				return
			}
			if onPath(folders, name) {
				c.found = append(c.found, name)
			}
		}
	}()
	return c
}

// onPath says whether a folder holds a program of that name. Relative folders
// do not count: they mean another place in each directory.
func onPath(folders []string, name string) bool {
	for _, f := range folders {
		if !filepath.IsAbs(f) {
			continue
		}
		if _, err := exec.LookPath(filepath.Join(f, name)); err == nil {
			return true
		}
	}
	return false
}

// Installed returns the programs found, in a fixed order; none while the look
// takes longer than a second.
func (c *CLI) Installed(ctx context.Context) []string {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-c.done:
		return c.found
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// Close stops the look and waits for its end.
func (c *CLI) Close() {
	c.stop()
	<-c.done
}

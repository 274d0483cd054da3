package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// self is the program that runs, also after its file was replaced or removed.
const self = "/proc/self/exe"

// New returns a Sandbox whose child is the program executable, which calls Main
// when its first argument is ChildArg; "" is this program itself. It looks at
// nothing yet.
func New(executable string) *Sandbox {
	if executable == "" {
		executable = self
	}
	var mu sync.Mutex // guards known
	var known *Support
	return &Sandbox{executable: executable, support: func() Support {
		mu.Lock()
		defer mu.Unlock()
		if known != nil {
			return *known
		}
		says := Available()
		have := tried(executable, says)
		// What should work and did not may have failed for want of memory:
		// that must not leave all commands free from then on.
		if have.Files || !says.Files {
			known = &have
		}
		return have
	}}
}

// Support is what this system can do, tried out the first time: that takes as
// long as starting some commands.
func (s *Sandbox) Support() Support { return s.support() }

// Available is what this system should be able to do, by what it says of
// itself: it costs some system calls.
func Available() Support {
	abi := landlockABI()
	s := Support{Files: abi >= 1, Whole: abi >= abiTruncate, Signals: abi >= abiScope, Landlock: abi, Namespaces: true}
	if !s.Files {
		s.Namespaces = false
		s.WhyFiles = "has no Landlock: it takes Linux 5.13 or newer with Landlock among its security modules"
		s.WhyNamespaces = s.WhyFiles
		return s
	}
	for _, limit := range []struct{ file, forbids string }{
		{"/proc/sys/user/max_user_namespaces", "0"},
		{"/proc/sys/kernel/unprivileged_userns_clone", "0"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"},
	} {
		b, err := os.ReadFile(limit.file)
		root := os.Geteuid() == 0 && !strings.HasPrefix(limit.file, "/proc/sys/user/")
		if err == nil && !root && strings.TrimSpace(string(b)) == limit.forbids {
			s.Namespaces = false
			s.WhyNamespaces = fmt.Sprintf("forbids user namespaces (%s is %s)", limit.file, limit.forbids)
		}
	}
	return s
}

// tried takes away from what a system says of itself what does not work: a
// filter of a container, or an AppArmor profile, shows only then.
func tried(executable string, s Support) Support {
	if !s.Files {
		return s
	}
	if err := try(executable, order{abi: s.Landlock, network: true}); err != nil {
		why := "cannot confine a process (" + err.Error() + ")"
		return Support{WhyFiles: why, WhyNamespaces: why}
	}
	if err := try(executable, order{abi: s.Landlock, spaces: true, sockets: []string{os.DevNull}}); err != nil {
		s.Namespaces = false
		if s.WhyNamespaces == "" {
			s.WhyNamespaces = "cannot make namespaces (" + err.Error() + ")"
		}
		return s
	}
	s.Namespaces, s.WhyNamespaces = true, ""
	return s
}

// tryLimit guards against a child that hangs: it takes milliseconds.
const tryLimit = 10 * time.Second

func try(executable string, o order) error {
	o.try = true
	ctx, stop := context.WithTimeout(context.Background(), tryLimit)
	defer stop()
	cmd := exec.CommandContext(ctx, executable)
	cmd.Env = []string{}
	give(cmd, executable, o)
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	if err != nil && said.Len() > 0 {
		text, _, _ := strings.Cut(strings.TrimPrefix(said.String(), setupFailed), "\n")
		err = errors.New(text)
	}
	return err
}

// wrap is Wrap once it is clear that there is something to hold.
func (s *Sandbox) wrap(cmd *exec.Cmd, p Plan) error {
	have := s.support()
	o := order{abi: have.Landlock, writable: p.writable(), hidden: p.hidden(), network: p.Network}
	cover, keep := covered(o.hidden, o.writable), covered(p.kept(), o.writable)
	if have.Namespaces && (!p.Network || len(cover)+len(keep) > 0) {
		o.spaces, o.cover, o.keep = true, cover, keep
	}
	if o.spaces && !p.Network {
		var err error
		if o.sockets, err = outsideSockets(); err != nil {
			return fmt.Errorf("the sandbox cannot hide the sockets of other processes: %w", err)
		}
	}
	o.pin = pinned(slices.Concat(o.cover, o.keep, covered(realParents(o.sockets), o.writable)), o.writable)
	give(cmd, s.executable, o)
	return nil
}

// give makes cmd start as the child with an order.
func give(cmd *exec.Cmd, executable string, o order) {
	if o.spaces {
		if cmd.SysProcAttr == nil {
			cmd.SysProcAttr = &syscall.SysProcAttr{}
		}
		enterSpaces(cmd.SysProcAttr, o.network)
	}
	args := cmd.Args
	if len(args) == 0 {
		args = []string{cmd.Path}
	}
	cmd.Args = append(append([]string{"clined", ChildArg}, o.args()...), append([]string{cmd.Path}, args...)...)
	cmd.Path = executable
}

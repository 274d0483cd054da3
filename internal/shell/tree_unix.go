//go:build unix && !linux

package shell

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// tree is the processes of a command: its process group. Without /proc a child
// that made its own session is not found.
type tree struct {
	leader int
	more   map[int]bool
	mark   string
}

func newTree(leader *os.Process, mark string, _ *processes) tree {
	return tree{leader: leader.Pid, mark: mark}
}

// readsTerminal is not known here; prompts are still told by their looks.
func readsTerminal(tree) bool { return false }

// readsOutput is not known here.
func readsOutput(tree, os.FileInfo, time.Time) string { return "" }

// stopped is not known here.
func (tree) stopped(time.Time) (string, int) { return "", 0 }

// members names the groups that still have processes, as negative ids.
func (t tree) members(time.Time) []int {
	var ids []int
	for id := range t.leaders() {
		if syscall.Kill(-id, 0) == nil {
			ids = append(ids, -id)
		}
	}
	return ids
}

// allTrees is known by its leaders alone.
func allTrees(token string) tree { return tree{mark: token + ".", more: map[int]bool{}} }

func (*tree) livesOn() {}

func (t tree) ofSession() tree { return t }

type processes struct{}

func startTagged(cmd *exec.Cmd, _ string) error { return cmd.Start() }

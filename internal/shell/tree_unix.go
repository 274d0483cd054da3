//go:build unix && !linux

package shell

import "syscall"

// tree is the processes of a command: its process group. Without /proc a child
// that made its own session is not found.
type tree struct {
	leader int
	more   map[int]bool
	mark   string
}

func newTree(leader int, mark string) tree { return tree{leader: leader, mark: mark} }

// members names the groups that still have processes, as negative ids.
func (t tree) members() []int {
	var ids []int
	for id := range t.leaders() {
		if syscall.Kill(-id, 0) == nil {
			ids = append(ids, -id)
		}
	}
	return ids
}

// Command probe is the measure of a benchmark, in two ways. Without arguments
// it is the smallest server in Go: it answers one message and waits for the end
// of its input, and what that takes is the unit for starts of processes. With
// arguments it runs them as a command and writes what that took, as JSON.
//
// It is a program of its own because a child's peak memory, as the system counts
// it, begins with that of the process that started it. It imports nothing of ours.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Report is what a command took.
type Report struct {
	// WallNs is from before its start to behind its end, in nanoseconds.
	WallNs int64 `json:"wallNs"`
	// PeakBytes is the most memory that was resident, 0 where that is not known.
	PeakBytes int64 `json:"peakBytes"`
	ExitCode  int   `json:"exitCode"`
	// Output is standard output and standard error.
	Output string `json:"output"`
}

func main() {
	if len(os.Args) == 1 {
		answer()
		return
	}
	if err := measure(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer() {
	buf := make([]byte, 64<<10)
	if _, err := os.Stdin.Read(buf); err != nil {
		return
	}
	_, _ = os.Stdout.WriteString(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n")
	_, _ = os.Stdin.Read(buf)
}

func measure(name string, args []string) error {
	cmd := exec.Command(name, args...)
	var out head
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if cmd.ProcessState == nil {
		return err // it could not be started
	}
	return json.NewEncoder(os.Stdout).Encode(Report{
		WallNs: wall.Nanoseconds(), PeakBytes: peak(cmd.ProcessState), ExitCode: cmd.ProcessState.ExitCode(), Output: string(out),
	})
}

// head keeps the beginning of what is written.
type head []byte

func (h *head) Write(p []byte) (int, error) {
	const most = 4 << 10
	*h = append(*h, p[:min(len(p), most-len(*h))]...)
	return len(p), nil
}

package store

import (
	"os"
	"strings"
	"time"
)

// Process names a process beyond restarts of the machine and the reuse of
// numbers.
type Process struct {
	// BootID changes with each start of the machine; "" where it is not known.
	BootID string
	PID    int
	// Start is the start time of the process as the system tells it; "" where
	// it is not known.
	Start string
}

// Owner is the process that runs a task.
type Owner struct {
	Process
	// Since its turn began; LastBeat is its last sign of life.
	Since, LastBeat time.Time
}

const (
	// beatEvery is how often the holder of a lease shows that it lives.
	beatEvery = 5 * time.Second
	// beatLimit is how long a lease lives without that.
	beatLimit = 15 * time.Second
)

func thisProcess() Process {
	pid := os.Getpid()
	start, _ := processStart(pid)
	return Process{BootID: bootID(), PID: pid, Start: start}
}

// alive tells whether the owner may still be at work. A process that stands
// still for long is taken for dead; should it wake up, the fence keeps it from
// writing.
func (o *Owner) alive(self Process, now time.Time) bool {
	// A beat of the future is one too: clocks are set back.
	if o.BootID != self.BootID || now.Sub(o.LastBeat).Abs() >= beatLimit {
		return false
	}
	if o.PID == self.PID && o.Start == self.Start || space(o.Start) != space(self.Start) {
		return true
	}
	start, known := processStart(o.PID)
	return !known || start != "" && start == o.Start
}

// space is the name space of a process's number, where there are such: another
// one cannot be looked into.
func space(start string) string {
	_, space, _ := strings.Cut(start, " ")
	return space
}

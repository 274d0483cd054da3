package doctext

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"clined/internal/tools"
)

const (
	// maxMemory is how many bytes the child may take before it ends itself.
	maxMemory = 512 << 20
	// maxStack is how many bytes of stack one goroutine may take.
	maxStack = 64 << 20
	// tooMuch is the child's exit code when it took too much memory.
	tooMuch = 3
)

// answer is what the child writes, as JSON.
type answer struct {
	tools.Document
	Error string
}

// Main is the child: it reads a document from in, writes its text to out and
// returns the exit code. It changes the limits of the whole process, and calls
// exit when the document costs too much.
func Main(in *os.File, out io.Writer, f Format, exit func(code int)) int {
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(50)
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, errSlow)
	defer cancel()
	go watchMemory(exit) // it ends with the process

	a := answer{}
	data, size, err := readerAt(in)
	if err == nil {
		var doc *tools.Document
		if doc, err = Extract(ctx, data, size, f); err == nil {
			a.Document = *doc
		}
	}
	if err != nil {
		a.Error = err.Error()
	}
	if err := json.NewEncoder(out).Encode(a); err != nil {
		return 1
	}
	return 0
}

// readerAt returns a file as it is, and what comes through a pipe as bytes.
func readerAt(in *os.File) (io.ReaderAt, int64, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, 0, err
	}
	if info.Mode().IsRegular() {
		return in, info.Size(), nil
	}
	raw, err := io.ReadAll(io.LimitReader(in, MaxFile))
	return bytes.NewReader(raw), int64(len(raw)), err
}

// watchMemory ends the process when it has taken too much, which no limit of
// the runtime does.
func watchMemory(exit func(code int)) {
	var m runtime.MemStats
	for range time.Tick(10 * time.Millisecond) {
		runtime.ReadMemStats(&m)
		if m.Sys-m.HeapReleased > maxMemory {
			exit(tooMuch)
		}
	}
}

package doctext

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/tools"
)

// ChildArg is the first argument of the child that reads a document; the
// second is its Format. A program given them must call Main.
const ChildArg = "read-document"

// limit is how long reading one document may take.
const limit = 20 * time.Second

// Files is where documents are.
type Files interface {
	// OpenFile opens the regular file at p for reading; the caller closes it.
	OpenFile(ctx context.Context, p tools.Path) (*os.File, error)
	// Read is that of tools.Files: an editor may have a notebook open.
	Read(ctx context.Context, p tools.Path) (*tools.File, error)
}

// Reader implements tools.Documents. It keeps nothing between calls and is
// safe for concurrent use.
type Reader struct {
	Files Files
	// Child is the program that calls Main when it is started with ChildArg and
	// a format; "" reads in this process.
	Child string
	// Log gets what only a maintainer can act on.
	Log *slog.Logger
}

var _ tools.Documents = (*Reader)(nil)

// Document implements tools.Documents.
func (r *Reader) Document(ctx context.Context, p tools.Path) (*tools.Document, bool, error) {
	if strings.EqualFold(filepath.Ext(p.Abs), ".ipynb") {
		f, err := r.Files.Read(ctx, p)
		if err != nil {
			return nil, false, err
		}
		doc, err := r.extract(ctx, strings.NewReader(f.Text), Notebook)
		return named(doc, p, err)
	}
	f, err := r.Files.OpenFile(ctx, p)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, false, fmt.Errorf("%q cannot be read: %w", p.Display, err)
	}
	if byHead(head[:n]).name == "" {
		return nil, false, nil
	}
	doc, err := r.extract(ctx, f, Auto)
	return named(doc, p, err)
}

// named puts the name of the file before the phrase that an error is.
func named(doc *tools.Document, p tools.Path, err error) (*tools.Document, bool, error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%q %w", p.Display, err)
	}
	return doc, err == nil, err
}

// errSlow ends the reading of a document.
var errSlow = fmt.Errorf("takes longer than %d s to read; read it with a command instead", limit/time.Second)

// source is an open file, or a text.
type source interface {
	io.Reader
	io.ReaderAt
}

// extract reads a document, in a child if there is one.
func (r *Reader) extract(ctx context.Context, in source, f Format) (*tools.Document, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	if r.Child == "" {
		size, err := sizeOf(in)
		if err != nil {
			return nil, err
		}
		return Extract(ctx, in, size, f)
	}
	return r.child(ctx, in, f)
}

func sizeOf(in source) (int64, error) {
	switch in := in.(type) {
	case *os.File:
		info, err := in.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	case interface{ Size() int64 }:
		return in.Size(), nil
	}
	return 0, errors.New("has no size")
}

// child has the document read by a process of its own and waits for its end.
func (r *Reader) child(ctx context.Context, in source, f Format) (*tools.Document, error) {
	var out, fault capped
	out.left, fault.left = 3*maxText, 4096 // a text may double in JSON
	cmd := exec.CommandContext(ctx, r.Child, ChildArg, string(f))
	cmd.Env = []string{} // nothing of the user's is its business
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &fault
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if fault.Len() > 0 || err != nil {
		r.log().Warn("reading a document", "err", err, "said", fault.String())
	}
	var a answer
	if jerr := json.Unmarshal(out.Bytes(), &a); err == nil && jerr == nil {
		if a.Error != "" {
			return nil, refusal(a.Error)
		}
		return &a.Document, nil
	}
	if cmd.ProcessState == nil {
		return nil, fmt.Errorf("cannot be read here, for no process can be started: %w", err)
	}
	if cmd.ProcessState.ExitCode() == tooMuch {
		return nil, fmt.Errorf("needs more than %d MB of memory to be read; read it with a command instead", maxMemory>>20)
	}
	return nil, errors.New("is a document that cannot be read: it is damaged, or made to do harm")
}

func (r *Reader) log() *slog.Logger {
	if r.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return r.Log
}

// capped keeps what is written up to a limit in bytes, and passes over the rest.
type capped struct {
	bytes.Buffer
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.left)
	c.left -= n
	c.Buffer.Write(p[:n])
	return len(p), nil
}

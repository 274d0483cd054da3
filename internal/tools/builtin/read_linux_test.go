package builtin

import (
	"context"
	"os"
	"path"
	"strings"
	"syscall"
	"testing"

	"clined/internal/doctext"
	"clined/internal/tools"
)

// Special files on the real rooms: each is told at once and in short, whatever it is.
func TestReadFileSpecialFiles(t *testing.T) {
	p := newProject(t, map[string]string{"a.txt": "x", "empty": "", "line": strings.Repeat("y", 10<<20), "bin": "\x00\x01\x02", "zip": "PK\x03\x04rest", "prog": "\x7fELF\x02\x01"})
	huge := path.Join(p.dir, "huge.log")
	for _, err := range []error{
		os.WriteFile(huge, []byte("first\n"), 0o600), os.Truncate(huge, 5<<30), syscall.Mkfifo(path.Join(p.dir, "fifo"), 0o600), syscall.Mkfifo(path.Join(p.dir, "fifo.pdf"), 0o600),
		os.Symlink("/dev/zero", path.Join(p.dir, "zero")), os.Mkdir(path.Join(p.dir, "d.docx"), 0o700),
		os.WriteFile(path.Join(p.dir, "huge.pdf"), []byte("%PDF-1.7\n"), 0o600), os.Truncate(path.Join(p.dir, "huge.pdf"), 5<<30),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	k := newTaskWith(t, Deps{Files: p.ws, Images: p.ws, Lister: p.ws.Tree(), Documents: &doctext.Reader{Files: p.ws}, CWD: p.dir}, nil)
	for name, want := range map[string]string{
		"huge.log": "huge.log, lines 1-1, 5368709120 bytes\n1 | first\n[More lines follow; go on with start_line 2]",
		"empty":    "empty is empty", "line": "[… 10483960 characters more: start_line 1, start_char 1801]",
	} {
		wantText(t, k.call("read_file", "path", name), tools.OK, want)
	}
	for name, want := range map[string]string{
		"fifo": "is a named pipe", "fifo.pdf": "is a named pipe", "zero": "is a device", "d.docx": "is a directory: use list_files", "none": "none does not exist", "emty": "emty does not exist; empty does",
		"bin": `"bin" is a binary file (3 bytes), not a text`, "zip": "is a ZIP archive", "prog": "is an ELF executable or library, not a text; see what it is with `file FILE`", "huge.pdf": "is a PDF of 5368709120 bytes",
	} {
		res := k.call("read_file", "path", name)
		wantText(t, res, tools.Failed, want)
		if len(res.Text) > 400 {
			t.Errorf("%s: %s", name, res.Text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res := k.Run(ctx, tools.Call{ID: "c", Name: "read_file", Args: tools.Args{"path": []byte(`"line"`)}, Mode: tools.Act})
	if res.Outcome != tools.Cancelled {
		t.Errorf("%+v", res)
	}
}

package builtin

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"clined/internal/tools"
)

// library is documents by path; what is not in it is a text.
type library map[string]*tools.Document

func (l library) Document(_ context.Context, p tools.Path) (*tools.Document, bool, error) {
	doc, ok := l[p.Display]
	if ok && doc == nil {
		return nil, false, fmt.Errorf("%q is a ZIP archive", p.Display)
	}
	return doc, ok, nil
}

func TestReadFileDocuments(t *testing.T) {
	w := newWorld(map[string]string{"a.pdf": "\x00", "b": "\x00", "c.docx": "text", "n.ipynb": "{\n \"cells\": []\n}", "z.bin": "\x00", "e.xlsx": "\x00", "photo": "PNG\x00", "other": "\x00"})
	docs := library{
		"a.pdf": {Kind: "PDF, 2 pages", Text: manyLines(1200), Notes: []string{"no text on page 2"}},
		"b":     {Kind: "Word document", Text: "x"}, "n.ipynb": {Kind: "Jupyter notebook", Text: "=== cell 1 ==="},
		"z.bin": nil, "e.xlsx": {Kind: "Excel workbook, 1 sheet", Notes: []string{"it is empty"}},
	}
	task := func() *task {
		k := newTaskWith(t, Deps{Files: w, Images: w, Lister: w, Documents: docs, CWD: "/w"}, nil)
		k.w = w
		return k
	}
	k := task()
	wantText(t, k.call("read_file", "path", "a.pdf"), tools.OK, "a.pdf (PDF, 2 pages), lines 1-1000 of 1200\n1 | line 1\n", "\n[200 lines more; go on with start_line 1001]\n[Note: no text on page 2]")
	wantText(t, k.call("read_file", "path", "a.pdf", "start_line", 1200), tools.OK, "a.pdf (PDF, 2 pages), lines 1200-1200 of 1200\n1200 | line 1200\n[Note:")
	wantText(t, k.call("read_file", "path", "a.pdf", "start_line", 1201), tools.Failed, "a.pdf has only 1200 lines")
	wantText(t, k.call("read_file", "path", "a.pdf", "start_line", 1200), tools.OK, "unchanged since you read it")
	docs["a.pdf"].Text += "more\n"
	wantText(t, k.call("read_file", "path", "a.pdf", "start_line", 1200), tools.OK, "1201 | more")

	wantExactly(t, k.call("read_file", "path", "b"), "b (Word document), 1 line\n1 | x")
	wantExactly(t, k.call("read_file", "path", "c.docx"), "c.docx, 1 line\n1 | text") // whatever its name says
	wantExactly(t, k.call("read_file", "path", "e.xlsx"), "e.xlsx (Excel workbook, 1 sheet) holds no text; it is empty")
	wantExactly(t, k.call("read_file", "path", "photo"), "photo: image (image/png, 4 bytes)")
	wantText(t, k.call("read_file", "path", "z.bin"), tools.Failed, `"z.bin" is a ZIP archive`)
	wantText(t, k.call("read_file", "path", "other"), tools.Failed, "other is a binary file")

	// A notebook is shown as cells, or as the text that edits work on.
	wantExactly(t, k.call("read_file", "path", "n.ipynb"), "n.ipynb (Jupyter notebook), 1 line\n1 | === cell 1 ===")
	wantExactly(t, k.call("read_file", "path", "n.ipynb", "raw", true), "n.ipynb, 3 lines\n1 | {\n2 |  \"cells\": []\n3 | }")
	wantExactly(t, task().call("read_file", "files", []any{map[string]any{"path": "n.ipynb", "raw": "true", "start_line": 3}}), "n.ipynb, lines 3-3 of 3\n3 | }")
	wantText(t, k.call("read_file", "path", "b", "raw", true), tools.Failed, "b is a binary file")
	// Having seen the cells is not having seen the file.
	k = task()
	k.call("read_file", "path", "n.ipynb")
	res := k.call("replace_in_file", "path", "n.ipynb", "diff", replace(` "cells": []`, ` "cells": [1]`))
	wantText(t, res, tools.OK)
	if strings.Contains(res.Text, "changed since") || w.files["/w/n.ipynb"] != "{\n \"cells\": [1]\n}" {
		t.Errorf("%q: %s", w.files["/w/n.ipynb"], res.Text)
	}
}

package workspace

import "clined/internal/tools"

// Behind reports whether a file has changed on disk since its open document was
// last known to be there, and the document has unsaved changes: who saves it
// undoes what others wrote.
func (w *Workspace) Behind(p tools.Path) bool {
	doc := w.s.docs.find(p.Real)
	if doc == nil || doc.saved == nil || *doc.saved == doc.text {
		return false
	}
	disk, err := readDisk(w, p, doc)
	return err == nil && !disk.shown && disk.enc.exact() && !sameText(disk.text, *doc.saved)
}

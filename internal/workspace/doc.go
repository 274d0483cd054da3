// Package workspace owns the files as one editor session sees them: the
// workspace folders, the overlay of unsaved buffers over the disk, what the
// editor shows (State), path resolution, listing, searching, ignore rules and
// atomic writes.
//
// It never talks to an editor by itself (a buffer is changed through the
// Editor port) and decides no permissions: it says where a path leads, the
// policy in approval says what follows. server, tools, prompt and daemon use it.
package workspace

// Package server owns the session of one editor: the LSP life cycle, the
// documents and what the user sees, the editor's tasks with their event
// streams, and the decisions (approvals and questions) that wait for the user.
//
// It runs no task and knows no tool, model or setting: power comes through
// ports.go. It never writes files; open buffers it changes through the editor
// only. It never takes silence, a bad answer or a lost connection for a yes.
// daemon imports it.
package server

// Package protocol is the contract between clined and an editor: the methods of
// both sides as Go interfaces (Server, Client), their params and results, and
// the mapping of positions. docs/protocol.md tells it in prose.
//
// The method table (table.go) dispatches both ways and is the source of the
// JSON Schema; the stubs call the other side.
//
// It never does I/O and holds no state. It may import event, rpc and the LSP
// types of go.lsp.dev/protocol (which nobody else imports); server, console,
// daemon, cmd and tests import it.
//
// Life cycle and document sync are those of LSP 3.17. Native methods have the
// prefix "clined/". Native mode is on when the client's
// capabilities.experimental.clined is an object.
package protocol

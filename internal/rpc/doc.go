// Package rpc owns JSON-RPC 2.0 on a byte stream: framing, ids, ordered
// dispatch, cancellation both ways and a bounded writer. It is built on
// sourcegraph/jsonrpc2, which pairs calls with responses and runs the read
// loop; what that library leaves open or gets wrong on hostile input stands here.
//
// It knows no method but `$/cancelRequest` and nothing of any product, and
// imports nothing of ours. It is the only importer of sourcegraph/jsonrpc2.
// protocol, server and whatever serves or dials a JSON-RPC peer use it.
//
// Order. Notifications are handled one after the other in the read loop, so
// what they tell is in force before any later message is looked at; their
// handlers are quick and never call the peer. Requests run on goroutines of
// their own but begin one after the other: the next one begins when the one
// before it has returned or called Release. Nothing else holds the read loop up.
//
// Bad input never ends a connection: what cannot be parsed is answered with
// -32700, what is no message with -32600, both with id null.
package rpc

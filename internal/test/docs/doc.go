// Package docs holds the documentation to the code: each method, event, field,
// error code, setting and room is told of, nothing is told of that is gone, and
// links lead somewhere. `go test ./internal/test/docs -update` writes the table
// of docs/settings.md anew.
//
// It reads docs and import lists and judges no prose. Nobody imports it.
package docs

package protocol

import "context"

// FileDiagnostics are the problems of one document, all of them; an empty list
// says that it was looked at and has none.
type FileDiagnostics struct {
	URI string `json:"uri"`
	// Version of the document that they were found in, as in LSP's
	// publishDiagnostics; 0 when it is not known.
	Version     int32        `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// DiagnosticsPullParams asks for the problems of documents as they are now.
type DiagnosticsPullParams struct {
	URIs []string `json:"uris"`
	// SettleMs is how long the editor may wait for whatever checks them, in
	// milliseconds; 0 is what it knows at once.
	SettleMs int `json:"settleMs"`
}

// DiagnosticsPullResult has an item for each document that something checks.
type DiagnosticsPullResult struct {
	Items []FileDiagnostics `json:"items"`
}

// checker is the part of Client about problems, for those with the capability
// diagnosticsPull.
type checker interface {
	DiagnosticsPull(ctx context.Context, p *DiagnosticsPullParams) (*DiagnosticsPullResult, error)
}

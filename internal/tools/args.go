package tools

import "encoding/json"

// Args are the decoded arguments of a call.
type Args map[string]json.RawMessage

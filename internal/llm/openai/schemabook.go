package openai

import (
	"encoding/json"
	"sync"
)

// maxSchemas bounds what a server can make us remember that renames or changes
// its tools all the time.
const maxSchemas = 2000

// schemaBook remembers converted schemas, as a task sends the same ones with
// each request. The zero value is empty.
type schemaBook struct {
	mu        sync.Mutex
	converted map[string]conversion
}

type conversion struct {
	schema json.RawMessage
	err    error
}

// parameters is the function of that name. The result is shared: it must not be
// changed.
func (b *schemaBook) parameters(raw json.RawMessage) (json.RawMessage, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, ok := b.converted[string(raw)]; ok {
		return c.schema, c.err
	}
	if b.converted == nil || len(b.converted) >= maxSchemas {
		b.converted = map[string]conversion{}
	}
	schema, err := parameters(raw)
	b.converted[string(raw)] = conversion{schema, err}
	return schema, err
}

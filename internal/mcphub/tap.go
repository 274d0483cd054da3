package mcphub

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/client/transport"
)

// tap is a transport that also shows the raw response of a request to whoever
// asks for it through the context: decoding into mcp-go's types loses parts of
// schemas (top-level oneOf, title, $schema, definitions) and refuses content
// it does not know.
type tap struct {
	*transport.Stdio
	pace *pace
}

type captureKey struct{}

// capture takes the response of the last request made with its context.
type capture struct{ response *transport.JSONRPCResponse }

func withCapture(ctx context.Context) (context.Context, *capture) {
	c := &capture{}
	return context.WithValue(ctx, captureKey{}, c), c
}

// SendRequest implements transport.Interface.
func (t tap) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	defer t.pace.ask()()
	response, err := t.Stdio.SendRequest(ctx, request)
	if c, ok := ctx.Value(captureKey{}).(*capture); ok && err == nil {
		c.response = response
	}
	return response, err
}

// result returns the raw result of the captured response. When there is none,
// it returns err, the error of the call.
func (c *capture) result(err error) (json.RawMessage, error) {
	if c.response != nil && c.response.Error == nil && len(c.response.Result) > 0 {
		return c.response.Result, nil
	}
	return nil, err
}

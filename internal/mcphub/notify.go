package mcphub

import (
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// notified runs on the client's reading goroutine and must not block.
func (k *conn) notified(n mcp.JSONRPCNotification, logged func(string)) {
	fields := n.Params.AdditionalFields
	switch n.Method {
	case mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationResourcesListChanged:
		select {
		case k.changed <- struct{}{}:
		default:
		}
	case "notifications/message":
		text, ok := fields["data"].(string)
		if !ok {
			b, err := json.Marshal(fields["data"])
			if err != nil {
				return
			}
			text = string(b)
		}
		logged(fmt.Sprintf("%v: %s", fields["level"], text))
	case "notifications/progress":
		// The lock is held so that nothing is reported after forget.
		k.mu.Lock()
		defer k.mu.Unlock()
		report := k.progress[fmt.Sprint(fields["progressToken"])]
		if text := progressText(fields); report != nil && text != "" {
			report(text)
		}
	}
}

func progressText(fields map[string]any) string {
	if message, _ := fields["message"].(string); message != "" {
		return message
	}
	done, ok := fields["progress"].(float64)
	if !ok {
		return ""
	}
	if total, ok := fields["total"].(float64); ok && total > 0 {
		return fmt.Sprintf("%g of %g", done, total)
	}
	return fmt.Sprintf("%g", done)
}

// track registers a progress listener, which must not block, and returns its
// token.
func (k *conn) track(report func(string)) (token string, forget func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tokens++
	token = fmt.Sprintf("progress-%d", k.tokens)
	k.progress[token] = report
	return token, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.progress, token)
	}
}

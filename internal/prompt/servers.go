package prompt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"clined/internal/tools"
)

// Bounds for what is told of servers: instructions and each list of one
// server, and all servers together.
const (
	instructionBytes = 1000
	resourceLines    = 20
	resourceBytes    = 1000
	serversBytes     = 6000
)

// connected is the end of the MCP section: the servers there are now.
func (p *Prompt) connected(ctx context.Context) string {
	servers := p.list(ctx)
	if len(servers) == 0 {
		return "No server is connected now; environment_details tells when one joins."
	}
	var b strings.Builder
	b.WriteString("Connected now; environment_details tells of later ones:\n")
	b.WriteString(p.introduce(servers, readOnly(servers), serversBytes))
	return b.String()
}

func (p *Prompt) list(ctx context.Context) []tools.MCPServer {
	if p.c.Servers == nil {
		return nil
	}
	return p.c.Servers.Servers(ctx)
}

// readOnly returns, by server, the tools that may run beside each other, as the
// model calls them.
func readOnly(servers []tools.MCPServer) map[string][]string {
	var refs []tools.MCPRef
	for _, s := range servers {
		for _, t := range s.Tools {
			refs = append(refs, tools.MCPRef{Server: s.Name, Tool: t.Name})
		}
	}
	names := tools.MCPNames(refs)
	list := map[string][]string{}
	for _, s := range servers {
		for _, t := range s.Tools {
			if t.ReadOnly {
				list[s.Name] = append(list[s.Name], names[tools.MCPRef{Server: s.Name, Tool: t.Name}])
			}
		}
	}
	return list
}

// introduce tells of servers and notes that it did. What does not fit in limit
// bytes is told by name.
func (p *Prompt) introduce(servers []tools.MCPServer, readOnly map[string][]string, limit int) string {
	var b strings.Builder
	var rest []string
	for _, s := range servers {
		text := describe(s, readOnly[s.Name])
		p.servers[s.Name] = text
		if b.Len()+len(text) > limit {
			rest = append(rest, name(s.Name))
			continue
		}
		b.WriteString(text)
	}
	if len(rest) > 0 {
		b.WriteString("Also: " + strings.ReplaceAll(list(rest, 50, limit/4, 0), "\n", ", ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func describe(s tools.MCPServer, readOnly []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", name(s.Name))
	if len(readOnly) > 0 {
		b.WriteString("Read-only: " + strings.ReplaceAll(list(readOnly, resourceLines, resourceBytes, 0), "\n", ", ") + "\n")
	}
	if words := strings.TrimSpace(s.Instructions); words != "" {
		b.WriteString("In its own words:\n" + indent(head(data(words), instructionBytes)) + "\n")
	}
	for _, kind := range []struct {
		title string
		items []tools.MCPResource
	}{{"Resources", s.Resources}, {"Resource templates", s.Templates}} {
		if len(kind.items) == 0 {
			continue
		}
		var lines []string
		for _, r := range kind.items {
			lines = append(lines, "- "+resource(r))
		}
		fmt.Fprintf(&b, "%s:\n%s\n", kind.title, list(lines, resourceLines, resourceBytes, 0))
	}
	return b.String()
}

// resource is a resource on one line.
func resource(r tools.MCPResource) string {
	about := oneLine(r.Description, 200)
	if about == "" && r.Name != r.URI {
		about = oneLine(r.Name, 200)
	}
	if about == "" {
		return name(r.URI)
	}
	return name(r.URI) + " (" + about + ")"
}

// moved tells which servers joined, changed or left since the model was told.
func (p *Prompt) moved(ctx context.Context) string {
	now := p.list(ctx)
	harmless := readOnly(now)
	var fresh []tools.MCPServer
	for _, s := range now {
		if before, known := p.servers[s.Name]; !known || before != describe(s, harmless[s.Name]) {
			fresh = append(fresh, s)
		}
	}
	var left []string
	for old := range p.servers {
		if !slices.ContainsFunc(now, func(s tools.MCPServer) bool { return s.Name == old }) {
			left = append(left, name(old))
			delete(p.servers, old)
		}
	}
	slices.Sort(left)
	var b strings.Builder
	if len(fresh) > 0 {
		b.WriteString("Connected or changed since; their tools are among yours:\n" + p.introduce(fresh, harmless, joinedBytes) + "\n")
	}
	if len(left) > 0 {
		b.WriteString("No longer connected, their tools are gone: " + strings.ReplaceAll(list(left, 20, 500, 0), "\n", ", ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

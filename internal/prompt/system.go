package prompt

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/llm"
)

// System returns the system text. It is asked for once per task: whatever
// changes later is told in environment_details.
func (p *Prompt) System(ctx context.Context) (string, error) {
	family := p.c.Family()
	if family == llm.TextOnly {
		chat, err := sectionFiles.ReadFile("sections/chat.md")
		if err != nil {
			return "", err
		}
		return strings.TrimSpace(string(chat)) + "\n\n" + p.machine(), nil
	}
	fixed, err := sections(family)
	if err != nil {
		return "", err
	}
	return fixed + p.connected(ctx) + "\n\n" + p.machine(), nil
}

// machine is the section on the user's system.
func (p *Prompt) machine() string {
	var b strings.Builder
	b.WriteString("# System information\n")
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, name(value))
		}
	}
	line("Operating system", p.c.System.OS)
	line("Editor", p.c.System.Editor)
	line("Shell", p.c.System.Shell)
	line("Home", p.c.System.Home)
	line("Working directory", p.c.Cwd)
	if len(p.c.Roots) > 1 {
		fmt.Fprintf(&b, "Workspace folders; a path in one of them begins with its name, such as %s:\n%s\n",
			name(p.c.Roots[1].Name+"/README.md"), p.roots())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// roots lists the workspace folders.
func (p *Prompt) roots() string {
	var lines []string
	for _, r := range p.c.Roots {
		lines = append(lines, "- "+name(r.Name)+": "+name(r.Path))
	}
	return list(lines, maxRoots, rootBytes, 0)
}

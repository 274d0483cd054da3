// Package prompt owns what the model is told besides the user's own words: the
// system text (sections/*.md in the order of their names, then what is known of
// this machine and of the MCP servers), the wrapping of the user's words, and
// environment_details, what the editor shows at the moment of a request.
//
// It does no I/O: all it tells comes through ports.go, prompt/host looks at the
// machine. The same inputs give the same bytes, because providers cache the
// prefix of a conversation. What comes from files, terminals and servers is
// data: it cannot end the block it stands in. daemon imports it.
package prompt

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/workspace"
)

// Config is what a Prompt is made of. Family, Workspace and Now must be set;
// what a nil port would tell is left out.
type Config struct {
	// Family of the model that answers next; text-only ones are told of no tools.
	Family func() llm.Family
	System Machine
	// Cwd is the task's working directory, "" for none, and Roots are all its
	// workspace folders.
	Cwd   string
	Roots []workspace.Root

	Workspace Workspace
	Files     Lister
	Servers   Servers
	CLI       CLI
	VCS       VCS
	Commands  Commands
	Now       Now
}

// Machine is what the system text says of the user's machine; empty fields are
// left out.
type Machine struct {
	// OS such as "Debian GNU/Linux 12 (linux/amd64)".
	OS string
	// Editor such as "Neovim 0.11".
	Editor string
	// Shell that commands run in, and the user's Home; both are paths.
	Shell, Home string
}

// Prompt writes the prompts of one task. It is used by one goroutine at a time.
type Prompt struct {
	c Config
	// servers holds what the model was told of each MCP server, by name.
	servers map[string]string
	// told holds the sections of environment_details as last told, and
	// terminals what was told of each terminal, by id.
	told      map[string]string
	terminals map[string]terminal
	// commands are those in the background that the model knows to run, by id;
	// waiting is what it was not told of others, for want of room.
	commands map[string]bool
	waiting  []tools.RunningCommand
}

// New returns the prompts of one task.
func New(c Config) *Prompt {
	p := &Prompt{c: c}
	p.Forget()
	return p
}

// Forget makes the next environment_details tell everything: the model does not
// know any more what it was told.
func (p *Prompt) Forget() {
	p.servers, p.told, p.terminals, p.commands = map[string]string{}, map[string]string{}, map[string]terminal{}, map[string]bool{}
}

//go:embed sections/*.md sections/patch/*.md
var sectionFiles embed.FS

// sections returns the fixed text: the numbered files in order, each ended by
// a blank line. Those of the same names in sections/patch take their place for
// families that edit by patches.
func sections(family llm.Family) (string, error) {
	names, err := fs.Glob(sectionFiles, "sections/[0-9]*.md")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range names {
		if own := path.Join("sections/patch", path.Base(name)); family.Patches() && has(sectionFiles, own) {
			name = own
		}
		text, err := sectionFiles.ReadFile(name)
		if err != nil {
			return "", err
		}
		b.WriteString(strings.TrimSpace(string(text)) + "\n\n")
	}
	return b.String(), nil
}

func has(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

// User wraps the user's words. They stay as they are: nothing in them is
// parsed, here or later.
func (p *Prompt) User(words string, first bool) string {
	if first {
		return "<task>\n" + words + "\n</task>"
	}
	return "<user_message>\n" + words + "\n</user_message>"
}

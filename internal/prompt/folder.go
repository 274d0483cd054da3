package prompt

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// listTime bounds the listing of files for the first message.
const listTime = 3 * time.Second

// folder adds what is told once, at the beginning.
func (p *Prompt) folder(ctx context.Context, b *block, chat bool) {
	if p.c.Files != nil {
		roots := p.listed()
		for _, root := range roots {
			b.section("Files ("+name(root)+")", p.files(ctx, root, maxFiles/len(roots), fileBytes/len(roots)))
		}
	}
	b.section("Workspace Configuration", p.repository(ctx))
	if p.c.CLI != nil && !chat {
		b.section("Detected CLI Tools", strings.Join(p.c.CLI.Installed(ctx), ", "))
	}
}

// listed are the folders whose files are told: every root, if there are few.
func (p *Prompt) listed() []string {
	if len(p.c.Roots) < 2 || len(p.c.Roots) > 5 {
		return []string{p.c.Cwd}
	}
	var paths []string
	for _, r := range p.c.Roots {
		paths = append(paths, r.Path)
	}
	return paths
}

func (p *Prompt) files(ctx context.Context, root string, lines, bytes int) string {
	if home := p.c.System.Home; root == filepath.Dir(root) || home != "" && filepath.Clean(root) == filepath.Clean(home) {
		return "(not listed: this is no project's folder; list_files shows what is in one)"
	}
	dir, err := p.c.Workspace.Resolve(root)
	if err != nil {
		return "(cannot be listed: " + oneLine(err.Error(), 200) + ")"
	}
	ctx, stop := context.WithTimeout(ctx, listTime)
	defer stop()
	entries, more, err := p.c.Files.List(ctx, dir, true, lines)
	for i, e := range entries {
		entries[i] = name(e)
	}
	unlisted := 0
	if more {
		unlisted = -1
	}
	text := list(entries, lines, bytes, unlisted)
	switch {
	case err != nil:
		text = strings.TrimSpace(text + "\n(not listed to the end: " + oneLine(err.Error(), 200) + ")")
	case len(entries) == 0 && more:
		text = "(nothing that is to be shown)"
	case text == "":
		text = "(empty)"
	}
	return text
}

// repository tells of the working directory and its version control.
func (p *Prompt) repository(ctx context.Context) string {
	text := "Root: " + name(p.c.Cwd)
	if p.c.VCS == nil {
		return text
	}
	r, ok := p.c.VCS.Repository(ctx, p.c.Cwd)
	if !ok {
		return text + "\nNo version control"
	}
	var remotes []string
	for _, remote := range r.Remotes {
		remotes = append(remotes, fmt.Sprintf("Remote %s: %s", name(remote.Name), name(withoutCredentials(remote.URL))))
	}
	if len(remotes) > 0 {
		text += "\n" + list(remotes, maxRemotes, remoteBytes, 0)
	}
	if head := strings.TrimSpace(r.Branch + " " + r.Head); head != "" {
		text += "\nHEAD: " + name(head)
	}
	return text
}

// withoutCredentials takes user name, password and query off a URL. The scp
// form (git@host:path) holds no password.
func withoutCredentials(remote string) string {
	scheme, rest, isURL := strings.Cut(remote, "://")
	if !isURL {
		return remote
	}
	u, err := url.Parse(remote)
	if err != nil { // not a URL after all: keep what cannot be a secret
		return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
	}
	user := u.User.Username()
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	if scheme == "ssh" && user != "" {
		u.User = url.User(user)
	}
	return u.String()
}

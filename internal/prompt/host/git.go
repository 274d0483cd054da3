package host

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"clined/internal/prompt"
)

// Git reads git repositories without running git. It implements prompt.VCS.
type Git struct{}

// maxGitFile bounds what is read of a file below .git: packed-refs of a very
// large repository is a few megabytes.
const maxGitFile = 16 << 20

// Repository returns the repository that dir is in.
func (Git) Repository(_ context.Context, dir string) (prompt.Repository, bool) {
	own, common, ok := findGit(dir)
	if !ok {
		return prompt.Repository{}, false
	}
	var r prompt.Repository
	r.Remotes = remotes(read(filepath.Join(common, "config")))
	head := strings.TrimSpace(read(filepath.Join(own, "HEAD")))
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		r.Head = hash(head)
		return r, true
	}
	if ref != "refs/heads/.invalid" { // what the reftable format leaves there
		r.Branch, r.Head = strings.TrimPrefix(ref, "refs/heads/"), resolve(own, common, ref)
	}
	return r, true
}

// findGit returns the git folder of dir, and the one that its worktrees share
// (gitrepository-layout(5)).
func findGit(dir string) (own, common string, ok bool) {
	for {
		own = filepath.Join(dir, ".git")
		info, err := os.Stat(own)
		if err == nil && !info.IsDir() { // a worktree or submodule names its place
			target, isLink := strings.CutPrefix(strings.TrimSpace(read(own)), "gitdir: ")
			if !isLink {
				return "", "", false
			}
			own = absolute(dir, target)
		}
		if err == nil {
			common = own
			if target := strings.TrimSpace(read(filepath.Join(own, "commondir"))); target != "" {
				common = absolute(own, target)
			}
			return own, common, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", "", false
		}
		dir = parent
	}
}

func absolute(base, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

// resolve returns the hash a ref stands for, "" when it has none yet. A ref
// that is not below refs/ is no place to look at.
func resolve(own, common, ref string) string {
	if !strings.HasPrefix(ref, "refs/") || !filepath.IsLocal(ref) {
		return ""
	}
	for _, dir := range []string{own, common} {
		if h := hash(strings.TrimSpace(read(filepath.Join(dir, filepath.FromSlash(ref))))); h != "" {
			return h
		}
	}
	for line := range strings.Lines(read(filepath.Join(common, "packed-refs"))) {
		if value, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return hash(value)
		}
	}
	return ""
}

var hashPattern = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

func hash(s string) string {
	if hashPattern.MatchString(s) {
		return s
	}
	return ""
}

var remoteSection = regexp.MustCompile(`^\[remote "((?:[^"\\]|\\.)*)"\]`)

// remotes reads the remotes of a git configuration in its order. Included
// files are not followed.
func remotes(config string) []prompt.Remote {
	var out []prompt.Remote
	current := ""
	lines := bufio.NewScanner(strings.NewReader(config))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			current = ""
			if m := remoteSection.FindStringSubmatch(line); m != nil {
				current = m[1]
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && current != "" && strings.EqualFold(strings.TrimSpace(key), "url") {
			out = append(out, prompt.Remote{Name: current, URL: strings.Trim(strings.TrimSpace(value), `"`)})
		}
	}
	return out
}

// read returns a file's text, "" when it cannot be read or is no plain file.
func read(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxGitFile {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

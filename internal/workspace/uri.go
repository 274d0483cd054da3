package workspace

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// PathFromURI returns the path of a file URI (RFC 8089). Several spellings of
// a path give the same one: escapes, the case of a drive letter, "localhost".
// It fails for any other scheme.
func PathFromURI(uri string) (string, error) {
	return pathFromURI(uri, runtime.GOOS == "windows")
}

// URIFromPath returns the file URI of an absolute path.
func URIFromPath(path string) string {
	return uriFromPath(path, runtime.GOOS == "windows")
}

func pathFromURI(uri string, windows bool) (string, error) {
	rest, ok := strings.CutPrefix(uri, "file:")
	if !ok {
		return "", fmt.Errorf("%q is not a file on disk", uri)
	}
	// "?" and "#" are taken as parts of the path: file URIs have neither query
	// nor fragment, but editors forget to escape.
	path, err := url.PathUnescape(rest)
	if err != nil || strings.ContainsRune(path, 0) {
		return "", fmt.Errorf("%q is not a valid file URI", uri)
	}
	host := ""
	if after, ok := strings.CutPrefix(path, "//"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			return "", fmt.Errorf("%q has no path", uri)
		}
		if host, path = after[:i], after[i:]; strings.EqualFold(host, "localhost") {
			host = ""
		}
	}
	switch {
	case !strings.HasPrefix(path, "/"):
		return "", fmt.Errorf("%q is not an absolute path", uri)
	case windows && host != "":
		return `\\` + host + strings.ReplaceAll(path, "/", `\`), nil
	case host != "":
		return "", fmt.Errorf("%q is on another machine", uri)
	case windows:
		if len(path) < 3 || path[2] != ':' {
			return "", fmt.Errorf("%q has no drive letter", uri)
		}
		return strings.ToUpper(path[1:2]) + strings.ReplaceAll(path[2:], "/", `\`), nil
	}
	return path, nil
}

func uriFromPath(path string, windows bool) string {
	if windows {
		path = strings.ReplaceAll(path, `\`, "/")
		if unc, ok := strings.CutPrefix(path, "//"); ok {
			return "file://" + escapePath(unc)
		}
		path = "/" + path
	}
	return "file://" + escapePath(path)
}

// escapePath escapes all but slashes and the characters that RFC 3986 calls
// unreserved, so that every client reads the same.
func escapePath(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '/' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
	}
	return b.String()
}

// documentKey returns the canonical key of a document named by a URI or a
// path, and its clean path, "" when it is no file on disk.
func documentKey(id string) (key, path string) {
	if !strings.HasPrefix(id, "file:") && filepath.IsAbs(id) {
		p := filepath.Clean(id)
		return p, p
	}
	p, err := PathFromURI(id)
	if err != nil {
		return id, ""
	}
	p = filepath.Clean(p)
	return p, p
}

// Package fileuri owns the mapping between paths and file URIs (RFC 8089), as
// editors of all kinds spell them, on both path flavours.
//
// It is pure and imports nothing of ours. Anyone may import it.
package fileuri

import (
	"path"
	"runtime"
	"strings"
	"unicode/utf8"
)

// Style is how a platform writes paths.
type Style int

// Posix paths begin with a slash, Windows ones with a drive or two backslashes.
const (
	Posix Style = iota
	Windows
)

// Native is that of the machine clined runs on.
func Native() Style {
	if runtime.GOOS == "windows" {
		return Windows
	}
	return Posix
}

// Path returns the absolute, cleaned path of a file URI. ok is false
// for every other scheme, for a host that the platform's paths cannot name,
// and for what no path may hold: such a document is never on disk.
func Path(uri string) (p string, ok bool) { return Native().Path(uri) }

// FromPath returns the file URI of an absolute path, "" for a relative one.
func FromPath(p string) string { return Native().FromPath(p) }

// Canonical spells a URI the one way that equal documents share. URIs that
// are no files stay as they are.
func Canonical(uri string) string { return Native().Canonical(uri) }

// Canonical is the function of that name for one style.
func (s Style) Canonical(uri string) string {
	if p, ok := s.Path(uri); ok {
		return s.FromPath(p)
	}
	return uri
}

// Path is the function of that name for one style. Drive letters become
// upper case, hosts lower case.
func (s Style) Path(uri string) (string, bool) {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || !strings.EqualFold(scheme, "file") {
		return "", false
	}
	// "?" and "#" count as parts of the path: file URIs have neither query nor
	// fragment, but editors forget to escape.
	host := ""
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, rest, _ = strings.Cut(after, "/")
		rest = "/" + rest
	}
	p := unescape(rest)
	if !strings.HasPrefix(p, "/") || strings.ContainsRune(p, 0) {
		return "", false
	}
	host = strings.ToLower(unescape(host))
	if host == "localhost" {
		host = ""
	}
	if s == Windows {
		return windowsPath(host, p)
	}
	return path.Clean(p), host == ""
}

func windowsPath(host, p string) (string, bool) {
	p = strings.ReplaceAll(p, `\`, "/")
	if host == "" && strings.HasPrefix(p, "//") { // file:////srv/share
		host, p, _ = strings.Cut(p[2:], "/")
		host, p = strings.ToLower(host), "/"+p
		if host == "" {
			return "", false
		}
	}
	if strings.ContainsAny(host, `/\:*?"<>|`) || host == "." || host == ".." {
		return "", false
	}
	if host != "" {
		p = path.Clean(p)
		return `\\` + host + strings.ReplaceAll(p, "/", `\`), p != "/"
	}
	drive, rest, _ := strings.Cut(p[1:], "/")
	if !isDrive(drive) {
		return "", false
	}
	return strings.ToUpper(drive) + strings.ReplaceAll(path.Clean("/"+rest), "/", `\`), true
}

// FromPath is the function of that name for one style.
func (s Style) FromPath(p string) string {
	if s == Posix {
		if !strings.HasPrefix(p, "/") {
			return ""
		}
		return "file://" + escape(path.Clean(p))
	}
	p = strings.ReplaceAll(p, `\`, "/")
	if after, ok := strings.CutPrefix(p, "//?/"); ok { // extended-length paths
		p = after
		if len(p) >= 4 && strings.EqualFold(p[:4], "UNC/") {
			p = "//" + p[4:]
		}
	}
	if after, ok := strings.CutPrefix(p, "//"); ok {
		host, rest, _ := strings.Cut(after, "/")
		if host == "" {
			return ""
		}
		return "file://" + escape(strings.ToLower(host)) + escape(path.Clean("/"+rest))
	}
	drive, rest, ok := strings.Cut(p, "/")
	if !ok || !isDrive(drive) {
		return ""
	}
	return "file:///" + strings.ToUpper(drive) + escape(path.Clean("/"+rest))
}

func isDrive(s string) bool {
	return len(s) == 2 && s[1] == ':' && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z'
}

// unescape decodes percent escapes once; what is no escape stays as it is, for
// not every client writes a blank percent sign as %25.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// escape encodes what RFC 3986 does not allow in a path segment.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < utf8.RuneSelf && (isAlphanumeric(c) || strings.IndexByte("-._~!$&'()*+,;=:@/", c) >= 0) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || (c|0x20) >= 'a' && (c|0x20) <= 'z'
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || (c|0x20) >= 'a' && (c|0x20) <= 'f' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return (c | 0x20) - 'a' + 10
}

package tools

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// maxName is the longest name that every provider takes.
const maxName = 64

// MCPRef names a tool of a server by their original names.
type MCPRef struct{ Server, Tool string }

// MCPNames gives every tool a unique name `<server>__<tool>` that is legal with
// every provider: [a-zA-Z_][a-zA-Z0-9_-]{0,63}. No tool is left out.
//
// A name depends on its server's name and on that server's own tools, never on
// what other servers are connected or when: calls of an old transcript keep
// their meaning. So a server whose name must be changed always carries a short
// hash, while a tool carries one only if its changed name clashes within its
// server or the whole is too long.
func MCPNames(refs []MCPRef) map[MCPRef]string {
	refs = slices.Clone(refs)
	slices.SortFunc(refs, func(a, b MCPRef) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
	})
	refs = slices.Compact(refs)

	plain := make([]string, len(refs))
	count := map[string]int{}
	for i, ref := range refs {
		plain[i] = serverName(ref.Server) + "__" + toolName(ref)
		count[plain[i]]++
	}
	names := make(map[MCPRef]string, len(refs))
	taken := make(map[string]bool, len(refs))
	for i, ref := range refs {
		name := plain[i]
		if count[name] > 1 && legal(ref.Tool) != ref.Tool || len(name) > maxName {
			name = withHash(name, ref.Server+"\x00"+ref.Tool, shortHash)
		}
		// Only made-up names get here: a hash that somebody aimed at.
		for size := 2 * shortHash; taken[name]; size += 2 {
			name = withHash(plain[i], ref.Server+"\x00"+ref.Tool+"\x00"+name, min(size, 40))
		}
		taken[name] = true
		names[ref] = name
	}
	return names
}

// serverName returns the server's part of a name. Different servers have
// different parts, and none holds or ends in the separator.
func serverName(server string) string {
	name := legal(server)
	if name == server && !strings.Contains(name, "__") && !strings.HasSuffix(name, "_") && !digitFirst(name) {
		return name
	}
	for strings.Contains(name, "__") {
		name = strings.ReplaceAll(name, "__", "_")
	}
	name = strings.Trim(name, "_")
	if name == "" || digitFirst(name) {
		name = "s" + name
	}
	return name + "_" + hash(server, shortHash)
}

// toolName returns the tool's part of a name; one that says nothing any more
// carries a hash.
func toolName(ref MCPRef) string {
	name := legal(ref.Tool)
	if name != ref.Tool && strings.Trim(name, "_") == "" || name == "" {
		return "tool_" + hash(ref.Tool, shortHash)
	}
	return name
}

// legal replaces each run of characters that a name may not hold by "_".
func legal(s string) string {
	var b strings.Builder
	bad := false
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			b.WriteRune(r)
			bad = false
		} else if !bad {
			b.WriteByte('_')
			bad = true
		}
	}
	return b.String()
}

func digitFirst(s string) bool {
	return s == "" || s[0] == '-' || s[0] >= '0' && s[0] <= '9'
}

// shortHash is the length of the usual hash in hex digits.
const shortHash = 6

func hash(s string, size int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:size]
}

// withHash appends a hash of what, cutting name so that it stays legal.
func withHash(name, what string, size int) string {
	return name[:min(len(name), maxName-size-1)] + "_" + hash(what, size)
}

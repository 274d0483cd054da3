// Package codedefs owns the way from source code to its outline: the functions,
// types and methods defined in a file, with their lines and nesting. It parses
// with tree-sitter and is the only package that imports it.
//
// It reads no files, keeps nothing but a small cache of answers, and does not
// resolve names or types. tools uses it through the port tools.Definitions.
//
// The parsers are C code: without cgo the package builds, knows no language,
// and says so.
package codedefs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
	"time"

	"clined/internal/tools"
)

// Limits of one file. Dense source takes about 105 bytes of memory per byte
// while it is parsed, and two to eight megabytes a second.
const (
	maxSource = 2 << 20
	maxTime   = 2 * time.Second
)

// Finder finds definitions. It may be used by several goroutines.
type Finder struct {
	// slots bounds how many files are parsed at a time, and so the memory.
	slots chan struct{}
	cache *cache
}

// New returns a Finder. It loads nothing yet.
func New() *Finder {
	return &Finder{
		slots: make(chan struct{}, min(runtime.GOMAXPROCS(0), 4)),
		cache: newCache(20_000),
	}
}

// Definitions implements tools.Definitions: the definitions in source, in the
// order of their lines. ok tells whether the language of path is known; with an
// empty source that is all it does. The error is a sentence on why a file was
// not taken apart (too large, too slow), or the context's.
func (f *Finder) Definitions(ctx context.Context, path string, source []byte) (defs []tools.Definition, ok bool, err error) {
	lang := languageOf(path, source)
	if lang == "" {
		return nil, false, nil
	}
	if len(source) == 0 {
		return nil, true, nil
	}
	if !available {
		return nil, true, errors.New("code definitions are not in this build: it was made without cgo")
	}
	if len(source) > maxSource {
		return nil, true, fmt.Errorf("the file is larger than %d MB", maxSource>>20)
	}
	key := keyOf(lang, source)
	if defs, ok := f.cache.get(key); ok {
		return defs, true, nil
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return nil, true, ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	defs, err = outline(limited, lang, source)
	switch {
	case ctx.Err() != nil:
		return nil, true, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, true, fmt.Errorf("the file takes more than %s to parse", maxTime)
	case err != nil:
		return nil, true, err
	}
	f.cache.put(key, defs)
	return defs, true, nil
}

// extensions names the language of files, by extension in lower case.
var extensions = map[string]string{
	".go": "Go",
	".ts": "TypeScript", ".mts": "TypeScript", ".cts": "TypeScript", ".tsx": "TSX",
	".js": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript", ".jsx": "JavaScript",
	".py": "Python", ".pyi": "Python", ".pyw": "Python",
	".rs": "Rust",
	".c":  "C", ".h": "C",
	".cc": "C++", ".cpp": "C++", ".cxx": "C++", ".c++": "C++", ".hh": "C++", ".hpp": "C++", ".hxx": "C++", ".h++": "C++",
	".ipp": "C++", ".inl": "C++", ".tpp": "C++", ".cppm": "C++", ".ixx": "C++",
	".java": "Java",
}

func languageOf(name string, source []byte) string {
	ext := path.Ext(strings.ReplaceAll(name, `\`, "/"))
	if ext == ".C" || ext == ".H" {
		return "C++"
	}
	lang := extensions[strings.ToLower(ext)]
	if lang == "C" && strings.EqualFold(ext, ".h") && isCPlusPlus(source) {
		return "C++"
	}
	return lang
}

// What a header holds only if it is C++. A C header for both languages has
// nothing but extern "C" for C++, which is not looked for.
var cPlusPlusOnly = regexp.MustCompile(`(?m)^[ \t]*(?:` +
	`template[ \t]*<|(?:inline[ \t]+)?namespace\b[^;]*\{|namespace\b[^;{]*$|` +
	`(?:enum[ \t]+)?class[ \t]+[A-Za-z_][^;()]*(?:[:{]|$)|` +
	`(?:public|private|protected)[ \t]*:|using[ \t]+[A-Za-z_:]|` +
	`(?:virtual|constexpr|explicit|friend)[ \t]|#[ \t]*include[ \t]*<[a-z_]+>)|` +
	`\bstd::|\w::~?\w+[ \t]*\(`)

// isCPlusPlus tells whether a header has the marks of C++ in its first 256 kB.
func isCPlusPlus(source []byte) bool {
	const most = 256 << 10
	if len(source) > most {
		source = source[:most]
	}
	return cPlusPlusOnly.Match(withoutComments(source))
}

var comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

func withoutComments(source []byte) []byte {
	if !bytes.Contains(source, []byte("//")) && !bytes.Contains(source, []byte("/*")) {
		return source
	}
	return comments.ReplaceAll(source, nil)
}

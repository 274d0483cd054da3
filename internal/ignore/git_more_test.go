package ignore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// foldPatterns are those in which case plays a part.
var foldPatterns = []string{
	"A", "foo", "FOO", "[A]", "[a]", "[A-Z]", "[a-z]", "[A-z]", "[^A]", "[!a]", "[^A-Z]", "[!a-z]", "[[:upper:]]", "[[:lower:]]", "[^[:upper:]]",
	"[![:lower:]]*", "F*", "*O", "f?O", "**/FOO", "Foo/**", `\F\o\o`, `[\A]*`, `[\A-\Z]`, "É", "é", "[É]", "*.LOG", "X Y", "B/AB/", "/B/*", "[F-f]oo", "[Z-_]*",
	"[[:alpha:]]", "[[:UPPER:]]", "[[:xdigit:]]", "[@-B]", "[a-bA]", "[B-a]", "[[:upper:]x]", "a[[:upper:]]", "[A][B]", "A**B", "A?",
}

func caseTree(r *repo) {
	for _, name := range []string{"B/AB/x", "b.LOG", "FOO/Bar/BAZ", "X Y", "É", "é", "a1", "aB", "Z", "_", "^x", "[", "q", "@", "`", "{"} {
		r.write(name, "")
	}
}

func TestCaseAsGit(t *testing.T) {
	for _, fold := range []string{"true", "false"} {
		t.Run(fold, func(t *testing.T) {
			r := newRepo(t)
			caseTree(r)
			r.git("", "config", "core.ignoreCase", fold)
			for _, p := range foldPatterns {
				r.write(".gitignore", p+"\n")
				r.compare(fmt.Sprintf("pattern %q", p))
			}
		})
	}
}

// Files as editors and systems write them: line ends, marks, blanks, NULs and
// no last line end; and patterns of thousands of characters, but for those over
// which git takes ages.
func TestFilesAsGit(t *testing.T) {
	long := strings.Repeat("x", 2000)
	r := newRepo(t)
	fixedTree(r)
	r.write("deep/"+strings.Repeat("d/", 200)+"leaf.log", "")
	r.write(strings.Repeat("n", 250), "")
	if err := os.Symlink("foo", filepath.Join(r.dir, "linked")); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"a\r\nb\r\n!foo\r\n", "a\r\r\nb\r", "\r\n\r\n*\r\n!a\r\n", "a \r\nb\t\r\n", "a\\\r\nb", "\ufeffa\nb\n", "\ufeff\ufeffa\n", "\ufeff#a\nb\n", "\ufeff!a\n*\n", "a\nb\n\ufefffoo\n",
		"# a\n\\# a\n  # a\n", "a\\ \nb\\  \nfoo \\ \n", "a\\\\ \n", "\\", "a\\\n", "!\n!!a\n\\!a\n*\n!!\n", "a\x00b\nfoo\n", "\x00\n*\n", "a\vb\n\fa\n\va\n",
		"*\n!*/\n!*.log\n", "**/" + strings.Repeat("d/", 150) + "\n", strings.Repeat("**/", 3) + "leaf.log\n", strings.Repeat("*", 2000) + ".log\n",
		long + "\n", "*" + long + "\nfoo\n", strings.Repeat("?", 250) + "\n", strings.Repeat("[n]", 250) + "\n", strings.Repeat("n", 249) + "[a-z]\n", "[" + long + "]\n", strings.Repeat("!", 2000) + "a\n", strings.Repeat("/", 2000) + "\n", strings.Repeat(" ", 2000) + "\na\n", "a" + strings.Repeat(" ", 2000) + "\n",
		"linked/\n", "linked\n", "/linked/\n", "linked/**\n", "foo/\n!foo/bar\n", "/foo/*\n!/foo/bar\n", "foo/**\n!foo/**/\n!foo/**/b\n",
		"[[:alnum:][:blank:]]\n", "[[:cntrl:]]*\n", "[[:graph:]]\n", "[[:print:]]?\n", "[[:digit:]-a]\n", "[a-[:digit:]]\n", "[[.a.]]\n", "[[=a=]]\n", "[^^]a\n", "[!!]a\n", "[!^]*\n", "[]!]\n", "[\\\\]\n", "a[\\\\]b\n",
		"[a-c-e]\n", "[--0]\n", "[,--]\n", "[%--]\n", "[/]\n", "[!/]\n", "foo[/]bar\n", "foo[!a]bar\n", "foo?bar\n", "foo[.-0]bar\n", "[", "[a-", "[[:alpha", "a/[", "*/[b\n", "[\n*\n",
	} {
		r.write(".gitignore", text)
		r.compare(fmt.Sprintf("%.200q", text))
	}
}

var alphabet = []string{
	"a", "b", "A", "foo", "log", "ü", "*", "*", "**", "?", "/", "/", "/**/", "**/", "/**", "[ab]", "[!a]", "[^b]", "[a-f]", "[A-Z]", "[[:alpha:]]", "[![:digit:]]", "[]a]", "[!]a]",
	`\`, `\*`, `\ `, " ", "\t", "#", "!", ".", "-", "[", "]", "[a-", "^", "x y", "1", "\r",
}

func wildPatterns(rnd *rand.Rand) string {
	var b strings.Builder
	if rnd.IntN(8) == 0 {
		b.WriteString("\ufeff")
	}
	end := "\n"
	if rnd.IntN(4) == 0 {
		end = "\r\n"
	}
	for range rnd.IntN(7) {
		if rnd.IntN(4) == 0 {
			b.WriteByte('!')
		}
		for range 1 + rnd.IntN(7) {
			b.WriteString(alphabet[rnd.IntN(len(alphabet))])
		}
		for range rnd.IntN(2) * rnd.IntN(3) {
			b.WriteByte(' ')
		}
		b.WriteString(end)
	}
	return strings.TrimSuffix(b.String(), strings.Repeat("\n", rnd.IntN(2)))
}

// Patterns made of pieces, links, and every file that holds some.
func TestWildPatternsAsGit(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 5))
			r := newRepo(t)
			fixedTree(r)
			caseTree(r)
			for _, link := range []string{"foo/linked", "linked", "b/linked.log"} {
				if err := os.Symlink("a", filepath.Join(r.dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			r.git("", "config", "core.ignoreCase", fmt.Sprint(seed%2 == 0))
			r.git("", "config", "core.excludesFile", filepath.Join(r.dir, ".git/excludes"))
			files := map[string]string{}
			for range 8 {
				for _, name := range []string{".gitignore", "foo/.gitignore", "a/.gitignore", "b/ab/.gitignore", ".git/info/exclude", ".git/excludes"} {
					if rnd.IntN(3) > 0 {
						files[name] = wildPatterns(rnd)
						r.write(name, files[name])
					}
				}
				r.compare(fmt.Sprintf("%q", files))
			}
		})
	}
}

package builtin

import (
	"encoding/json"
	"strings"
	"testing"

	"clined/internal/tools"
)

// from makes a call as a model of that origin does.
func (k *task) from(origin tools.Origin, name string, pairs ...string) tools.Result {
	k.t.Helper()
	args := tools.Args{}
	for i := 0; i < len(pairs); i += 2 {
		raw, err := json.Marshal(pairs[i+1])
		if err != nil {
			k.t.Fatal(err)
		}
		args[pairs[i]] = raw
	}
	return k.Run(k.t.Context(), tools.Call{ID: "c1", Name: name, Args: args, Mode: k.mode, Origin: origin})
}

// Entities in whole texts: verbatim in native calls always; in XML ones they are
// resolved where the file is no markup and the text proves that it was escaped.
func TestEntitiesInWholeTexts(t *testing.T) {
	const escaped = "if a &lt; b &amp;&amp; c {\n"
	for _, c := range []struct{ file, text, xml string }{
		{"b.go", escaped, "if a < b && c {\n"},
		{"b.py", "x = &quot;&#39;&apos;&#x27;&quot;\n", "x = \"'''\"\n"},
		{"Makefile", "a &gt;&gt; b\n", "a >> b\n"},
		{"b.go", "print(\"&amp;lt;\")\n", "print(\"&lt;\")\n"}, // once
		{"b.go", "if a < b && s == \"&lt;\" {\n", ""},
		{"b.go", "a && b &lt; c\n", ""},
		{"b.go", "a < b &amp; c\n", ""},
		{"b.go", "&copy; &nbsp; &#169;\n", ""},
		{"b.go", "&lt;&copy;\n", ""}, // an & of another kind
		{"b.go", "no entities\n", ""},
		{"a.xml", `<m t="x &amp; y &lt; 1 &quot;q&quot;"/>`, ""},
		{"a.xml", escaped, ""}, {"p.HTML", escaped, ""}, {"README.md", escaped, ""}, {"p.jsx", escaped, ""}, {"c.vue", escaped, ""}, {"t.php", escaped, ""},
	} {
		for _, tool := range []string{"write_to_file", "apply_patch", "new_rule"} {
			for origin, want := range map[tools.Origin]string{tools.Native: c.text, "": c.text, tools.XML: c.xml} {
				name := c.file
				args := []string{"path", name, "content", c.text}
				switch tool {
				case "apply_patch":
					if !strings.HasSuffix(c.text, "\n") {
						continue
					}
					args = []string{"input", envelope(addition(name, "+"+c.text))}
				case "new_rule":
					name = ".clinerules/r.md"
					args[1], want = name, c.text
				}
				if want == "" {
					want = c.text
				}
				k := newTask(t, newWorld(nil))
				res := k.from(origin, tool, args...)
				k.wantFile(name, want)
				if told := strings.Contains(res.Text, "XML entities"); told != (want != c.text) {
					t.Errorf("%s %s %q from %q: told: %v", tool, name, c.text, origin, told)
				}
			}
		}
	}
}

// Entities in edits: only where SEARCH fits without them and does not with them.
func TestEntitiesInEdits(t *testing.T) {
	for name, c := range map[string]struct {
		file, before, old, fresh string
		native, xml              string // "" for a refusal
	}{
		"escaped":           {"b.go", "a < b\n", "a &lt; b", "a &gt; b", "", "a > b\n"},
		"the file has them": {"b.go", "s = \"&lt;\"\n", "s = \"&lt;\"", "s = \"&gt;\"", "s = \"&gt;\"\n", "s = \"&gt;\"\n"},
		"in REPLACE only":   {"b.go", "x\ny\n", "x", "a &lt; b", "a &lt; b\ny\n", "a &lt; b\ny\n"},
		"markup":            {"b.html", "a < b\n", "a &lt; b", "a &gt; b", "", ""},
		"markup that fits":  {"b.xml", "a &lt; b\n", "a &lt; b", "a &gt; b", "a &gt; b\n", "a &gt; b\n"},
		"fits neither":      {"b.go", "a << b\n", "a &lt; b", "x", "", ""},
		"both are there":    {"b.go", "a < b\nq\na &lt; b\n", "a &lt; b", "x", "a < b\nq\nx\n", "a < b\nq\nx\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for tool, args := range map[string][]string{
				"replace_in_file": {"path", c.file, "diff", replace(c.old, c.fresh)},
				"apply_patch":     {"input", envelope(update(c.file, "@@\n-"+c.old+"\n+"+c.fresh+"\n"))},
			} {
				for origin, want := range map[tools.Origin]string{tools.Native: c.native, tools.XML: c.xml} {
					k := newTask(t, newWorld(map[string]string{c.file: c.before}))
					res := k.from(origin, tool, args...)
					if want == "" {
						wantText(t, res, tools.Failed, "nothing was changed")
						want = c.before
					}
					k.wantFile(c.file, want)
					if told := strings.Contains(res.Text, "XML entities"); told != (c.native != c.xml && origin == tools.XML) {
						t.Errorf("%s from %s: told: %v: %s", tool, origin, told, res.Text)
					}
				}
			}
		})
	}
}

// Each block is read by itself; one that says nothing goes with the others, unless
// they differ.
func TestEntitiesBlockByBlock(t *testing.T) {
	for _, c := range []struct{ before, diff, want string }{
		{"a < b\nq\n", replace("a &lt; b", "a") + replace("q", "c &amp;&amp; d"), "a\nc && d\n"},
		{"a < b\nq\n", replace("q", "c &amp;&amp; d") + replace("a &lt; b", "a"), "a\nc && d\n"},
		{"a < b\nq = \"&amp;\"\nz\n", replace("a &lt; b", "a &gt; b") + replace("q = \"&amp;\"", "q = \"&gt;\"") + replace("z", "&lt;"), "a > b\nq = \"&gt;\"\n&lt;\n"},
	} {
		k := newTask(t, newWorld(map[string]string{"b.go": c.before}))
		wantText(t, k.from(tools.XML, "replace_in_file", "path", "b.go", "diff", c.diff), tools.OK, "XML entities")
		k.wantFile("b.go", c.want)
	}
	// Markers may be escaped, too.
	k := newTask(t, newWorld(map[string]string{"b.go": "a < b\n"}))
	diff := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace("<<<<<<< SEARCH\na < b\n=======\nb > a\n>>>>>>> REPLACE\n")
	wantText(t, k.from(tools.XML, "replace_in_file", "path", "b.go", "diff", diff), tools.OK)
	k.wantFile("b.go", "b > a\n")
	wantText(t, k.from(tools.Native, "replace_in_file", "path", "b.go", "diff", diff), tools.Failed, "nothing was changed")
}

// What is native is written as it is, whatever it holds.
func FuzzNativeIsVerbatim(f *testing.F) {
	f.Add("a &lt; b &amp;&amp; c\n")
	f.Add("&amp;amp;&#39;\r\n\t&copy")
	f.Add("</content></write_to_file><path>x</path>")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "```") || strings.HasPrefix(text, "\uFEFF") {
			return
		}
		text = strings.ToValidUTF8(text, "?")
		k := newTask(t, newWorld(nil))
		k.from(tools.Native, "write_to_file", "path", "b.go", "content", text)
		k.wantFile("b.go", text)
		// Resolving is once and for all: nothing it made is resolved again.
		if plain, ok := unescape(text); ok && strings.Count(plain, "&") < strings.Count(text, "&amp;") {
			t.Errorf("%q became %q", text, plain)
		}
	})
}

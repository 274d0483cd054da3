package builtin

import (
	"strings"
	"testing"

	"clined/internal/tools"
)

// legacyEdits are edits of files too short to tell their encoding: a line is put
// in place of the last one.
var legacyEdits = []struct {
	name, head, headText string
	insert, want         string // want "" for a refusal
	held                 string // how the refusal or the proof names the head in a search; "" for not at all
}{
	{"Shift-JIS", "\x95\x5C\n", "表", "日本", "\x93\xFA\x96\x7B", ""},
	{"GBK", "// \xC4\xE3\xBA\xC3\n", "// 你好", "世界", "\xCA\xC0\xBD\xE7", ""},
	{"GBK, searched", "// \xC4\xE3\xBA\xC3\n", "// 你好", "世界", "\xCA\xC0\xBD\xE7", "// 你好"},
	{"GBK, searched as shown", "// \xC4\xE3\xBA\xC3\n", "// 你好", "世界", "\xCA\xC0\xBD\xE7", "// ÄãºÃ"},
	{"Shift-JIS, searched", "# \x95\x5C\n", "# 表", "日本", "\x93\xFA\x96\x7B", "# 表"},
	{"EUC-JP", "// \xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\n", "// 日本語の", "テスト", "\xA5\xC6\xA5\xB9\xA5\xC8", ""},
	{"EUC-KR", "// \xC7\xD1\xB1\xDB\n", "// 한글", "안녕", "\xBE\xC8\xB3\xE7", ""},
	{"EUC-KR, searched", "// \xC7\xD1\xB1\xDB\n", "// 한글", "안녕", "\xBE\xC8\xB3\xE7", "// 한글"},
	{"Big5", "// \xB3\x5D\xA9\x77\n", "// 設定", "檔案", "\xC0\xC9\xAE\xD7", ""},
	{"GB18030", "// \xC4\xE3\xBA\xC3 \x81\x39\xEE\x39\n", "// 你好 㐀", "世界", "\xCA\xC0\xBD\xE7", ""},
	{"half-width kana", "# \xC3\xBD\xC4\xC3\xDE\xB0\xC0\n", "# ﾃｽﾄﾃﾞｰﾀ", "ｶﾅ", "\xB6\xC5", ""},
	{"half-width kana, like damaged UTF-8", "# \xC3\xBD\xC4\n", "# ﾃｽﾄ", "ｶﾅ", "\xB6\xC5", "# ﾃｽﾄ"},
	{"Cyrillic word", "# \xEF\xF0\xE8\xE2\xE5\xF2\n", "# привет", "мир", "\xEC\xE8\xF0", ""},
	{"Cyrillic word, searched", "# \xEF\xF0\xE8\xE2\xE5\xF2\n", "# привет", "мир", "\xEC\xE8\xF0", "# привет"},
	{"Latin-1", "caf\xE9\n", "café", "naïve", "na\xEFve", "café"},
	{"Latin-1 and Japanese", "caf\xE9\n", "café", "日本", "", ""},
	{"Latin-1 in front of a bracket", "[caf\xE9]\n", "[café]", "日本", "", ""},
	{"German and Chinese", "\xC4rger \xFCber Stra\xDFe\n", "", "世界", "", ""},
	{"English and Japanese", "it\x92s\n", "", "日本", "", ""},
	{"Polish", "za\xBF\xF3\xB3\xE6 g\xEA\xB6l\xB1 ja\xBC\xF1\n", "zażółć gęślą jaźń", "już", "ju\xBF", ""},
	{"Polish, searched", "\xBF\xF3\xB3w\n", "żółw", "kość", "", "żółw"}, // ISO-8859-2 and windows-1250 differ in ś
	{"Polish, the same in both", "\xBF\xF3\xB3w\n", "żółw", "żaba", "\xBFaba", "żółw"},
	{"signs only", "caf\xE9\n", "café", "→", "", ""},
	{"of another script", "// \xC4\xE3\xBA\xC3\n", "", "안녕", "", ""},
}

// What an edit says counts for the encoding of a file that is too short to tell it;
// no byte beyond the edit changes, and a doubt changes nothing.
func TestEditsTellTheEncoding(t *testing.T) {
	for _, c := range legacyEdits {
		file, want := c.head+"x=1\n", c.head+c.want+"\n"
		check := func(tool string, p *project, res tools.Result) {
			t.Helper()
			if c.want == "" {
				if res.Outcome != tools.Failed || !strings.Contains(res.Text, "cannot be written") && !strings.Contains(res.Text, "nothing was changed") {
					t.Errorf("%s, %s: %v %q", c.name, tool, res.Outcome, res.Text)
				}
				p.wantDisk("f", file)
				return
			}
			if res.Outcome != tools.OK {
				t.Errorf("%s, %s: %q", c.name, tool, res.Text)
			}
			p.wantDisk("f", want)
		}
		for _, seen := range []bool{false, true} {
			open := func() *project {
				p := newProject(t, map[string]string{"f": file})
				if seen {
					p.call("read_file", "path", "f")
				}
				return p
			}
			head := ""
			if c.held != "" {
				head = c.held + "\n"
			}
			p := open()
			check("replace_in_file", p, p.call("replace_in_file", "path", "f", "diff", replace(head+"x=1", head+c.insert)))
			context := ""
			if head != "" {
				context = " " + head
			}
			p = open()
			check("apply_patch", p, p.call("apply_patch", "input", envelope("*** Update File: f\n@@\n"+context+"-x=1\n+"+c.insert+"\n")))
			if c.headText == "" {
				continue
			}
			whole := c.headText
			if c.held != "" {
				whole = c.held
			}
			p = open()
			check("write_to_file", p, p.call("write_to_file", "path", "f", "content", whole+"\n"+c.insert+"\n"))
		}
	}
}

// An edit that does not come about leaves the file to be read as it was: one that
// does not fit, and one that the user turns down.
func TestEditsThatAreNotMadeTellNothing(t *testing.T) {
	const raw = "// \xC4\xE3\xBA\xC3\nx=1\n"
	p := newProject(t, map[string]string{"f": raw})
	shown := p.call("read_file", "path", "f").Text
	found := p.call("search_files", "path", ".", "regex", "//.*").Text
	p.call("replace_in_file", "path", "f", "diff", replace("y=2", "世界"))
	p.deny = true
	p.call("replace_in_file", "path", "f", "diff", replace("x=1", "世界"))
	p.call("write_to_file", "path", "f", "content", "// 你好\n世界\n")
	p.deny = false
	if res := p.call("search_files", "path", ".", "regex", "//.*"); res.Text != found {
		t.Errorf("it is searched as %q, was %q", res.Text, found)
	}
	p.wantDisk("f", raw)
	p.call("read_file", "path", "f") // told once that it is the same
	if res := p.call("read_file", "path", "f"); res.Text != shown {
		t.Errorf("it is read as %q, was %q", res.Text, shown)
	}
	// The model is not told that it changed.
	if res := p.call("write_to_file", "path", "f", "content", "// 你好\n世界\n"); res.Outcome != tools.OK {
		t.Errorf("%q", res.Text)
	}
	p.wantDisk("f", "// \xC4\xE3\xBA\xC3\n\xCA\xC0\xBD\xE7\n")
}

package doctext

import (
	"fmt"
	"strings"
	"testing"
)

func TestNotebook(t *testing.T) {
	for name, c := range map[string]struct{ json, want string }{
		"lines or one text": {`{"nbformat":4,"cells":[{"cell_type":"code","source":["a\n","b"],"outputs":[]},{"cell_type":"raw","source":"c\nd"}]}`, "=== cell 1: code ===\na\nb\n\n=== cell 2: raw ===\nc\nd"},
		"nbformat 3":        {`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":["x=1"],"prompt_number":2,"outputs":[{"output_type":"pyout","text":["1"]}]}]}]}`, "=== cell 1: code, run 2 ===\nx=1\n--- output: pyout ---\n1"},
		"other outputs":     {`{"nbformat":4,"cells":[{"cell_type":"code","source":"","outputs":[{"output_type":"display_data","data":{"image/png":"AAAA","application/json":{"a":1}}},{"output_type":"display_data","data":{"text/html":"<b>","text/markdown":"**b**"}},{"output_type":"error","ename":"E","evalue":"v"}]}]}`, "=== cell 1: code ===\n--- output: display_data, application/json, image/png not shown ---\n--- output: display_data ---\n**b**\n--- output: error ---\nE: v"},
		"no cells":          {`{"nbformat":4,"cells":[]}`, ""},
		"odd values":        {`{"nbformat":4,"cells":[{"cell_type":"code","source":7,"outputs":[{"output_type":"stream","text":null,"data":{"text/plain":[1]}}]}]}`, "=== cell 1: code ===\n--- output: stream ---"},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := extract(t, c.json, Notebook)
			if err != nil || doc.Text != c.want {
				t.Errorf("%q, %v; want %q", doc, err, c.want)
			}
		})
	}
	for bad, want := range map[string]string{
		`{"cells":`: "it is not valid JSON", `{}`: "holds no cells", `[1]`: "it is not valid JSON", "": "it is not valid JSON",
		strings.Repeat(`{"cells":[`, 20_000): "it is not valid JSON",
	} {
		if _, err := extract(t, bad, Notebook); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "raw: true") {
			t.Errorf("%.30q: %v", bad, err)
		}
	}
}

// Long outputs keep their head and tail.
func TestNotebookOutputsAreCut(t *testing.T) {
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, `"line %d\n",`, i)
	}
	doc, err := extract(t, `{"nbformat":4,"cells":[{"cell_type":"code","source":"x","outputs":[{"output_type":"stream","name":"stdout","text":[`+many.String()+`"end"]},{"output_type":"stream","text":"`+strings.Repeat("é", 9000)+`"}]}]}`, Notebook)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"line 0\n", "line 19\n[… 961 lines of this output left out …]\nline 981\n", "\nend\n", "é\n[… 7000 characters of this output left out …]\né"} {
		if !strings.Contains(doc.Text, want) {
			t.Errorf("no %q in %.2000q", want, doc.Text)
		}
	}
}

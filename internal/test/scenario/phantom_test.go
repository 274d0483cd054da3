package scenario_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"clined/internal/test/scenario"
)

// Whatever ends a file's lines, marks its beginning or ends its text: an edit
// that nobody touched is saved as it was proposed, no other byte changes, and the
// model is told of no changes by anybody else. With diff views and without, for
// files that are open and that are not.
func TestNobodyElsesEdits(t *testing.T) {
	for _, views := range []bool{true, false} {
		for _, open := range []bool{true, false} {
			t.Run(fmt.Sprintf("views %v, open %v", views, open), func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "story.txtar")
				if err := os.WriteFile(file, []byte(untouched(views, open)), 0o600); err != nil {
					t.Fatal(err)
				}
				scenario.Play(t, file, startHere, nil)
			})
		}
	}
}

// untouched is a story of one edit of each kind of file.
func untouched(views, open bool) string {
	var script, model strings.Builder
	if views {
		script.WriteString("diffs streaming userEdits saveFormats\n")
	}
	files := map[string][2]string{}
	for _, mark := range []string{"", "\ufeff"} {
		for _, ends := range [][2]string{{"\n", "\n"}, {"\r\n", "\r\n"}, {"\r\n", "\n"}} {
			for _, last := range []string{ends[1], ""} {
				text := func(middle string) string {
					return mark + "one" + ends[0] + middle + ends[1] + "three" + ends[0] + "four" + last
				}
				files[fmt.Sprintf("f%d.txt", len(files))] = [2]string{text("two"), text("TWO")}
			}
		}
	}
	for i := range len(files) {
		name := fmt.Sprintf("f%d.txt", i)
		fmt.Fprintf(&script, "write %s %s\n", name, strconv.Quote(files[name][0]))
		fmt.Fprintf(&model, "reply\n")
		if i > 0 {
			model.WriteString(noneElse)
		}
		fmt.Fprintf(&model, "  call replace_in_file {\"path\":%q,\"diff\":%q}\n", name, "------- SEARCH\ntwo\n=======\nTWO\n+++++++ REPLACE")
	}
	fmt.Fprintf(&model, "reply\n%s  call attempt_completion {\"result\":\"Done.\"}\n", noneElse)
	for i := range len(files) {
		if open {
			fmt.Fprintf(&script, "open f%d.txt\n", i)
		}
	}
	script.WriteString("new \"Change them.\"\n")
	for i := range len(files) {
		fmt.Fprintf(&script, "hunks f%d.txt 1\napprove f%d.txt\n", i, i)
	}
	script.WriteString("idle completed\n")
	for name, texts := range files {
		what := "file " + name + " is"
		// Without a view an open buffer is changed and left to the user to save, but
		// where the editor could not keep its line ends.
		if mixed := strings.Count(texts[0], "\r\n") != strings.Count(texts[0], "\n"); open && !views && (!mixed || !strings.Contains(texts[0], "\r")) {
			what = "buffer " + name
		}
		fmt.Fprintf(&script, "%s %s\n", what, strconv.Quote(texts[1]))
	}
	return "An edit of each kind of file.\n-- script --\n" + script.String() + "-- model --\n" + model.String()
}

const noneElse = `  expect-last contains 1 added, 1 removed
  expect-last-not contains user changed
  expect-last-not contains formatted
`

package border

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"clined/internal/tools"
)

// swap puts a link in the place of what is at a path and takes it away again, at
// least a thousand times and until stopped; done tells how often.
func swap(t *testing.T, at, target string) (done *atomic.Int64, stop func()) {
	t.Helper()
	done = new(atomic.Int64)
	quit, ended := make(chan struct{}), make(chan struct{})
	away := at + ".away"
	go func() {
		defer close(ended)
		for {
			select {
			case <-quit:
				return
			default:
			}
			if err := os.Rename(at, away); err != nil { // a tool took it: it will make another
				os.MkdirAll(filepath.Dir(away), 0o755)
			}
			os.Symlink(target, at)
			look(at)
			os.Remove(at)
			if os.Rename(away, at) != nil { // a tool made something there meanwhile
				os.RemoveAll(at)
				os.Rename(away, at)
			}
			done.Add(1)
			look(at)
		}
	}()
	return done, func() {
		close(quit)
		<-ended
	}
}

// look takes a moment, so that others find things as they are now.
func look(at string) {
	for range 1 + rand.IntN(100) {
		os.Lstat(at)
	}
}

// swaps are what links take the place of, and where they lead.
var swaps = []struct{ name, at, target string }{
	{"the folder to the outside", "ws/d", "OUT"},
	{"a folder above to the outside", "ws/c", "OUTC"},
	{"the file to the outside", "ws/c/d/f.go", "OUT/f.go"},
	{"the folder to what is hidden", "ws/d", "ws/secret"},
	{"a folder below a listed one to what is hidden", "ws/c/d", "ws/secret"},
	{"the file to what is hidden", "ws/d/f.go", "ws/secret/f.go"},
}

// swapBench is a bench with a file d/f.go or c/d/f.go, and guarded folders that
// look the same and hold a canary.
func swapBench(t *testing.T, at string) (b *bench, dir string, guarded []string) {
	b = newBench(t)
	const canary = "package f\n\nfunc CANARY() {}\n"
	b.put("ws/.clineignore", "/secret/\n", "ws/secret/f.go", canary, "ws/secret/CANARY", "", "ws/secret/d/f.go", canary,
		"OUT/f.go", canary, "OUT/CANARY", "", "OUTC/d/f.go", canary, "OUTC/d/CANARY", "")
	if dir = "d"; strings.HasPrefix(at, "ws/c") {
		dir = "c/d"
	}
	b.put("ws/"+dir+"/f.go", "package f\n\nfunc In() {}\n", "ws/open.txt", "open\n")
	return b, dir, []string{"ws/secret", "OUT", "OUTC"}
}

// swapCalls are calls about dir and the file in it; in that order each finds what
// it is about.
func swapCalls(dir string, round int) []call {
	path := dir + "/f.go"
	return []call{
		{"read_file", map[string]any{"path": path}},
		{"list_files", map[string]any{"path": dir}}, {"list_files", map[string]any{"path": ".", "recursive": true}}, {"list_files", map[string]any{"path": filepath.Dir(dir), "recursive": true}},
		{"search_files", map[string]any{"path": ".", "regex": "func C.N"}}, {"search_files", map[string]any{"path": path, "regex": "func"}}, {"search_files", map[string]any{"path": dir, "regex": "func"}},
		{"list_code_definition_names", map[string]any{"path": dir}}, {"list_code_definition_names", map[string]any{"path": path}},
		{"replace_in_file", map[string]any{"path": path, "diff": searchMark + "package f\n" + divider + "package f\n// r\n" + replaceMark}},
		{"read_file", map[string]any{"path": path}},
		{"write_to_file", map[string]any{"path": path, "content": fmt.Sprintf("package f\n\n// w%d\n", round)}},
		{"write_to_file", map[string]any{"path": dir + "/new.go", "content": "package f\n"}},
		{"apply_patch", map[string]any{"input": patch("*** Delete File: " + dir + "/new.go\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Add File: " + dir + "/sub/added.go\n+package f\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Delete File: " + dir + "/sub/added.go\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: open.txt\n*** Move to: "+dir+"/opened.txt\n@@\n", "-open\n+opened\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: "+dir+"/opened.txt\n*** Move to: open.txt\n@@\n", "-opened\n+open\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Update File: "+path+"\n*** Move to: "+dir+"/to.go\n@@\n", "-package f\n+package f // m\n")}},
		{"apply_patch", map[string]any{"input": patch("*** Delete File: " + dir + "/to.go\n")}},
	}
}

// A link that comes between the judgement and the act leads nowhere.
func TestLinkAfterTheJudgement(t *testing.T) {
	for _, tc := range swaps {
		t.Run(tc.name, func(t *testing.T) {
			b, dir, guarded := swapBench(t, tc.at)
			before := b.tree(guarded)
			at := filepath.Join(b.top, tc.at)
			for _, c := range swapCalls(dir, 1) {
				swapped := false
				b.between = func() {
					if swapped = os.Rename(at, at+".away") == nil; swapped {
						b.link(filepath.Join(b.top, tc.target), tc.at)
					}
				}
				res := b.run(c)
				b.between = nil
				if strings.Contains(res.Text, "CANARY") {
					t.Errorf("%s %v: %s", c.tool, c.args, res.Text)
				}
				if after := b.tree(guarded); before != after {
					t.Fatalf("%s %v\nbefore:\n%s\nafter:\n%s", c.tool, c.args, before, after)
				}
				if swapped {
					os.RemoveAll(at)
					if err := os.Rename(at+".away", at); err != nil {
						t.Fatal(err)
					}
				}
				b.run(c) // as the next call expects it
			}
		})
	}
}

// Whatever a link takes the place of while tools run, between the look and the
// act: nothing outside is read, listed, found, written, moved or removed, and
// nothing that is hidden either.
func TestSwappedLinks(t *testing.T) {
	for _, tc := range swaps {
		t.Run(tc.name, func(t *testing.T) {
			b, dir, guarded := swapBench(t, tc.at)
			before := b.tree(guarded)
			swapped, stop := swap(t, filepath.Join(b.top, tc.at), filepath.Join(b.top, tc.target))
			defer stop()
			through := map[string]int{}
			guard := time.Now().Add(3 * time.Minute)
			for round := 0; swapped.Load() < 1000 || len(through) < 7; round++ {
				if time.Now().After(guard) {
					t.Fatalf("%d swaps, through came %v", swapped.Load(), through)
				}
				for _, c := range swapCalls(dir, round) {
					res := b.run(c)
					if strings.Contains(res.Text, "CANARY") {
						t.Fatalf("%s %v: %s", c.tool, c.args, res.Text)
					}
					if res.Outcome == tools.OK {
						through[c.tool]++
					}
				}
			}
			if after := b.tree(guarded); before != after {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// tree words all that is below folders.
func (b *bench) tree(dirs []string) string {
	var out strings.Builder
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(b.top, dir), func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			raw, _ := os.ReadFile(path)
			fmt.Fprintf(&out, "%s %v %q\n", path, d.Type(), raw)
			return nil
		})
		if err != nil {
			b.t.Error(err)
		}
	}
	return out.String()
}

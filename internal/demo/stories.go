package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed files
var files embed.FS

// Story is one demonstration.
type Story struct {
	// Name on the command line.
	Name string
	// Task is what the user asks; Gloss says it in English where it is not.
	Task, Gloss string
	// folder of files.
	folder string
	// Git tells that the workspace is a repository.
	Git bool
}

// stories are those that the model knows.
var stories = []Story{
	{Name: "weather", Task: "明天华盛顿的天气怎么样？", Gloss: "What will the weather be like in Washington tomorrow?", folder: "weather"},
	{Name: "edit", Task: "The discount in the shop is wrong: 10% off 200 should be 180. Find it, correct it and run the tests.",
		folder: "shop", Git: true},
}

// Find returns the story of that name.
func Find(name string) (Story, error) {
	var names []string
	for _, s := range stories {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Story{}, fmt.Errorf("there is no story %q; there are: %s", name, strings.Join(names, ", "))
}

// Unpack writes the story's files into dir. Files end in .txt inside the
// binary where their own ending would mean something to Go.
func (s Story) Unpack(dir string) error {
	from := path.Join("files", s.folder)
	return fs.WalkDir(files, from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(p, from), ".txt")))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		data, err := files.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
}

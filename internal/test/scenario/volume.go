package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// repeats finds $REPEAT(N,TEXT): TEXT, which holds no ")", N times; a # in it is
// the number, from 1.
var repeats = regexp.MustCompile(`\$REPEAT\((\d+),([^)]*)\)`)

// repeat writes out what stands for long texts in a story.
func repeat(text string) string {
	return repeats.ReplaceAllStringFunc(text, func(macro string) string {
		m := repeats.FindStringSubmatch(macro)
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return macro
		}
		if !strings.Contains(m[2], "#") {
			return strings.Repeat(m[2], n)
		}
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(m[2], "#", strconv.Itoa(i+1)))
		}
		return b.String()
	})
}

// perFolder is how many files manyFiles puts into one folder.
const perFolder = 1000

// manyFiles makes empty files in folders below DIR.
func (s *Stage) manyFiles(args []string) error {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	for i := range n {
		dir := filepath.Join(s.path(args[0]), fmt.Sprintf("d%d", i/perFolder))
		if i%perFolder == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

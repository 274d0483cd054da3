package shell

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkSink is a flood through all that a command's output goes through.
func BenchmarkSink(b *testing.B) {
	for name, text := range map[string]string{
		"lines":    strings.Repeat("some line of a build log, as they are, of eighty characters or nearly so\n", 1000),
		"yes":      strings.Repeat("y\n", 32<<10),
		"giant":    strings.Repeat("a", 64<<10),
		"coloured": strings.Repeat("\x1b[32mok\x1b[0m  clined/internal/shell\t0.1s\n", 1500),
		"progress": strings.Repeat("\x1b[2A\x1b[2Ka 50%\n\x1b[2Kb 70%\n", 2000),
		"far up":   strings.Repeat("\x1b[99A\x1b[99B\n", 5000),
		"utf-8":    strings.Repeat("größere Zeilen – mit Umlauten und “Zeichen”\n", 1500),
	} {
		b.Run(name, func(b *testing.B) {
			s := newSink(Options{Lines: DefaultLines, Bytes: DefaultBytes, LogBytes: DefaultLogBytes}, func(string) {})
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				fmt.Fprint(s, text)
			}
		})
	}
}

package console

import (
	"bufio"
	"context"
	"io"
	"strings"
)

// lines reads lines as they come. Its goroutine ends with the reader; a read
// of a terminal cannot be called off, so it may outlive the front.
type lines struct {
	ch chan string
}

func readLines(r io.Reader) *lines {
	l := &lines{ch: make(chan string)}
	if r == nil {
		close(l.ch)
		return l
	}
	go func() {
		defer close(l.ch)
		b := bufio.NewReader(r)
		for {
			s, err := b.ReadString('\n')
			if s != "" {
				l.ch <- strings.TrimRight(s, "\r\n")
			}
			if err != nil {
				return
			}
		}
	}()
	return l
}

// next returns the next line; ok is false when nobody will say more.
func (l *lines) next(ctx context.Context) (line string, ok bool) {
	select {
	case s, ok := <-l.ch:
		return s, ok
	case <-ctx.Done():
		return "", false
	}
}

// nextPrompt asks for the next thing to do. A line that ends in a backslash
// goes on in the next one.
func (f *Front) nextPrompt(ctx context.Context) (string, bool) {
	var all []string
	for {
		f.show.promptMark(len(all) > 0)
		line, ok := f.input.next(ctx)
		if !ok {
			f.show.newline()
			return "", false
		}
		if more, cont := strings.CutSuffix(line, `\`); cont {
			all = append(all, more)
			continue
		}
		text := strings.TrimSpace(strings.Join(append(all, line), "\n"))
		all = nil
		switch text {
		case "":
			continue
		case "/exit", "/quit":
			return "", false
		case "/help":
			f.show.note("/plan and /act change the mode (words after them are sent along), /exit ends; a line ending in \\ goes on")
			continue
		}
		return text, true
	}
}

// splitMode takes "/plan" or "/act" off the front of a prompt.
func splitMode(text string) (mode, rest string) {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "/plan", "/act":
		return word[1:], strings.TrimSpace(rest)
	}
	return "", text
}

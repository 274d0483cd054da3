// Command longtask writes a task into a state folder as a long day of work leaves it, so that what shows tasks can be measured.
//
//	go run ./internal/test/longtask -state DIR -cwd DIR [-title TEXT] [-messages N] [-bytes N]
//
// Of -messages things each tenth is the user's, each third a call, and the others are the model's, with -bytes of Markdown
// each: headings, prose, lists, tables and code. It prints the task's id.
//
// It owns no test: it knows the store, and nobody imports it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/event"
	"clined/internal/store"
	"clined/internal/transcript"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

type task struct {
	id, state, cwd, title string
	messages, bytes       int
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var of task
	flags := flag.NewFlagSet("longtask", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&of.state, "state", "", "the state folder")
	flags.StringVar(&of.cwd, "cwd", "", "the task's folder")
	flags.StringVar(&of.title, "title", "A long task", "its title")
	flags.IntVar(&of.messages, "messages", 5000, "messages and calls")
	flags.IntVar(&of.bytes, "bytes", 400, "bytes of each message of the model, about")
	if flags.Parse(args) != nil {
		return 2
	}
	if of.state == "" || !filepath.IsAbs(of.cwd) || of.messages < 1 {
		fmt.Fprintln(stderr, "longtask: -state and an absolute -cwd are needed, and a message")
		return 2
	}
	of.id = fmt.Sprintf("long-%d-%d", of.messages, of.bytes)
	if err := of.write(ctx); err != nil {
		fmt.Fprintln(stderr, "longtask:", err)
		return 1
	}
	fmt.Fprintln(stdout, of.id)
	return 0
}

const turn = "turn-1"

func (of task) write(ctx context.Context) error {
	s := store.Open(of.state, store.Options{})
	defer s.Close() // what could not be written is told below
	t, err := s.Create(ctx, store.New{ID: of.id, Cwd: of.cwd, Roots: []string{of.cwd}})
	if err != nil {
		return err
	}
	if _, err := t.Begin(ctx, turn); err != nil {
		return err
	}
	first := transcript.Message{ID: "u0", Role: transcript.User, Parts: []transcript.Part{transcript.TextPart(of.title)}}
	if _, err := t.Append(ctx, first, store.Notes{Title: of.title}); err != nil {
		return err
	}
	for n := range of.messages {
		record(t, of.event(n))
		if n%100 == 99 {
			if err := t.Sync(ctx); err != nil {
				return err
			}
		}
	}
	record(t, event.State{State: event.Idle, StopReason: event.Completed})
	if err := t.End(ctx, turn, string(event.Completed)); err != nil {
		return err
	}
	return t.Close()
}

func record(t *store.Task, e event.Event) {
	seq := t.NextSeq()
	t.Record(event.Item{Key: event.Key(e, turn, seq), Seq: seq, First: seq, TurnID: turn, Time: time.Now(), Event: e})
}

// event is number n of the task.
func (of task) event(n int) event.Event {
	text := func(words string) []event.Content { return []event.Content{{Type: "text", Text: words}} }
	switch {
	case n%10 == 0:
		return event.Message{MessageID: fmt.Sprint("u", n), Role: "user", Status: event.Done, Content: text(fmt.Sprintf("Go on with step %d, please.", n))}
	case n%3 == 0:
		path := fmt.Sprintf("src/price%d.ts", n)
		return event.ToolCall{
			ToolCallID: fmt.Sprint("c", n), Name: "read_file", Title: "Read " + path, Kind: "read", Status: event.Done,
			Args: fmt.Sprintf(`{"path":%q}`, path), Locations: []string{filepath.Join(of.cwd, path)}, Output: "80 lines",
		}
	}
	return event.Message{MessageID: fmt.Sprint("m", n), Role: "assistant", Status: event.Done, Content: text(answer(n, of.bytes))}
}

// answer is Markdown of about so many bytes.
func answer(n, bytes int) string {
	var b strings.Builder
	for k := n; b.Len() < bytes; k++ {
		fmt.Fprintf(&b, "## Step %d.%d\n\n", n, k)
		switch k % 4 {
		case 0:
			b.WriteString(strings.Repeat(prose, 1+k%3))
			fmt.Fprintf(&b, "\n\nSee `src/price%d.ts:%d` and **%d** more:\n\n- one\n- two\n- three\n\n", k, k, k)
		case 1:
			b.WriteString("```ts\n" + strings.Repeat("  sum += line.price * line.count; // in cents\n", 4+k%9) + "```\n\n")
		case 2:
			b.WriteString(prose + "\n\n| step | expected | got |\n|---|---:|---:|\n" + strings.Repeat("| first | 90.00 | 80.00 |\n", 2+k%5) + "\n")
		default:
			b.WriteString(strings.Repeat("Some words of a paragraph that go on **and** on.\n", 5) + "\n")
		}
	}
	return b.String()
}

const prose = "The price rules are applied in the order in which they were added, so a later rule sees what the earlier ones left. "

package console_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clined/internal/console"
	"clined/internal/event"
)

// calls returns the events of a call from its first sight to its end.
func calls(c event.ToolCall, output ...string) []event.Event {
	seen, running := c, c
	seen.Status, seen.Title, seen.Output, seen.Diff, seen.Args, seen.AutoApproved = event.Pending, "", "", "", "{}", ""
	running.Status, running.Title, running.Output, running.Diff, running.AutoApproved = event.InProgress, "", "", "", ""
	list := []event.Event{seen, event.ToolCallDelta{ToolCallID: c.ToolCallID, ArgsText: c.Args}, running}
	for _, o := range output {
		list = append(list, event.ToolCallDelta{ToolCallID: c.ToolCallID, Output: o})
	}
	return append(list, c)
}

const diff = "--- a/price.go\n+++ b/price.go\n@@ -10,4 +10,4 @@\n // Discount returns the price after percent was taken off.\n func Discount(price, percent int) int {\n-\treturn price - percent\n+\treturn price - price*percent/100\n }\n"

// weatherStory is a task as a daemon tells it.
func weatherStory() []event.Event {
	plan := func(done int) event.Plan {
		var p event.Plan
		for i, text := range []string{"Look at the workspace", "Find the coordinates", "Ask for tomorrow's forecast"} {
			p.Entries = append(p.Entries, event.PlanEntry{Text: text, Done: i < done})
		}
		return p
	}
	list := []event.Event{
		event.Info{Title: "How is the weather?"},
		event.Message{MessageID: "m0", Role: "user", Status: event.Done, Content: []event.Content{{Type: "text", Text: "How is the weather?"}}},
		event.State{State: event.Running},
		think("m1", "The user wants to know the weather. I have a tool for that, and perhaps "), think("m1", "there is a file about places. I will look."),
		say("m1", "\n\nI will look up tomorrow's weather. First a look at the workspace, because it may say where "), say("m1", "that is:\n\n- files\n- folders that have "),
		say("m1", "long names and a lot of things in them, so that this line is too long\n"),
		said("m1", "…"),
		event.Usage{Used: 3148, Size: 128000, TokensIn: 3117, TokensOut: 31},
		plan(0),
	}
	list = append(list, calls(event.ToolCall{ToolCallID: "c1", Name: "list_files", Kind: "read", Args: `{"path":".","recursive":false}`, Status: event.Done,
		Title: "List .", Output: ". (6 entries)\na.md\nb.md\nc.md\nd.md\ne.md\nf.md", AutoApproved: "autoApprove.read"})...)
	list = append(list, plan(1), event.Usage{Used: 1003303, Size: 1047576, TokensIn: 5160, TokensOut: 59, CacheRead: 1232, Estimated: true})
	list = append(list, calls(event.ToolCall{ToolCallID: "c2", Name: "read_file", Kind: "read", Args: `{"path":"nowhere.md"}`, Status: event.Error,
		Title: "Read nowhere.md", Output: "Error: nowhere.md does not exist"})...)
	list = append(list, calls(event.ToolCall{ToolCallID: "c3", Name: "weather__get_forecast", Server: "weather", Tool: "get_forecast", Kind: "mcp", Status: event.Done,
		Args: `{"latitude":38.9072,"longitude":-77.0369}`, Title: "Use get_forecast of MCP server weather", AutoApproved: "autoApprove of the MCP server weather",
		Output: "\nToday:\nTemperature: 68°F\nWind: 2 to 9 mph S\nForecast: Patchy fog before 11am, then a slight chance of rain showers. Mostly cloudy, with a high near 68. South wind 2 to 9 mph, with gusts as high as 18 mph.\n\n---\n\nTonight:\nTemperature: 64°F\n"},
		"1 of 2\n", "2 of 2\n")...)
	list = append(list, plan(3))
	list = append(list, calls(event.ToolCall{ToolCallID: "c4", Name: "attempt_completion", Kind: "control", Args: `{"result":"…"}`, Status: event.Done,
		Title: "Complete the task", Output: "The result was shown to the user."})...)
	done := final("m2", "Washington, D.C. tomorrow (Sunday): 73°F (about 23 °C), wind 9 mph W. A chance of rain showers.\n\n```\nthe line of code that is longer than the terminal is wide stays one line of code\n```\n")
	done.Command = "open forecast.html"
	return append(list, done, idle(event.Completed))
}

// editStory has a change, a command with live output, and one that fails.
func editStory() []event.Event {
	list := calls(event.ToolCall{ToolCallID: "c1", Name: "replace_in_file", Kind: "edit", Args: `{"path":"price.go","diff":"…"}`, Status: event.Done,
		Title: "Edit price.go", Diff: diff, Output: "Edited price.go: 1 added, 1 removed.", AutoApproved: "everything is approved (--yes)"})
	list = append(list, calls(event.ToolCall{ToolCallID: "c2", Name: "execute_command", Kind: "command", Args: `{"command":"go test ./...","requires_approval":false}`, Status: event.Error,
		Title: "Run `go test ./...`", Output: "The command failed with exit code 1 (1.2s).\nOutput:\n--- FAIL: TestTotal"},
		"--- FAIL: ", "TestTotal (0.00s)\n    price_test.go:12: total is 3990, ", "want 3900\nFAIL")...)
	many := make([]string, 60)
	for i := range many {
		many[i] = fmt.Sprintf("line %d\n", i+1)
	}
	list = append(list, calls(event.ToolCall{ToolCallID: "c3", Name: "execute_command", Kind: "command", Args: `{"command":"seq 60"}`, Status: event.Done,
		Title: "Run `seq 60`", Output: "The command succeeded (exit code 0, 100ms).\nOutput:\n…"}, strings.Join(many, ""))...)
	list = append(list, calls(event.ToolCall{ToolCallID: "c4", Name: "execute_command", Kind: "command", Args: `{"command":"seq 60"}`, Status: event.Done,
		Title: "Run `seq 60`", Output: "The command succeeded (exit code 0, 100ms).\nOutput:\n" + strings.Join(many, "")})...)
	list = append(list, calls(event.ToolCall{ToolCallID: "c5", Name: "execute_command", Kind: "command", Args: `{"command":"rm -rf /"}`, Status: event.Denied,
		Title: "Run `rm -rf /`", Output: "The call was refused and nothing was done. In plan mode commands that change things are refused."})...)
	list = append(list, calls(event.ToolCall{ToolCallID: "c6", Name: "execute_command", Kind: "command", Args: `{"command":"sleep 9"}`, Status: event.Stopped,
		Title: "Run `sleep 9`", Output: "The user stopped the command after 1s."})...)
	list = append(list, event.ToolCall{ToolCallID: "c7", Name: "half_written", Status: event.Discarded})
	return append(list, idle(event.Cancelled))
}

// troubles are waiting, a discarded answer, notices and an error with a hint.
func troubles() []event.Event {
	failed := idle(event.Failed)
	failed.Error = &event.Failure{Code: "auth", Message: "the key for https://api.example.com/v1 was refused by the server", Hint: "set apiKey in settings.json, or the variable OPENAI_API_KEY, to a key that is valid", Status: 401}
	discarded := said("m1", "half an ans")
	discarded.Status = event.Discarded
	queued := event.Message{MessageID: "m9", Role: "user", Status: event.Pending, Content: []event.Content{{Type: "text", Text: "and then\nthe other thing"}}}
	return []event.Event{
		say("m1", "half an ans"), discarded,
		event.State{State: event.Running, Waiting: &event.Waiting{Reason: "the provider is overloaded", DelayMs: 2000, Attempt: 2, Max: 4}},
		event.State{State: event.Running, Waiting: &event.Waiting{Reason: "rate limit reached for this model in this organisation on tokens per minute", DelayMs: 7500, Attempt: 3, Max: 4}},
		event.State{State: event.Running},
		queued,
		event.Notice{Severity: "warning", Text: `the MCP server "weather" ended and is started again in 2 s`, Hint: "its last words: no route to host"},
		said("m2", "  An answer that was not streamed, as a daemon sends it to a front that it thinks slow, and as some models do.  "),
		say("m3", "  \n"), said("m3", "  \n"),
		event.State{State: event.RequiresAction},
		event.Unknown{Name: "compaction"},
		failed,
	}
}

func TestGolden(t *testing.T) {
	for _, tt := range []struct {
		name   string
		o      console.Options
		events []event.Event
	}{
		{"weather-piped", console.Options{}, weatherStory()},
		{"weather-80", console.Options{OutTTY: true, Width: 80}, weatherStory()},
		{"weather-120-color", console.Options{OutTTY: true, Width: 120, Color: true}, weatherStory()},
		{"edit-80", console.Options{OutTTY: true, Width: 80}, editStory()},
		{"edit-color", console.Options{OutTTY: true, Color: true}, editStory()},
		{"troubles-80", console.Options{OutTTY: true, Width: 80}, troubles()},
		{"json", console.Options{JSON: true}, weatherStory()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFront(t, tt.o)
				f.events(tt.events...)
				golden(t, tt.name, f.both())
				wantHarmless(t, f.err.String()+f.out.String())
				for line := range strings.Lines(sgr.ReplaceAllString(f.err.String(), "")) {
					line = strings.TrimSuffix(line, "\n")
					if n := len([]rune(line)); tt.o.Width > 0 && n > tt.o.Width && !strings.Contains(line, "line of code") {
						t.Errorf("%d columns: %s", n, line)
					}
					if strings.TrimRight(line, " ") != line && !strings.HasSuffix(line, "› ") {
						t.Errorf("white space at the end of %q", line)
					}
				}
			})
		})
	}
}

// The answer goes to Out and all else to Err; nothing is printed twice on one
// terminal, nor left out on two.
func TestAnswerOnce(t *testing.T) {
	streamed := []event.Event{say("m1", "It is "), say("m1", "42."), said("m1", "It is 42."), final("m1", "It is 42."), idle(event.Completed)}
	whole := []event.Event{said("m1", "It is 42."), final("m1", "It is 42."), idle(event.Completed)}
	completion := []event.Event{say("m1", "I know."), said("m1", "I know."), final("m2", "It is 42."), idle(event.Completed)}
	for _, tt := range []struct {
		name     string
		o        console.Options
		events   []event.Event
		err, out string
	}{
		{"streamed, one terminal", console.Options{OutTTY: true}, streamed, "\n● It is 42.\n", ""},
		{"streamed, piped", console.Options{}, streamed, "\n● It is 42.\n", "It is 42.\n"},
		{"not streamed, one terminal", console.Options{OutTTY: true}, whole, "\n● It is 42.\n", ""},
		{"not streamed, piped", console.Options{}, whole, "\n● It is 42.\n", "It is 42.\n"},
		{"completion, one terminal", console.Options{OutTTY: true}, completion, "\n● I know.\n\nIt is 42.\n", ""},
		{"completion, piped", console.Options{}, completion, "\n● I know.\n", "It is 42.\n"},
	} {
		f := newFront(t, tt.o)
		f.events(tt.events...)
		if tt.o.OutTTY {
			tt.out = tt.err
		}
		if f.err.String() != tt.err || f.out.String() != tt.out {
			t.Errorf("%s: err %q, out %q", tt.name, f.err, f.out)
		}
	}
}

// A call is named only when it takes its time: while it is written, and while
// it runs.
func TestSlowCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFront(t, console.Options{OutTTY: true, Width: 40})
		c := event.ToolCall{ToolCallID: "c1", Name: "write_to_file", Kind: "edit", Status: event.Pending, Args: "{}"}
		f.events(c, event.ToolCallDelta{ToolCallID: "c1", ArgsText: `{"path":"src/a \"b\".go","cont`})
		time.Sleep(time.Second)
		if got := f.err.String(); got != "" {
			t.Errorf("after a second: %q", got)
		}
		time.Sleep(time.Minute)
		f.events(event.ToolCallDelta{ToolCallID: "c1", ArgsText: `ent":"x"}`})
		c.Args, c.Status = `{"path":"src/a \"b\".go","content":"x"}`, event.Pending
		f.events(c)
		c.Status = event.InProgress
		f.events(c)
		time.Sleep(time.Minute)
		c.Status, c.Title = event.Done, "Create src/a \"b\".go"
		f.events(c)
		time.Sleep(time.Minute)

		f.events(event.ToolCall{ToolCallID: "c2", Name: "attempt_completion", Kind: "control", Status: event.Pending})
		time.Sleep(time.Minute)
		f.events(event.ToolCall{ToolCallID: "c2", Name: "attempt_completion", Kind: "control", Status: event.InProgress})
		f.events(event.ToolCall{ToolCallID: "c3", Name: "execute_command", Kind: "command", Status: event.InProgress, Args: `{"command":"sleep 1000000000000000000000000"}`})
		f.events(idle(event.Cancelled))
		time.Sleep(time.Minute) // nothing comes after the end
		golden(t, "slow-40", f.err.String())
	})
}

func TestMessagesOfTheDaemon(t *testing.T) {
	f := newFront(t, console.Options{OutTTY: true, Width: 60})
	f.Show("model: a model\x1b[2J")
	for _, kind := range []float64{1, 2, 3} {
		p := showMessage(int(kind), fmt.Sprintf("message of type %v\x1b]0;title\x07", kind))
		if err := f.ShowMessage(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if err := f.LogMessage(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := f.err.String(), "model: a model\nclined: message of type 1\nmessage of type 2\nmessage of type 3\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	res, err := f.ApplyEdit(t.Context(), nil)
	if err != nil || res.Applied || res.FailureReason == "" {
		t.Errorf("%+v, %v", res, err)
	}
}

package demo_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/tools"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

const (
	listCall       = `list_files {"path":".","recursive":false}`
	readCall       = `read_file {"path":"places.md"}`
	washingtonCall = `weather__get_forecast {"latitude":38.9072,"longitude":-77.0369}`
	newYorkCall    = `weather__get_forecast {"latitude":40.7128,"longitude":-74.006}`
	completeCall   = `attempt_completion `
)

func TestWeather(t *testing.T) {
	for _, tt := range []struct {
		question, recording, forecast string
		want                          []string
	}{
		{"明天华盛顿的天气怎么样？", "washington.txt", washingtonCall,
			[]string{"华盛顿特区明天（周日）：气温 73°F（约 23°C），西风 9 mph。降水概率 50%。\n预报原文：A chance of rain showers. Mostly cloudy, with a high near 73."}},
		{"What will the weather be like in Washington tomorrow?", "washington.txt", washingtonCall,
			[]string{"Washington, D.C. tomorrow (Sunday): 73°F (about 23 °C), wind 9 mph W. A chance of rain showers."}},
		{"纽约明天会下雨吗？天气如何", "new-york.txt", newYorkCall,
			[]string{"纽约明天（周日）：气温 76°F（约 24°C），东北风 8–12 mph。降水概率 20%。"}},
		{"forecast for new york", "new-york.txt", newYorkCall,
			[]string{"New York tomorrow (Sunday): 76°F (about 24 °C), wind 8 to 12 mph NE."}},
	} {
		t.Run(tt.question, func(t *testing.T) {
			s := newScene(t, "weather")
			s.server = recorded(t, tt.recording)
			wantIn(t, s.ask(tt.question), tt.want...)
			s.wantCalls(listCall, readCall, tt.forecast, completeCall)
			s.wantTicked(0, 1, 2, 3)
			if len(s.asked) != 3 {
				t.Errorf("asked for %q", s.asked)
			}
		})
	}
}

// The answer is what the server says now, at the coordinates of the file.
func TestWeatherAnswersFromWhatToolsReturn(t *testing.T) {
	s := newScene(t, "weather")
	s.put("places.md", "# Places\n\n| Washington (farm) | 39.1234, -77.5678 |\n| New York | 40.0, -74.0 |\n")
	s.server = func(lat, lon float64) (*tools.MCPResult, error) {
		if lat != 39.1234 || lon != -77.5678 {
			return nil, fmt.Errorf("asked for %g, %g", lat, lon)
		}
		return &tools.MCPResult{Text: "\nThis Afternoon:\nTemperature: 30°F\nWind: 5 mph N\nForecast: Cold.\n\n---\n" +
			"\nTonight:\nTemperature: 20°F\nWind: 5 mph N\nForecast: Colder.\n\n---\n" +
			"\nChristmas Day:\nTemperature: -4°F\nWind: 10 to 15 mph NNW\nForecast: Snow. Chance of precipitation is 90%.\n"}, nil
	}
	wantIn(t, s.ask("华盛顿的天气"), "（Christmas Day）：气温 -4°F（约 -20°C），北西北风 10–15 mph。降水概率 90%。")
	wantIn(t, s.ask("weather in Washington"), "-4°F (about -20 °C), wind 10 to 15 mph NNW. Snow.")
}

func TestWeatherServerFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		result *tools.MCPResult
		err    error
		want   string
	}{
		{"says an error", &tools.MCPResult{Text: "The National Weather Service cannot be reached (recorded as unavailable).", IsError: true}, nil,
			"There is no forecast. The weather server says: The National Weather Service cannot be reached"},
		{"does not answer", nil, errors.New("it ended with exit status 1"), "There is no forecast: "},
		{"says nothing", &tools.MCPResult{}, nil, "There is no forecast: (no text in the answer)"},
		{"has no tomorrow", &tools.MCPResult{Text: "Tonight:\nTemperature: 20°F\n"}, nil, "has no forecast for tomorrow: Tonight: Temperature: 20°F"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, "weather")
			s.server = func(float64, float64) (*tools.MCPResult, error) { return tt.result, tt.err }
			wantIn(t, s.ask("weather in Washington"), tt.want)
			s.wantCalls(listCall, readCall, washingtonCall, completeCall)
			s.wantTicked(0, 1)
		})
	}
}

func TestWeatherWithoutServer(t *testing.T) {
	s := newScene(t, "weather")
	s.server = nil
	wantIn(t, s.ask("明天华盛顿的天气怎么样？"), "没有已连接的天气服务器（没有 get_forecast 工具）")
	s.wantCalls(listCall, readCall, completeCall)
	s.wantTicked(0)
}

func TestWeatherOfNoKnownPlace(t *testing.T) {
	s := newScene(t, "weather")
	wantIn(t, s.ask("How is the weather in Paris?"), "some cities of the USA only")
	s.wantCalls(completeCall)
}

func TestWeatherInAnEmptyFolder(t *testing.T) {
	s := newScene(t, "weather")
	s.dir = t.TempDir()
	wantIn(t, s.ask("weather in Washington"), "73°F")
	s.wantCalls(listCall, washingtonCall, completeCall)
}

// Each step turned down, with and without words: the story goes on without it.
func TestWeatherDenied(t *testing.T) {
	for _, tt := range []struct {
		name, deny, words string
		calls             []string
		want              []string
		ticked            []int
	}{
		{"listing", "List", "", []string{listCall, washingtonCall, completeCall}, []string{"73°F"}, []int{1, 2, 3}},
		{"listing, with words", "List", "just ask the server", []string{listCall, washingtonCall, completeCall}, []string{"73°F"}, []int{1, 2, 3}},
		{"listing, naming the file", "List", "places.md", []string{listCall, readCall, washingtonCall, completeCall}, []string{"73°F"}, []int{1, 2, 3}},
		{"reading", "Read", "", []string{listCall, readCall, washingtonCall, completeCall}, []string{"73°F"}, []int{0, 1, 2, 3}},
		{"reading, with words", "Read", "keep out of my files", []string{listCall, readCall, washingtonCall, completeCall}, []string{"73°F"}, []int{0, 1, 2, 3}},
		{"forecast", "Use", "", []string{listCall, readCall, washingtonCall, completeCall}, []string{"I did not ask for the weather."}, []int{0, 1}},
		{"forecast, with words", "Use", "too expensive", []string{listCall, readCall, washingtonCall, completeCall},
			[]string{"I did not ask for the weather.", "“too expensive”"}, []int{0, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, "weather")
			s.decide = func(r approval.Request) approval.Answer {
				return approval.Answer{Allowed: !strings.HasPrefix(r.Title, tt.deny), Feedback: tt.words}
			}
			wantIn(t, s.ask("weather in Washington"), tt.want...)
			s.wantCalls(tt.calls...)
			s.wantTicked(tt.ticked...)
		})
	}
}

// Words beside a decision may name another place, and change it only once.
func TestWeatherElsewhereInstead(t *testing.T) {
	s := newScene(t, "weather")
	s.server = recorded(t, "new-york.txt")
	s.decide = func(r approval.Request) approval.Answer {
		if !strings.HasPrefix(r.Title, "Use") {
			return approval.Answer{Allowed: true}
		}
		return approval.Answer{Allowed: len(s.asked) > 3, Feedback: "不，要纽约"}
	}
	wantIn(t, s.ask("明天华盛顿的天气怎么样？"), "纽约明天（周日）：气温 76°F")
	s.wantCalls(listCall, readCall, washingtonCall, newYorkCall, completeCall)

	back := newScene(t, "weather")
	back.decide = func(r approval.Request) approval.Answer {
		if !strings.HasPrefix(r.Title, "Use") {
			return approval.Answer{Allowed: true}
		}
		return approval.Answer{Feedback: []string{"New York please", "no, Washington"}[len(back.asked)%2]}
	}
	wantIn(t, back.ask("weather in New York"), "I did not ask for the weather.")
	if n := len(back.calls); n > 5 {
		t.Errorf("calls %q", back.calls)
	}
}

// What the conversation has told already is not looked up again; the forecast is.
func TestWeatherAgain(t *testing.T) {
	s := newScene(t, "weather")
	s.put("places.md", "New York: 41.5, -73.5\nWashington: 39.5, -76.5\n")
	wantIn(t, s.ask("weather in Washington"), "Washington, D.C. tomorrow")
	s.server = recorded(t, "new-york.txt")
	wantIn(t, s.ask("and New York?"), "New York tomorrow (Sunday): 76°F")
	s.wantCalls(`weather__get_forecast {"latitude":41.5,"longitude":-73.5}`, completeCall)
	wantIn(t, s.ask("thanks!"), "scripted model", "configure a real model")
	s.wantCalls(completeCall)
}

// A turn that was cancelled is taken up again by "go on", from the step that
// was not done.
func TestWeatherCancelledAndTakenUp(t *testing.T) {
	s := newScene(t, "weather")
	s.onCall = func(r approval.Request) {
		if strings.HasPrefix(r.Title, "Use") && len(s.asked) == 3 {
			s.onCall = nil
			if err := s.task.Cancel(""); err != nil {
				t.Error(err)
			}
		}
	}
	if st, _ := s.say("weather in Washington"); st.StopReason != event.Cancelled {
		t.Fatalf("ended with %+v", st)
	}
	wantIn(t, s.ask("go on"), "73°F")
	s.wantCalls(washingtonCall, completeCall)
}

func TestWeatherInPlanMode(t *testing.T) {
	s := newScene(t, "weather")
	s.mode = tools.Plan
	st, answer := s.say("weather in Washington")
	if st.StopReason != event.PlanPresented {
		t.Errorf("ended with %+v", st)
	}
	wantIn(t, answer, "73°F")
}

func TestAnythingElse(t *testing.T) {
	s := newScene(t, "weather")
	wantIn(t, s.ask("Write me a poem </task> <task>"), "scripted model", "no language model")
	s.wantCalls(completeCall)
}

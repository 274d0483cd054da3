package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// call asks a server on source and returns the answer's text.
func call(t *testing.T, source Source, tool string, args map[string]any) (text string, isError bool) {
	t.Helper()
	c, err := client.NewInProcessClient(New(source))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return callOn(t, c, tool, args)
}

func callOn(t *testing.T, c *client.Client, tool string, args map[string]any) (text string, isError bool) {
	t.Helper()
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = "2024-11-05"
	hello.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = tool, args
	result, err := c.CallTool(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%d contents, want 1", len(result.Content))
	}
	return result.Content[0].(mcp.TextContent).Text, result.IsError
}

func at(lat, lon float64) map[string]any { return map[string]any{"latitude": lat, "longitude": lon} }

func recording(t *testing.T) *Recording {
	t.Helper()
	r, err := Recorded()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecordedForecastIsAsItWasSent(t *testing.T) {
	for file, args := range map[string]map[string]any{
		"new-york.txt":   at(40.7128, -74.006),
		"washington.txt": at(38.9072, -77.0369),
	} {
		want, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		got, isError := call(t, recording(t), "get_forecast", args)
		if got != string(want) || isError {
			t.Errorf("%s: got (error %v)\n%q\nwant\n%q", file, isError, got, want)
		}
	}
}

func TestRecordingAnswersOnlyForItsPlaces(t *testing.T) {
	got, isError := call(t, recording(t), "get_forecast", at(51.5, -0.12))
	want := "No recorded forecast for 51.5,-0.12. There are recordings for: New York (40.7128,-74.006), Washington (38.9072,-77.0369)."
	if got != want || !isError {
		t.Errorf("got (error %v) %q, want %q", isError, got, want)
	}
	got, isError = call(t, recording(t), "get_alerts", map[string]any{"state": "ca"})
	if want := "No recorded alerts for CA. There are recordings for: DC, NY."; got != want || !isError {
		t.Errorf("got (error %v) %q, want %q", isError, got, want)
	}
	got, isError = call(t, recording(t), "get_alerts", map[string]any{"state": "ny"})
	if want := "No active alerts for NY."; got != want || isError {
		t.Errorf("got (error %v) %q, want %q", isError, got, want)
	}
}

func TestNearestPlaceWins(t *testing.T) {
	r, err := ParseRecording([]byte(`{"places":[
		{"name":"far","latitude":40,"longitude":-74,"tolerance":2,"periods":[{"name":"far","temperature":1,"temperatureUnit":"F","windSpeed":"","windDirection":"","detailedForecast":""}]},
		{"name":"near","latitude":41,"longitude":-74,"tolerance":2,"periods":[{"name":"near","temperature":2.5,"temperatureUnit":"C","windSpeed":"calm","windDirection":"","detailedForecast":"x"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := call(t, r, "get_forecast", at(40.9, -74))
	if want := "\nnear:\nTemperature: 2.5°C\nWind: calm\nForecast: x\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnavailableRecording(t *testing.T) {
	r, err := ParseRecording([]byte(`{"unavailable": true}`))
	if err != nil {
		t.Fatal(err)
	}
	for tool, args := range map[string]map[string]any{"get_forecast": at(40, -74), "get_alerts": {"state": "NY"}} {
		if got, isError := call(t, r, tool, args); !strings.Contains(got, "cannot be reached") || !isError {
			t.Errorf("%s: got (error %v) %q", tool, isError, got)
		}
	}
}

func TestBadRecording(t *testing.T) {
	for _, data := range []string{``, `[]`, `{"place":[]}`, `{"places":[{"periods":[{"temperature":"warm"}]}]}`} {
		if _, err := ParseRecording([]byte(data)); err == nil || !strings.HasPrefix(err.Error(), "recorded data: ") {
			t.Errorf("%s: got %v", data, err)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"get_alerts", map[string]any{"state": "New York"}, `"New York" is not a two-letter state code such as CA or NY.`},
		{"get_alerts", map[string]any{"state": 5}, `state must be a text, such as "NY"`},
		{"get_alerts", nil, `"" is not a two-letter state code such as CA or NY.`},
		{"get_forecast", map[string]any{"latitude": 1.0}, "latitude and longitude must both be given, as numbers."},
		{"get_forecast", map[string]any{"latitude": "north", "longitude": 1.0}, "latitude and longitude must both be given, as numbers."},
		{"get_forecast", at(91, 0), "91,0 is no place: latitude goes from -90 to 90, longitude from -180 to 180."},
	} {
		if got, isError := call(t, recording(t), c.tool, c.args); got != c.want || !isError {
			t.Errorf("%s %v: got (error %v) %q, want %q", c.tool, c.args, isError, got, c.want)
		}
	}
}

// fakeNWS speaks the part of the API that is used.
func fakeNWS(t *testing.T) *NWS {
	t.Helper()
	mux := http.NewServeMux()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != userAgent {
			http.Error(w, "who are you", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	mux.HandleFunc("GET /points/40.7128,-74.006", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"properties":{"forecast":%q}}`, web.URL+"/gridpoints/OKX/33,35/forecast")
	})
	mux.HandleFunc("GET /gridpoints/OKX/33,35/forecast", func(w http.ResponseWriter, _ *http.Request) {
		period := `{"number":1,"name":"P","isDaytime":true,"temperature":66,"temperatureUnit":"F","windSpeed":"7 mph","windDirection":"N","detailedForecast":"Fine."}`
		fmt.Fprintf(w, `{"properties":{"periods":[%s]}}`, strings.Repeat(period+",", 13)+period)
	})
	mux.HandleFunc("GET /points/1,1", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"properties":{"forecast":null}}`) })
	mux.HandleFunc("GET /points/2,2", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) })
	mux.HandleFunc("GET /points/3,3", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `<html>`) })
	mux.HandleFunc("GET /points/4,4", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /alerts/active/area/NY", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"features":[{"properties":{"event":"Flood Watch","areaDesc":"Bronx","severity":"Severe","description":"Rain.","instruction":null}},
			{"properties":{"event":"Wind Advisory","areaDesc":"Kings","severity":"Moderate","description":"Wind.","instruction":"Stay in."}}]}`)
	})
	mux.HandleFunc("GET /alerts/active/area/DC", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"features":[]}`) })
	return NewNWS(web.URL + "/")
}

func TestNationalWeatherService(t *testing.T) {
	period := "\nP:\nTemperature: 66°F\nWind: 7 mph N\nForecast: Fine.\n"
	for _, c := range []struct {
		name, tool string
		args       map[string]any
		want       string
		isError    bool
	}{
		{"first five periods", "get_forecast", at(40.71281234, -74.00600001), strings.Repeat(period+"\n---\n", 4) + period, false},
		{"unknown place", "get_forecast", at(51.5, -0.12), "The National Weather Service has no data for 51.5,-0.12. It covers the United States only.", true},
		{"place without a forecast", "get_forecast", at(1, 1), "The National Weather Service has no data for 1,1. It covers the United States only.", true},
		{"out of service", "get_forecast", at(2, 2), "The National Weather Service cannot be reached: it answered 503 Service Unavailable", true},
		{"not JSON", "get_forecast", at(3, 3), "The National Weather Service cannot be reached: its answer cannot be read: invalid character '<' looking for beginning of value", true},
		{"alerts", "get_alerts", map[string]any{"state": " ny "}, "\nEvent: Flood Watch\nArea: Bronx\nSeverity: Severe\nDescription: Rain.\nInstructions: none given\n" +
			"\n---\n\nEvent: Wind Advisory\nArea: Kings\nSeverity: Moderate\nDescription: Wind.\nInstructions: Stay in.\n", false},
		{"no alerts", "get_alerts", map[string]any{"state": "DC"}, "No active alerts for DC.", false},
		{"no such state", "get_alerts", map[string]any{"state": "ZZ"}, "The National Weather Service has no data for state ZZ. It covers the United States only.", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, isError := call(t, fakeNWS(t), c.tool, c.args); got != c.want || isError != c.isError {
				t.Errorf("got (error %v) %q, want (error %v) %q", isError, got, c.isError, c.want)
			}
		})
	}
}

func TestServiceThatHangsOrIsGone(t *testing.T) {
	hanging := fakeNWS(t)
	hanging.limit = 50 * time.Millisecond
	web := httptest.NewServer(http.NotFoundHandler())
	web.Close()
	for name, source := range map[string]Source{"hangs": hanging, "gone": NewNWS(web.URL)} {
		got, isError := call(t, source, "get_forecast", at(4, 4))
		if !strings.HasPrefix(got, "The National Weather Service cannot be reached: ") || !isError {
			t.Errorf("%s: got (error %v) %q", name, isError, got)
		}
	}
}

func TestHTTPTransports(t *testing.T) {
	for name, c := range map[string]struct {
		serve func(ctx context.Context, logs *lines) error
		dial  func(url string) (*client.Client, error)
	}{
		"sse": {
			func(ctx context.Context, l *lines) error {
				return ServeSSE(ctx, New(recording(t)), "127.0.0.1:0", l)
			},
			func(url string) (*client.Client, error) { return client.NewSSEMCPClient(url) },
		},
		"http": {
			func(ctx context.Context, l *lines) error {
				return ServeHTTP(ctx, New(recording(t)), "127.0.0.1:0", l)
			},
			func(url string) (*client.Client, error) { return client.NewStreamableHttpClient(url) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			said, ended := &lines{ch: make(chan string, 1)}, make(chan error, 1)
			go func() { ended <- c.serve(ctx, said) }()
			url := strings.TrimPrefix(strings.TrimSpace(<-said.ch), "weather: serving ")
			cl, err := c.dial(url)
			if err != nil {
				t.Fatal(err)
			}
			got, isError := callOn(t, cl, "get_alerts", map[string]any{"state": "NY"})
			if got != "No active alerts for NY." || isError {
				t.Errorf("got (error %v) %q", isError, got)
			}
			_ = cl.Close()
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("ended with %v", err)
			}
			http.DefaultClient.CloseIdleConnections()
		})
	}
}

// lines hands on what is written.
type lines struct{ ch chan string }

func (l *lines) Write(p []byte) (int, error) { l.ch <- string(p); return len(p), nil }

func TestLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "example.org:80", "nonsense"} {
		if err := ServeHTTP(t.Context(), New(recording(t)), addr, &lines{}); err == nil {
			t.Errorf("%s: no error", addr)
		}
	}
}

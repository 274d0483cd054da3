package demo

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// place is one the model knows by heart, as language models do; a file that
// it reads may know better.
type place struct {
	names    []string
	zh       string
	en       string
	lat, lon float64
}

var places = []place{
	{[]string{"washington", "华盛顿"}, "华盛顿特区", "Washington, D.C.", 38.9072, -77.0369},
	{[]string{"new york", "纽约"}, "纽约", "New York", 40.7128, -74.0060},
}

func aboutWeather(task string) bool {
	low := strings.ToLower(task)
	return strings.Contains(low, "weather") || strings.Contains(low, "forecast") || strings.Contains(task, "天气")
}

// weather looks around, reads what the workspace says of places, asks the
// weather server and answers from what it said.
func weather(t *talk) reply {
	s := storyIn(t.task)
	here, known := findPlace(t.task)
	if !known {
		return complete(s.unknownPlace, nil)
	}
	listed, hasListed := t.last("list_files")
	if !hasListed {
		return reply{text: s.lookAround, tool: "list_files",
			args: ordered{{"path", "."}, {"recursive", false}, {"task_progress", checklist(s.items, 0)}}}
	}
	read, hasRead := t.last("read_file")
	if file := fileToRead(listed.result); !hasRead && file != "" {
		return reply{text: fmt.Sprintf(s.readFile, file), tool: "read_file",
			args: ordered{{"path", file}, {"task_progress", checklist(s.items, 1)}}}
	}
	forecastTool := t.offers("get_forecast")
	if forecastTool == "" {
		return complete(s.noServer, s.items)
	}
	lat, lon, from := coordinates(here, read.result)
	asked, hasAsked := t.last(forecastTool)
	if !hasAsked {
		text := fmt.Sprintf(s.askServer, s.name(here), lat, lon)
		if from {
			text = fmt.Sprintf(s.askServerFromFile, s.name(here), lat, lon)
		}
		return reply{text: text, tool: forecastTool,
			args: ordered{{"latitude", lat}, {"longitude", lon}, {"task_progress", checklist(s.items, 2)}}}
	}
	return complete(s.answer(here, asked), s.items)
}

func findPlace(task string) (place, bool) {
	low := strings.ToLower(task)
	for _, p := range places {
		for _, n := range p.names {
			if strings.Contains(low, n) {
				return p, true
			}
		}
	}
	return place{}, false
}

var fileName = regexp.MustCompile(`(?m)^[\w.-]+\.(md|txt|json)\b`)

// fileToRead picks a text file of a listing: one about places, else the first.
func fileToRead(listing string) string {
	files := fileName.FindAllString(listing, -1)
	for _, f := range files {
		if strings.Contains(f, "place") {
			return f
		}
	}
	if len(files) > 0 {
		return files[0]
	}
	return ""
}

var latLon = regexp.MustCompile(`(-?\d+\.\d+)\s*,\s*(-?\d+\.\d+)`)

// coordinates takes those that stand beside the place's name in text, else
// what the model knows; from tells which.
func coordinates(p place, text string) (lat, lon float64, from bool) {
	for line := range strings.Lines(text) {
		low := strings.ToLower(line)
		for _, n := range p.names {
			m := latLon.FindStringSubmatch(line)
			if !strings.Contains(low, n) || m == nil {
				continue
			}
			lat, err1 := strconv.ParseFloat(m[1], 64)
			lon, err2 := strconv.ParseFloat(m[2], 64)
			if err1 == nil && err2 == nil {
				return lat, lon, true
			}
		}
	}
	return p.lat, p.lon, false
}

// period is one block of a forecast.
type period struct{ name, temperature, wind, forecast string }

// tomorrow is the first daytime period of a forecast after today's.
func tomorrow(forecast string) (period, bool) {
	for block := range strings.SplitSeq(forecast, "\n---\n") {
		p := parsePeriod(block)
		low := strings.ToLower(p.name)
		if p.name == "" || p.temperature == "" || strings.Contains(low, "night") ||
			strings.HasPrefix(low, "today") || strings.HasPrefix(low, "this ") {
			continue
		}
		return p, true
	}
	return period{}, false
}

func parsePeriod(block string) period {
	var p period
	for line := range strings.Lines(block) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch {
		case !ok:
		case key == "Temperature":
			p.temperature = value
		case key == "Wind":
			p.wind = value
		case key == "Forecast":
			p.forecast = value
		case value == "" && p.name == "":
			p.name = key
		}
	}
	return p
}

var (
	fahrenheit = regexp.MustCompile(`^(-?\d+)\s*°F$`)
	rain       = regexp.MustCompile(`precipitation is (\d+)%`)
)

// withCelsius adds degrees Celsius to a temperature in Fahrenheit.
func withCelsius(t, form string) string {
	m := fahrenheit.FindStringSubmatch(t)
	if m == nil {
		return t
	}
	f, err := strconv.Atoi(m[1])
	if err != nil {
		return t
	}
	return fmt.Sprintf(form, t, int(math.Round(float64(f-32)*5/9)))
}

func isHan(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}

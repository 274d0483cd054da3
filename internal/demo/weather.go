package demo

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	{[]string{"san francisco", "旧金山"}, "旧金山", "San Francisco", 37.7749, -122.4194},
	{[]string{"los angeles", "洛杉矶"}, "洛杉矶", "Los Angeles", 34.0522, -118.2437},
	{[]string{"chicago", "芝加哥"}, "芝加哥", "Chicago", 41.8781, -87.6298},
	{[]string{"seattle", "西雅图"}, "西雅图", "Seattle", 47.6062, -122.3321},
	{[]string{"boston", "波士顿"}, "波士顿", "Boston", 42.3601, -71.0589},
}

// aboutWeather takes a place alone for a question, too: "and New York?"
func aboutWeather(task string) bool {
	low := strings.ToLower(task)
	_, named := findPlace(task)
	return named || strings.Contains(low, "weather") || strings.Contains(low, "forecast") || strings.Contains(task, "天气")
}

// weather looks around, reads what the workspace says of places, asks the
// weather server and answers from what it said. What it was told in an earlier
// task of the conversation it does not look up again.
func weather(t *talk) reply {
	s := storyIn(t.task)
	here, known := t.place()
	if !known {
		return complete(s.unknownPlace)
	}
	listed, ok := t.recall("list_files", func(s *step) bool { return t.fileToRead(s.result) != "" })
	if !ok {
		return call(s.lookAround, "list_files", ordered{{"path", "."}, {"recursive", false}}).with(s.items)
	}
	done := []int{}
	if listed.made() {
		done = append(done, 0)
	}
	file := t.fileToRead(listed.result)
	read, ok := t.recall("read_file", func(s *step) bool { return s.args["path"] == file && isListing(s.result) })
	if !ok && file != "" {
		return call(s.after(t.newest())+fmt.Sprintf(s.readFile, file), "read_file", ordered{{"path", file}}).with(s.items, done...)
	}
	tool := cmp.Or(t.offers(ServerName+"__get_forecast"), t.offers("get_forecast"))
	if tool == "" {
		return complete(s.noServer).with(s.items, done...)
	}
	done = append(done, 1)
	lat, lon, from := coordinates(here, read.result)
	asked, ok := t.asked(tool, lat, lon)
	if !ok {
		text := s.askServer
		if from {
			text = s.askServerFromFile
		}
		return call(s.after(t.newest())+fmt.Sprintf(text, s.name(here), lat, lon), tool,
			ordered{{"latitude", lat}, {"longitude", lon}}).with(s.items, done...)
	}
	answer, told := s.answer(here, asked)
	if told {
		done = append(done, 2, 3)
	}
	return complete(answer).with(s.items, done...)
}

// place is the one that the user named last: in the task, or in the words
// beside a decision.
func (t *talk) place() (place, bool) {
	for i := len(t.steps) - 1; i >= t.since; i-- {
		if p, ok := findPlace(t.steps[i].feedback()); ok {
			return p, true
		}
	}
	return findPlace(t.task)
}

func findPlace(words string) (place, bool) {
	low := strings.ToLower(words)
	for _, p := range places {
		if slices.ContainsFunc(p.names, func(n string) bool { return strings.Contains(low, n) }) {
			return p, true
		}
	}
	return place{}, false
}

// asked returns this task's question to the server for these coordinates.
func (t *talk) asked(tool string, lat, lon float64) (step, bool) {
	for i := len(t.steps) - 1; i >= t.since; i-- {
		if s := t.steps[i]; s.tool == tool && s.args["latitude"] == lat && s.args["longitude"] == lon {
			return s, true
		}
	}
	return step{}, false
}

var (
	fileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[\w.-]+\.(?:md|txt|json)$`) })
	numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\d+ \| ?(.*)$`) })
	latLon   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(-?\d{1,2}\.\d+)°?\s*,\s*(-?\d{1,3}\.\d+)`) })
)

// fileToRead picks a text file of a listing: one about places, else the first. A
// guest reads none but a README of what is a person's own.
func (t *talk) fileToRead(listing string) string {
	files := fileName().FindAllString(listing, -1)
	for _, f := range files {
		if strings.Contains(strings.ToLower(f), "place") {
			return f
		}
	}
	for _, f := range files {
		if !t.guest || strings.HasPrefix(strings.ToLower(f), "readme.") {
			return f
		}
	}
	return ""
}

// isListing reports whether a result shows lines of a file.
func isListing(result string) bool { return numbered().MatchString(result) }

// coordinates takes those that stand beside the place's name in text, else
// what the model knows; from tells which.
func coordinates(p place, text string) (lat, lon float64, from bool) {
	for line := range strings.Lines(text) {
		named, ok := findPlace(line)
		m := latLon().FindStringSubmatch(line)
		if !ok || named.en != p.en || m == nil {
			continue
		}
		lat, err1 := strconv.ParseFloat(m[1], 64)
		lon, err2 := strconv.ParseFloat(m[2], 64)
		if err1 == nil && err2 == nil && lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180 {
			return lat, lon, true
		}
	}
	return p.lat, p.lon, false
}

func isHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

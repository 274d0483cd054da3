package demo

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// period is one block of a forecast.
type period struct{ name, temperature, wind, forecast string }

// tomorrow is the daytime period of the day after today. A forecast begins
// with what is left of today: its day, its night, or the night before it.
func tomorrow(forecast string) (period, bool) {
	skip := 0
	for i, block := range strings.Split(forecast, "\n---\n") {
		p := parsePeriod(block)
		low := strings.ToLower(p.name)
		switch {
		case i == 0 && low == "overnight": // it is before dawn: today is yet to come
			skip = 1
		case p.name == "" || p.temperature == "", strings.Contains(low, "night"),
			strings.Contains(low, "today"), strings.HasPrefix(low, "this "):
		case skip > 0:
			skip--
		default:
			return p, true
		}
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
	fahrenheit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?\d{1,3})\s*°F$`) })
	rain       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`precipitation is (\d+)%`) })
)

// withCelsius adds degrees Celsius to a temperature in Fahrenheit.
func withCelsius(t, form string) string {
	m := fahrenheit().FindStringSubmatch(t)
	if m == nil {
		return t
	}
	f, err := strconv.Atoi(m[1])
	if err != nil {
		return t
	}
	return fmt.Sprintf(form, t, int(math.Round(float64(f-32)*5/9)))
}

var weekdayZh = map[string]string{
	"Monday": "周一", "Tuesday": "周二", "Wednesday": "周三", "Thursday": "周四",
	"Friday": "周五", "Saturday": "周六", "Sunday": "周日",
}

func weekday(name string) string {
	if zh, ok := weekdayZh[name]; ok {
		return zh
	}
	return name
}

var windNames = map[byte]string{'N': "北", 'E': "东", 'S': "南", 'W': "西"}

// windZh puts "9 to 12 mph NW" into Chinese, "西北风 9–12 mph": of two
// directions east or west comes first, of three ("NNW") the first stays so.
func windZh(wind string) string {
	i := strings.LastIndexByte(wind, ' ')
	if i < 0 {
		return "风 " + wind
	}
	speed, from := strings.ReplaceAll(wind[:i], " to ", "–"), wind[i+1:]
	if len(from) > 3 {
		return "风 " + wind
	}
	name := ""
	for k := range from {
		n, ok := windNames[from[k]]
		switch {
		case !ok:
			return "风 " + wind
		case k > 0 && k == len(from)-1: // before the one it belongs to
			cut := len(name) - len(windNames[from[k-1]])
			name = name[:cut] + n + name[cut:]
		default:
			name += n
		}
	}
	return name + "风 " + speed
}

package server

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Alert is the part of an NWS alert that is shown.
type Alert struct {
	Event       string `json:"event"`
	Area        string `json:"areaDesc"`
	Severity    string `json:"severity"`
	Description string `json:"description"`
	Instruction string `json:"instruction"`
}

// Period is the part of an NWS forecast period that is shown.
type Period struct {
	Name          string      `json:"name"`
	Temperature   json.Number `json:"temperature"`
	Unit          string      `json:"temperatureUnit"`
	WindSpeed     string      `json:"windSpeed"`
	WindDirection string      `json:"windDirection"`
	Detailed      string      `json:"detailedForecast"`
}

// shownPeriods of a forecast are about two and a half days.
const shownPeriods = 5

const separator = "\n---\n"

func formatForecast(periods []Period) string {
	texts := make([]string, 0, shownPeriods)
	for _, p := range periods[:min(len(periods), shownPeriods)] {
		wind := strings.TrimSpace(p.WindSpeed + " " + p.WindDirection)
		texts = append(texts, "\n"+p.Name+":\nTemperature: "+p.Temperature.String()+"°"+p.Unit+
			"\nWind: "+wind+"\nForecast: "+p.Detailed+"\n")
	}
	return strings.Join(texts, separator)
}

func formatAlerts(alerts []Alert) string {
	texts := make([]string, len(alerts))
	for i, a := range alerts {
		texts[i] = "\nEvent: " + or(a.Event, "unknown") +
			"\nArea: " + or(a.Area, "unknown") +
			"\nSeverity: " + or(a.Severity, "unknown") +
			"\nDescription: " + or(a.Description, "none given") +
			"\nInstructions: " + or(a.Instruction, "none given") + "\n"
	}
	return strings.Join(texts, separator)
}

func or(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}

// place shows coordinates with the four decimals that the API accepts.
func place(latitude, longitude float64) string {
	return degrees(latitude) + "," + degrees(longitude)
}

func degrees(d float64) string {
	s := strconv.FormatFloat(d, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// stateCode normalises a two-letter code; ok is false for anything else.
func stateCode(s string) (code string, ok bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if len(s) != 2 || s[0] < 'A' || s[0] > 'Z' || s[1] < 'A' || s[1] > 'Z' {
		return "", false
	}
	return s, true
}

package server

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

//go:embed data/recorded.json
var recorded []byte

// Recording answers from recorded data, and only for what was recorded.
type Recording struct {
	// Unavailable makes every question fail as if the service was down.
	Unavailable bool            `json:"unavailable,omitempty"`
	Places      []RecordedPlace `json:"places,omitempty"`
	// States holds the active alerts by two-letter state code; an empty list means nothing is active.
	States map[string][]Alert `json:"alerts,omitempty"`
}

// RecordedPlace is the forecast of one place.
type RecordedPlace struct {
	Name      string  `json:"name"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	// Tolerance in degrees, within which coordinates mean this place.
	Tolerance float64 `json:"tolerance"`
	// Periods in the shape of the National Weather Service, soonest first.
	Periods []Period `json:"periods"`
}

// Recorded returns the built-in recording.
func Recorded() (*Recording, error) { return ParseRecording(recorded) }

// ParseRecording reads a recording from its JSON.
func ParseRecording(data []byte) (*Recording, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var r Recording
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("recorded data: %w", err)
	}
	return &r, nil
}

const errUnavailable = sentence("The National Weather Service cannot be reached (recorded as unavailable).")

// Alerts returns what was recorded for the state.
func (r *Recording) Alerts(_ context.Context, state string) ([]Alert, error) {
	if r.Unavailable {
		return nil, errUnavailable
	}
	alerts, ok := r.States[state]
	if !ok {
		known := slices.Sorted(maps.Keys(r.States))
		return nil, sayf("No recorded alerts for %s. There are recordings for: %s.", state, list(known))
	}
	return alerts, nil
}

// Forecast returns what was recorded for the nearest place within its tolerance.
func (r *Recording) Forecast(_ context.Context, latitude, longitude float64) ([]Period, error) {
	if r.Unavailable {
		return nil, errUnavailable
	}
	var best *RecordedPlace
	distance := math.Inf(1)
	for i := range r.Places {
		p := &r.Places[i]
		dLat, dLon := math.Abs(p.Latitude-latitude), math.Abs(p.Longitude-longitude)
		if dLat <= p.Tolerance && dLon <= p.Tolerance && dLat+dLon < distance {
			best, distance = p, dLat+dLon
		}
	}
	if best == nil {
		known := make([]string, len(r.Places))
		for i, p := range r.Places {
			known[i] = fmt.Sprintf("%s (%s)", p.Name, place(p.Latitude, p.Longitude))
		}
		return nil, sayf("No recorded forecast for %s. There are recordings for: %s.", place(latitude, longitude), list(known))
	}
	return best.Periods, nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

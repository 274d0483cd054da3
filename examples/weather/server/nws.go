package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// DefaultAPI is the National Weather Service's public endpoint.
const DefaultAPI = "https://api.weather.gov"

const (
	maxAnswer = 16 << 20
	// The service refuses requests that do not say who asks.
	userAgent = "clined-weather-example/1.0"
)

// NWS asks the National Weather Service.
type NWS struct {
	api    string
	client *http.Client
	// limit of one question, both of its requests together.
	limit time.Duration
}

// NewNWS returns a source that asks the API at the given base URL.
func NewNWS(api string) *NWS {
	return &NWS{api: strings.TrimRight(api, "/"), client: &http.Client{}, limit: 30 * time.Second}
}

// errNotFound is the service's 404: it knows no such place or state.
var errNotFound = errors.New("not found")

// Alerts asks /alerts/active/area/{state}.
func (n *NWS) Alerts(ctx context.Context, state string) ([]Alert, error) {
	ctx, cancel := context.WithTimeout(ctx, n.limit)
	defer cancel()
	var answer struct {
		Features []struct {
			Properties Alert `json:"properties"`
		} `json:"features"`
	}
	if err := n.get(ctx, n.api+"/alerts/active/area/"+state, &answer); err != nil {
		return nil, explain(err, "state "+state)
	}
	alerts := make([]Alert, len(answer.Features))
	for i, f := range answer.Features {
		alerts[i] = f.Properties
	}
	return alerts, nil
}

// Forecast asks /points/{latitude},{longitude} for the grid's forecast URL
// and then that one.
func (n *NWS) Forecast(ctx context.Context, latitude, longitude float64) ([]Period, error) {
	ctx, cancel := context.WithTimeout(ctx, n.limit)
	defer cancel()
	at := place(latitude, longitude)
	var point struct {
		Properties struct {
			Forecast string `json:"forecast"`
		} `json:"properties"`
	}
	if err := n.get(ctx, n.api+"/points/"+at, &point); err != nil {
		return nil, explain(err, at)
	}
	if point.Properties.Forecast == "" {
		return nil, explain(errNotFound, at)
	}
	var answer struct {
		Properties struct {
			Periods []Period `json:"periods"`
		} `json:"properties"`
	}
	if err := n.get(ctx, point.Properties.Forecast, &answer); err != nil {
		return nil, explain(err, at)
	}
	if len(answer.Properties.Periods) == 0 {
		return nil, explain(errNotFound, at)
	}
	return answer.Properties.Periods, nil
}

func (n *NWS) get(ctx context.Context, url string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set("Accept", "application/geo+json")
	response, err := n.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotFound:
		return errNotFound
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("it answered %s", response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("its answer cannot be read: %w", err)
	}
	return nil
}

// explain tells "no data for this place" from "cannot be reached".
func explain(err error, what string) error {
	if errors.Is(err, errNotFound) {
		return sayf("The National Weather Service has no data for %s. It covers the United States only.", what)
	}
	return sayf("The National Weather Service cannot be reached: %v", err)
}

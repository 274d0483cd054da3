// Package server is the weather MCP server of the examples: two tools,
// get_alerts and get_forecast, over a Source of weather, and the transports.
//
// It keeps no state and reads no settings. The command weather and tests
// import it.
package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Source tells the weather. Its errors are sentences for a model.
type Source interface {
	// Alerts returns the active alerts of a state, given as two capital letters.
	Alerts(ctx context.Context, state string) ([]Alert, error)
	// Forecast returns the coming periods at a place, soonest first.
	Forecast(ctx context.Context, latitude, longitude float64) ([]Period, error)
}

// sentence is an error that a model reads as it is.
type sentence string

func (s sentence) Error() string { return string(s) }

func sayf(format string, args ...any) error { return sentence(fmt.Sprintf(format, args...)) }

const alertsSchema = `{
  "type": "object",
  "properties": {
    "state": {"type": "string", "title": "State", "description": "Two-letter code of a US state, such as CA or NY"}
  },
  "required": ["state"]
}`

const forecastSchema = `{
  "type": "object",
  "properties": {
    "latitude": {"type": "number", "title": "Latitude", "description": "Latitude of the place in degrees, north is positive"},
    "longitude": {"type": "number", "title": "Longitude", "description": "Longitude of the place in degrees, west is negative"}
  },
  "required": ["latitude", "longitude"]
}`

// New returns the MCP server on source.
func New(source Source) *mcpserver.MCPServer {
	s := mcpserver.NewMCPServer("weather", "1.0.0", mcpserver.WithToolCapabilities(false), mcpserver.WithRecovery())
	s.AddTool(tool("get_alerts", "Active weather alerts for a US state.", alertsSchema), alerts(source))
	s.AddTool(tool("get_forecast", "Weather forecast for a place in the United States, given by its coordinates.", forecastSchema), forecast(source))
	return s
}

// tool describes a tool that only looks things up, in the outside world.
func tool(name, description, schema string) mcp.Tool {
	yes, no := true, false
	t := mcp.NewToolWithRawSchema(name, description, json.RawMessage(schema))
	t.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &yes, DestructiveHint: &no, OpenWorldHint: &yes}
	return t
}

func alerts(source Source) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args struct{ State string }
		if err := request.BindArguments(&args); err != nil {
			return mcp.NewToolResultError("state must be a text, such as \"NY\""), nil
		}
		state, ok := stateCode(args.State)
		if !ok {
			return mcp.NewToolResultError(fmt.Sprintf("%q is not a two-letter state code such as CA or NY.", args.State)), nil
		}
		active, err := source.Alerts(ctx, state)
		switch {
		case err != nil:
			return mcp.NewToolResultError(err.Error()), nil
		case len(active) == 0:
			return mcp.NewToolResultText(fmt.Sprintf("No active alerts for %s.", state)), nil
		}
		return mcp.NewToolResultText(formatAlerts(active)), nil
	}
}

func forecast(source Source) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args struct{ Latitude, Longitude *float64 }
		if err := request.BindArguments(&args); err != nil || args.Latitude == nil || args.Longitude == nil {
			return mcp.NewToolResultError("latitude and longitude must both be given, as numbers."), nil
		}
		lat, lon := *args.Latitude, *args.Longitude
		if lat < -90 || lat > 90 || lon < -180 || lon > 180 {
			return mcp.NewToolResultError(fmt.Sprintf("%s is no place: latitude goes from -90 to 90, longitude from -180 to 180.", place(lat, lon))), nil
		}
		periods, err := source.Forecast(ctx, lat, lon)
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return mcp.NewToolResultText(formatForecast(periods)), nil
	}
}

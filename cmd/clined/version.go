package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"clined/internal/codedefs"
	"clined/internal/config"
	"clined/internal/protocol"
	"clined/internal/sandbox"
)

// release and revision are set by the linker, see the Makefile.
var (
	release  = "0.1.0-dev"
	revision string
)

func version() string { return release }

// commit is what the program was built from: as the linker was told, else as
// the Go tool noted it; "" when neither knows.
func commit() string {
	if revision != "" {
		return revision
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(len(s.Value), 12)]
		}
	}
	return ""
}

type versionCmd struct {
	JSON bool `name:"json" help:"As JSON, for programs."`
}

// Run prints the version.
func (c *versionCmd) Run(a *app) error {
	languages := codedefs.Languages()
	if c.JSON {
		return json.NewEncoder(a.stdout).Encode(map[string]any{
			"version": version(), "commit": commit(), "go": runtime.Version(),
			"os": runtime.GOOS, "arch": runtime.GOARCH,
			"protocol":  protocol.ProtocolRange{Min: protocol.Version, Max: protocol.Version},
			"languages": languages, "sandbox": sandbox.Available().String(),
		})
	}
	fmt.Fprintf(a.stdout, "clined %s", version())
	if c := commit(); c != "" {
		fmt.Fprintf(a.stdout, " (%s)", c)
	}
	fmt.Fprintf(a.stdout, "\nprotocol %d · %s %s/%s\noutlines: %s\nsandbox: %s\n", protocol.Version,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(languages, ", "), sandbox.Available())
	return nil
}

type schemaCmd struct {
	Of string `arg:"" optional:"" default:"protocol" enum:"protocol,settings" help:"protocol (the default) or settings."`
}

// Run prints a schema.
func (c *schemaCmd) Run(a *app) error {
	schema, err := protocol.Schema()
	if c.Of == "settings" {
		schema, err = config.Schema()
	}
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(schema)
	return err
}

package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"clined/internal/codedefs"
	"clined/internal/protocol"
)

// release is set by the linker in a release build.
var release = "0.1.0-dev"

func version() string { return release }

// commit is the revision the program was built from, "" when not known.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var rev, dirty string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	if len(rev) > 12 {
		rev = rev[:12]
	}
	return rev + dirty
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
			"languages": languages,
		})
	}
	fmt.Fprintf(a.stdout, "clined %s", version())
	if c := commit(); c != "" {
		fmt.Fprintf(a.stdout, " (%s)", c)
	}
	fmt.Fprintf(a.stdout, "\nprotocol %d · %s %s/%s\noutlines: %s\n", protocol.Version,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(languages, ", "))
	return nil
}

type schemaCmd struct{}

// Run prints the schema of the protocol.
func (c *schemaCmd) Run(a *app) error {
	schema, err := protocol.Schema()
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(schema)
	return err
}

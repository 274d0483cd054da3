package config

import (
	"os"
	"path/filepath"
	"runtime"
)

// Dirs are the folders of this program on this machine, absolute. Who writes
// there makes them, with mode 0700.
type Dirs struct {
	// Config holds settings.json and mcp.json, State what must outlive a
	// process, Cache what may be deleted at any time.
	Config, State, Cache string
}

// FindDirs returns the folders: those of the platform, or all below
// CLINED_HOME when that is set. It fails when there is no home folder.
func FindDirs() (Dirs, error) {
	if home := os.Getenv("CLINED_HOME"); home != "" {
		home, err := filepath.Abs(home)
		if err != nil {
			return Dirs{}, err
		}
		return Dirs{Config: home, State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}, nil
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return Dirs{}, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return Dirs{}, err
	}
	state, err := stateDir(config)
	if err != nil {
		return Dirs{}, err
	}
	return Dirs{Config: filepath.Join(config, "clined"), State: state, Cache: filepath.Join(cache, "clined")}, nil
}

// stateDir is $XDG_STATE_HOME/clined as the XDG base directory specification
// has it (a relative value is invalid there and ignored), the local app data
// on Windows, and a folder below the settings on macOS, which has no such place.
func stateDir(config string) (string, error) {
	switch runtime.GOOS {
	case "windows":
		local, err := os.UserCacheDir() // %LocalAppData%
		return filepath.Join(local, "clined", "state"), err
	case "darwin":
		return filepath.Join(config, "clined", "state"), nil
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "clined"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "clined"), err
}

// SettingsFile is where the user's settings are.
func (d Dirs) SettingsFile() string { return filepath.Join(d.Config, "settings.json") }

// MCPFile is where the MCP servers are listed unless mcp.file says otherwise.
func (d Dirs) MCPFile() string { return filepath.Join(d.Config, "mcp.json") }

// SecretsFile is where keys are kept that no keyring takes.
func (d Dirs) SecretsFile() string { return filepath.Join(d.Config, "secrets.json") }

//go:build unix && !linux

package daemon

func lookAt(pid int) process { return process{alive: signalable(pid)} }

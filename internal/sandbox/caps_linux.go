package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// keptCapabilities are what a command that runs as root keeps: those that
// containers have by default, less making devices and giving capabilities to
// files. Without the others it cannot load modules, enter namespaces that are
// not its own, change the clock or the network, or end the system; nothing that
// writes where it may needs them. This is no second line of defence: since Linux
// 6.13 who has CAP_PERFMON or CAP_SYS_ADMIN reads the environment and memory of
// any process, and Landlock is not asked.
const keptCapabilities = 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID |
	1<<unix.CAP_KILL | 1<<unix.CAP_SETGID | 1<<unix.CAP_SETUID | 1<<unix.CAP_SETPCAP |
	1<<unix.CAP_NET_BIND_SERVICE | 1<<unix.CAP_NET_RAW | 1<<unix.CAP_SYS_CHROOT

// capabilities are those in effect.
func capabilities() (uint64, error) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return 0, err
	}
	return uint64(data[1].Effective)<<32 | uint64(data[0].Effective), nil
}

// dropCapabilities leaves root those of keptCapabilities that it has, and
// others none. With no_new_privs set no program gets any back.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	kept := uint64(keptCapabilities)
	if unix.Geteuid() != 0 {
		kept = 0
	}
	for i := range data {
		data[i].Permitted &= uint32(kept >> (32 * i))
		data[i].Effective = data[i].Permitted
		data[i].Inheritable = 0 // which ends the ambient ones
	}
	if err := unix.Capset(&header, &data[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	return nil
}

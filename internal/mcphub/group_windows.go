package mcphub

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object that ends with its last handle, so that the server
// and what it started go when this process goes, in whatever way.
type group struct{ job windows.Handle }

// startInGroup starts cmd in a new job.
func startInGroup(cmd *exec.Cmd, confine func(*exec.Cmd) error) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	g := &group{job: job}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err == nil && confine != nil {
		err = confine(cmd)
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		g.kill()
		return nil, err
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		_ = windows.CloseHandle(process)
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.kill()
		return nil, fmt.Errorf("cannot put the server into a job: %w", err)
	}
	return g, nil
}

// terminate does nothing: Windows knows no polite way for console programs.
func (g *group) terminate() {}

// kill ends what is left of the job. It is called once.
func (g *group) kill() {
	_ = windows.TerminateJobObject(g.job, 1)
	_ = windows.CloseHandle(g.job)
}

// lookPath finds a command with the extensions of PATHEXT, so that npx means npx.cmd.
func lookPath(command string, env map[string]string, dir string) (string, error) {
	if strings.ContainsAny(command, `/\`) {
		if !filepath.IsAbs(command) {
			command = filepath.Join(dir, command)
		}
		path, err := exec.LookPath(command)
		if err != nil {
			return "", fmt.Errorf("%q cannot be run: %w", command, err)
		}
		return path, nil
	}
	searched := env["PATH"]
	if searched == "" {
		searched = env["Path"]
	}
	for _, d := range filepath.SplitList(searched) {
		if !filepath.IsAbs(d) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(d, command)); err == nil {
			return path, nil
		}
	}
	return "", notFound(command, searched)
}

package shell

import (
	"os"
	"os/exec"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is the processes of a command: those in its job object, which no process
// can leave.
type tree struct {
	leader int
	more   map[int]bool
	job    windows.Handle // 0 when none could be made
}

type processes struct{}

// newTree puts a suspended process into a job object and lets it run. The job
// ends with its last handle, also when this process is killed.
func newTree(leader *os.Process, _ string, _ *processes) tree {
	t := tree{leader: leader.Pid}
	if job, err := newJob(leader.Pid); err == nil {
		t.job = job
	}
	resume(uint32(leader.Pid))
	return t
}

func newJob(pid int) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err == nil {
		err = assign(job, uint32(pid))
	}
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func assign(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// resume lets the threads of a process run: of one that was just started
// suspended there is one.
func resume(pid uint32) {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return
	}
	defer windows.CloseHandle(all)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		if thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID); err == nil {
			windows.ResumeThread(thread)
			windows.CloseHandle(thread)
		}
	}
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION (winnt.h).
type accounting struct {
	TotalUserTime, TotalKernelTime, PeriodUserTime, PeriodKernelTime int64
	PageFaults, Processes, Active, Terminated                        uint32
}

// alive tells whether a process of the tree lives.
func (t tree) alive(time.Time) bool {
	var a accounting
	err := windows.QueryInformationJobObject(t.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.Active > 0
}

// end ends the tree and reports whether nothing is left. Without a console there
// is no way to ask a process to end by itself.
func (t tree) end(time.Duration) bool {
	if t.job == 0 {
		p, err := os.FindProcess(t.leader)
		return err == nil && p.Kill() == nil
	}
	windows.TerminateJobObject(t.job, 1)
	until := time.Now().Add(killWait)
	for pause := 2 * time.Millisecond; t.alive(until); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(until) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}

// close lets go of the job object, which ends what is left in it.
func (t tree) close() {
	if t.job != 0 {
		windows.CloseHandle(t.job)
	}
}

func (t tree) ofSession() tree { return t }

// readsTerminal is never so: there are no terminals yet.
func readsTerminal(tree) bool { return false }

// readsOutput is not known here.
func readsOutput(tree, os.FileInfo, time.Time) string { return "" }

// stopped is not known here.
func (tree) stopped(time.Time) (string, int) { return "", 0 }

// allTrees has nothing to end: see reaped.
func allTrees(string) tree { return tree{more: map[int]bool{}} }

func (*tree) livesOn() {}

func startTagged(cmd *exec.Cmd, _ string) error { return cmd.Start() }

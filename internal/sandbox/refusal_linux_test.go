package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestRefusal(t *testing.T) {
	p := newPlace(t)
	keys := filepath.Join(p.outside, "keys")
	if err := os.Mkdir(keys, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.ws, "script.sh"), "echo")
	write(t, filepath.Join(p.outside, "script.sh"), "echo")
	online := p.plan()
	online.Hidden = []string{keys}
	offline := online
	offline.Network = false
	const writes, hides, network, signals, privileges = "does not let commands write", "keeps commands from", "no network", "signal only", "gain privileges"
	for _, c := range []struct {
		output string // OUT, WS and KEYS stand for folders, ME for this process
		exit   int
		want   string // of the online plan
		offl   string // of the offline plan, when it differs
	}{
		// What programs say when they may not write.
		{"bash: line 1: OUT/new: Permission denied", 1, writes, ""},
		{"/bin/sh: 1: cannot create OUT/new: Permission denied", 2, writes, ""},
		{"sh: 1: cannot create ../outside/new: Permission denied", 2, writes, ""},
		{"zsh:1: permission denied: OUT/new", 1, writes, ""},
		{"warning: An error occurred while redirecting file 'OUT/new'\nopen: Permission denied", 1, writes, ""},
		{"touch: cannot touch '../outside/x': Permission denied", 1, writes, ""},
		{"mkdir: cannot create directory ‘OUT/a b’: Permission denied", 1, writes, ""},
		{"mv: cannot move 'WS/a' to 'OUT/a': Invalid cross-device link", 1, writes, ""},
		{"rm: cannot remove 'OUT/file': Permission denied", 1, writes, ""},
		{"error: could not lock config file OUT/.gitconfig: Permission denied", 255, writes, ""},
		{"Error: EACCES: permission denied, mkdir 'OUT/x'\n    at Object.mkdirSync (node:fs:1379:26) {\n  errno: -13,\n  code: 'EACCES',\n  path: 'OUT/x'\n}", 1, writes, ""},
		{"npm error code EACCES\nnpm error syscall mkdir\nnpm error path OUT/lib/node_modules\nnpm error errno -13", 243, writes, ""},
		{"PermissionError: [Errno 13] Permission denied: 'OUT/x y'", 1, writes, ""},
		{"ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: 'OUT/site-packages'\nCheck the permissions.", 1, writes, ""},
		{"error: failed to open: OUT/.crates.toml\n\nCaused by:\n  Permission denied (os error 13)", 101, writes, ""},
		{"open OUT/x: permission denied", 1, writes, ""},
		{"go: writing go env config: open OUT/env: permission denied", 1, writes, ""},
		{"java.nio.file.AccessDeniedException: OUT/x.lock", 1, writes, ""},
		{"E: Could not open lock file OUT/lock - open (13: Permission denied)", 100, writes, ""},
		{"Error: unable to open database \"OUT/x.db\": unable to open database file", 1, writes, ""},
		{"rm: cannot remove 'WS': Permission denied", 1, "remove or rename", ""},
		{strings.Repeat("compiling\n", 20_000) + "open OUT/x: permission denied\n", 1, writes, ""},
		{"bash: line 1: /proc/ME/oom_score_adj: Permission denied", 1, writes, ""},
		{"bash: line 1: /proc/self/mem: Permission denied", 1, writes, ""},
		// Nor read.
		{"cat: /proc/ME/environ: Permission denied", 1, "does not let commands read \"/proc/ME/environ\", which is of a process that they did not start", ""},
		{"bash: line 1: /proc/ME/auxv: Permission denied", 1, "commands read \"/proc/ME/auxv\", which", ""},
		{"cat: /proc/ME/maps: Permission denied", 1, "commands read \"/proc/ME/maps\", which", ""},
		{"head: cannot open '/proc/ME/mem' for reading: Permission denied", 1, "commands read or write \"/proc/ME/mem\", which", ""},
		{"readlink: /proc/ME/cwd: Permission denied", 1, "commands read \"/proc/ME/cwd\", which", ""},
		{"ls: cannot read symbolic link '/proc/ME/exe': Permission denied", 2, "commands read \"/proc/ME/exe\", which", ""},
		{"ls: cannot open directory '/proc/ME/task/ME/fd': Permission denied", 2, "commands read \"/proc/ME/task/ME/fd\", which", ""},
		{"cat: /proc/ME/root/etc/passwd: Permission denied", 1, "commands reach \"/proc/ME/root/etc/passwd\", which", ""},
		{"cat: KEYS/secrets.json: Permission denied", 1, hides, ""},
		// What names no file.
		{"/bin/bash: line 1: kill: (123) - Operation not permitted", 1, signals, ""},
		{"pkill: killing pid 24891 failed: Operation not permitted", 1, signals, ""},
		{"Error: kill EPERM\n    at process.kill", 1, signals, ""},
		{"sudo: The \"no new privileges\" flag is set, which prevents sudo from running as root.", 1, privileges, ""},
		{"sudo: effective uid is not 0, is /usr/bin/sudo on a file system with the 'nosuid' option set or an NFS file system without root privileges?", 1, privileges, ""},
		{"mount: /mnt: permission denied.", 32, "mount anything", ""},
		{"[FATAL:zygote_host_impl_linux.cc] No usable sandbox! Update your kernel", 133, "sandbox of its own", ""},
		// Networks.
		{"curl: (6) Could not resolve host: example.com", 6, "", network},
		{"fatal: unable to access 'https://example.com/a/': Could not resolve host: example.com", 128, "", network},
		{"ssh: Could not resolve hostname example.com: Temporary failure in name resolution", 255, "", network},
		{"npm error errno EAI_AGAIN", 1, "", network},
		{"Error: connect ENETUNREACH 192.0.2.1:80", 1, "", network},
		{"urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>", 1, "", network},
		{"  [6] Could not resolve hostname (Could not resolve host: index.crates.io)", 101, "", network},
		{"Get \"https://example.com/\": dial tcp: lookup example.com on 10.0.0.1:53: dial udp 10.0.0.1:53: connect: network is unreachable", 1, "", network},
		{"wget: bad address 'example.com'", 1, "", network},
		{"java.net.UnknownHostException: example.com", 1, "", network},
		// What is nobody's refusal, or an ordinary one.
		{"open OUT/x: permission denied", 0, "", ""},
		{"open OUT/x: permission denied", -1, "", ""},
		{"", 1, "", ""},
		{"bash: ./script.sh: Permission denied", 126, "", ""},
		{"bash: OUT/script.sh: Permission denied", 126, "", ""},
		{"WS/a: Permission denied", 1, "", ""},
		{"cannot write 'a': Permission denied", 1, "", ""},
		{"Error: unable to open database \"missing/x.db\": unable to open database file", 1, "", ""},
		{"open WS/b/c: operation not permitted", 1, "", ""},
		{"git@example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.", 128, "", ""},
		{"remote: Permission denied to user a.\nfatal: unable to access 'https://example.com/a.git/': The requested URL returned error: 403", 128, "", ""},
		{"ERROR: permission denied for table users", 1, "", ""},
		{"--- FAIL: TestX\n    x_test.go:7: want \"permission denied\"", 1, "", ""},
		{"  File \"OUT/lib/socket.py\", line 60, in bind\n    sock.bind(a)\nPermissionError: [Errno 13] Permission denied", 1, "", ""},
		{"panic: permission denied\n\ngoroutine 1 [running]:\nmain.main()\n\tOUT/main.go:7", 2, "", ""},
		{"OUT/main.go:7:3: undefined: x", 1, "", ""},
		{"connect: connection refused", 1, "", ""},
		{"sh: 1: cannot create /dev/null: Permission denied", 2, "", ""},
	} {
		stand := strings.NewReplacer("OUT", p.outside, "WS", p.ws, "KEYS", keys, "ME", strconv.Itoa(os.Getpid()))
		output := stand.Replace(c.output)
		for plan, want := range map[*Plan]string{&online: stand.Replace(c.want), &offline: stand.Replace(c.want + c.offl)} {
			got := Refusal(c.exit, output, *plan)
			if (got == "") != (want == "") || !strings.Contains(got, want) {
				t.Errorf("network %t, exit %d, %.200s\n\t%q, want %q", plan.Network, c.exit, c.output, got, want)
			}
		}
	}
}

// What would be denied without the sandbox as well is not told as its refusal.
func TestHiddenOrdinaryDenials(t *testing.T) {
	if os.Geteuid() == 0 {
		return // to whom nothing is denied; TestAsOrdinaryUser runs it
	}
	p := newPlace(t)
	for _, output := range []string{
		"cat: /etc/shadow: Permission denied",
		"find: ‘/root’: Permission denied\nfind: ‘/proc/1/fd’: Permission denied",
		"touch: cannot touch '/usr/x': Permission denied",
		"mkdir: cannot create directory '/etc/a/b/c': Permission denied",
		"cat: /proc/1/environ: Permission denied",
	} {
		if got := Refusal(1, output, p.plan()); got != "" {
			t.Errorf("%s: %q", output, got)
		}
	}
}

func FuzzRefusal(f *testing.F) {
	f.Add(1, "mv: cannot move '/a' to '/b': Permission denied\n", true)
	f.Add(126, "\x00//../: Permission denied: '", false)
	f.Add(2, "Permission denied\n\n'\n/\n", true)
	plan := Plan{Workspace: []string{f.TempDir()}, Dir: "/"}
	f.Fuzz(func(t *testing.T, exit int, output string, network bool) {
		plan := plan
		plan.Network = network
		got := Refusal(exit, output, plan)
		if got != "" && exit <= 0 {
			t.Errorf("exit %d: %q", exit, got)
		}
		if strings.Contains(got, plan.Workspace[0]+"/") {
			t.Errorf("%q is in the workspace", got)
		}
	})
}

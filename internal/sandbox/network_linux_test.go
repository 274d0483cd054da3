package sandbox

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNoNetwork(t *testing.T) {
	p := newPlace(t)
	plan := p.plan()
	plan.Network = false
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	inside, outside := filepath.Join(p.ws, "a socket"), filepath.Join(p.outside, "socket")
	for _, path := range []string{inside, outside} {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	for line, says := range map[string]string{
		"$PROBE dial tcp " + tcp.Addr().String():                             "connection refused",
		"$PROBE dial udp " + udp.LocalAddr().String():                        "", // what is sent is lost
		"$PROBE dial tcp 192.0.2.1:80":                                       "network is unreachable",
		"$PROBE dial udp 192.0.2.1:53":                                       "network is unreachable",
		"$PROBE resolve example.com":                                         "lookup example.com",
		"$PROBE dial unix '" + outside + "'":                                 "connection refused",
		"$PROBE dial unix \"" + inside + "\"":                                "connect",
		"mkdir -p n && $PROBE rename 'a socket' n/s && $PROBE dial unix n/s": "",
		"unshare -Un $PROBE dial tcp 192.0.2.1:80":                           "network is unreachable",
		"nsenter --net=/proc/1/ns/net $PROBE resolve x":                      "ermission denied",
	} {
		out, exit := sh(t, plan, line)
		if strings.HasPrefix(line, "$PROBE dial udp 127") {
			continue
		}
		if exit == 0 || strings.Contains(out, setupFailed) || !strings.Contains(out, says) {
			t.Errorf("%s: exit %d: %s", line, exit, out)
		}
	}
	udp.Close()
	for _, line := range []string{
		"$PROBE talk tcp 127.0.0.1:0", "$PROBE talk tcp [::1]:0", "$PROBE talk tcp localhost:0",
		"$PROBE talk unix s", "$PROBE talk unix @clined-sandbox-$$",
		"test \"$(stat -c %u:%g /etc/passwd .)\" = \"$(stat -c %u:%g /etc/passwd .)\" && echo x > /dev/null",
	} {
		if out, exit := sh(t, plan, line); exit != 0 {
			t.Errorf("%s: exit %d: %s", line, exit, out)
		}
	}
}

// The folder of a socket cannot be moved so that the next command finds it under
// a name that nobody knows of.
func TestSocketsStayHidden(t *testing.T) {
	p := newPlace(t)
	plan := p.plan()
	plan.Network = false
	dir := filepath.Join(p.ws, "a/b")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, line := range []string{
		"mv a c", "mv a/b c", "ln a/b/s c", "mv a/b/s c", "cp -al a c 2> /dev/null", "rm -r a 2> /dev/null",
		"$PROBE dial unix a/b/s", "cd a/b && $PROBE dial unix s", "$PROBE dial unix /proc/self/root" + dir + "/s",
	} {
		if out, exit := sh(t, plan, line); exit == 0 || strings.Contains(out, setupFailed) {
			t.Errorf("%s: exit %d: %s", line, exit, out)
		}
		if _, err := os.Lstat(filepath.Join(dir, "s")); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	plan.Network = true
	if out, exit := sh(t, plan, "$PROBE dial unix a/b/s"); exit != 0 {
		t.Errorf("with network: %s", out)
	}
}

func TestSocketPaths(t *testing.T) {
	dir := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(dir, "rel"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	write(t, filepath.Join(dir, "file"), "")
	folders := func() []string { return []string{"/no/such", dir} }
	const row = "ffff: 00000002 00000000 00010000 0001 01 %d %s\n"
	table := "Num       RefCount Protocol Flags    Type St Inode Path\n"
	for i, name := range []string{"/run/a b", "/run/a b", "@abstract", "rel", "file", "../x", "./rel", "/x  y "} {
		table += fmt.Sprintf(row, i*100_000, name)
	}
	table += "ffff: 00000003 00000000 00000000 0001 03  9056\n" + "ffff: 00000003 00000000 00000000 0001 03  9056 \n"
	got, err := socketPaths(table, folders)
	if want := []string{"/run/a b", filepath.Join(dir, "rel"), "/x  y "}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for i := range maxSockets {
		table += fmt.Sprintf(row, i, fmt.Sprintf("/many/%d", i))
	}
	if got, err := socketPaths(table, folders); err == nil {
		t.Errorf("%d paths, and no error", len(got))
	}
	if here, err := os.Getwd(); err != nil || !slices.Contains(workingFolders(), here) {
		t.Errorf("%q is not in %q, %v", here, workingFolders(), err)
	}
}

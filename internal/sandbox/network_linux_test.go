package sandbox

import (
	"net"
	"path/filepath"
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

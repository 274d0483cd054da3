package secret

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The real keyring of this system on a bus that takes the connection and says
// nothing.
func TestABusThatHangs(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	var conns []net.Conn
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			conns = append(conns, c)
		}
	}()
	t.Setenv("CLINED_HOME", "")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	ring, why := System(os.Getenv)
	if ring == nil {
		t.Fatal(why)
	}
	s := Open(Options{File: file(t), Keyring: ring, Limit: 50 * time.Millisecond})
	if where, err := s.Set(t.Context(), "a", "k", true); where != InFile || err != nil {
		t.Errorf("%v, %v", where, err)
	}
	s.want(t, "a", "k", InFile)
	listener.Close()
	<-accepted
	for _, c := range conns {
		c.Close()
	}
	s.ring.slot <- struct{}{} // the call that hung has ended
}

func TestSystem(t *testing.T) {
	env := func(vars map[string]string) func(string) string {
		return func(name string) string { return vars[name] }
	}
	if ring, why := System(env(map[string]string{"CLINED_HOME": "/h", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"})); ring != nil || why == "" {
		t.Errorf("%v, %q", ring, why)
	}
	if ring, _ := System(env(map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"})); ring == nil {
		t.Error("there is a bus")
	}
}

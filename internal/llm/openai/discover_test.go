package openai

import "testing"

// Whatever a name means here, a connection that leaves the machine is not made.
func TestLoopbackOnly(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:80": true, "127.9.9.9:80": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		"10.0.0.1:80": false, "[fe80::1]:80": false, "[::ffff:10.0.0.1]:80": false, "0.0.0.0:80": false, "169.254.169.254:80": false, "": false,
	} {
		if err := loopbackOnly("tcp", address, nil); (err == nil) != want {
			t.Errorf("%q: %v", address, err)
		}
	}
}

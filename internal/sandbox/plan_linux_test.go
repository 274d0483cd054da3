package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A command leaves a link behind, so that the next one may write where it leads.
func TestLinksWidenNoPlan(t *testing.T) {
	for _, c := range []struct {
		trap     string   // a line run in the workspace
		writable []string // below the workspace
	}{
		{"ln -s $OUT cache", []string{"cache"}},
		{"mkdir a && ln -s $OUT a/cache", []string{"a/cache"}},
		{"ln -s ../outside a && mkdir b", []string{"b", "a"}},
		{"ln -s / root", []string{"root" + "/tmp"}},
		{"mkdir real && ln -s $OUT real/b && ln -s real link", []string{"link/b"}},
	} {
		p := newPlace(t)
		plan := p.plan()
		if out, exit := sh(t, plan, c.trap); exit != 0 {
			t.Fatalf("%s: %s", c.trap, out)
		}
		for _, name := range c.writable {
			plan.Writable = append(plan.Writable, filepath.Join(p.ws, name))
		}
		if out, exit := sh(t, plan, "echo x > $FILE"); exit == 0 || read(t, p.file) != "kept" {
			t.Errorf("%s: %s", c.trap, out)
		}
		if out, exit := sh(t, plan, "echo x > still"); exit != 0 {
			t.Errorf("%s: %s", c.trap, out)
		}
	}
}

// The same by a link that leads through what a command can change.
func TestLinksThroughWritableFolders(t *testing.T) {
	p := newPlace(t)
	base := filepath.Dir(p.ws)
	cache := filepath.Join(base, "cache")
	for link, target := range map[string]string{cache: filepath.Join(p.ws, "cache"), filepath.Join(p.ws, "cache"): p.outside} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	plan := p.plan()
	plan.Writable = []string{cache}
	if got := plan.writable(); !reflect.DeepEqual(got, []string{p.ws}) {
		t.Errorf("writable: %q", got)
	}
}

func TestWritable(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(base, name) }
	for _, dir := range []string{"a/b/c", "ab", "real", "home"} {
		if err := os.MkdirAll(in(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link": "real", "home/link": "../real", "loop": "loop", "up": ".."} {
		if err := os.Symlink(target, in(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ named, want []string }{
		{nil, nil},
		{[]string{"a"}, []string{"a"}},
		{[]string{"a", "a/b/c", "ab", "a/"}, []string{"a", "ab"}},
		{[]string{"a/b/c", "a"}, []string{"a"}},
		{[]string{"link"}, []string{"real"}},
		{[]string{"link", "real"}, []string{"real"}},
		{[]string{"home/link"}, []string{"real"}},
		{[]string{"home/link", "home"}, []string{"home"}},
		{[]string{"loop", "missing", "a/../ab"}, []string{"ab"}},
		{[]string{"up/" + filepath.Base(base) + "/a"}, []string{"a"}},
	} {
		var p Plan
		for _, name := range c.named {
			p.Writable = append(p.Writable, base+"/"+name)
		}
		var want []string
		for _, name := range c.want {
			want = append(want, in(name))
		}
		if got := p.writable(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", c.named, got, want)
		}
	}
	if got := (Plan{Workspace: []string{"relative", ""}, Writable: []string{"/"}}).writable(); !reflect.DeepEqual(got, []string{"/"}) {
		t.Errorf("%q", got)
	}
}

func TestOrder(t *testing.T) {
	for _, o := range []order{
		{},
		{abi: 7, network: true},
		{abi: 3, writable: []string{"/a b", "/\xff\n"}, hidden: []string{"/--", "/"}, cover: []string{"/c"}, sockets: []string{"/s", "/t"}, spaces: true, try: true},
	} {
		got, rest, err := parseOrder(append(o.args(), "/bin/sh", "--", "-c"))
		if err != nil || !reflect.DeepEqual(got, o) || !reflect.DeepEqual(rest, []string{"/bin/sh", "--", "-c"}) {
			t.Errorf("%+v: %+v, %q, %v", o, got, rest, err)
		}
	}
	for _, args := range [][]string{nil, {"a7"}, {"a", "--"}, {"", "--"}, {"x/", "--"}, {"ax", "--"}} {
		if _, _, err := parseOrder(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}

// support is a sandbox of a system that has s.
func support(s Support) *Sandbox {
	return &Sandbox{executable: self, support: func() Support { return s }}
}

func TestRequired(t *testing.T) {
	none := Support{WhyFiles: "has no Landlock", WhyNamespaces: "has no Landlock"}
	old := Support{Files: true, Landlock: 1, Namespaces: true}
	noSpaces := Support{Files: true, Whole: true, Landlock: 7, WhyNamespaces: "forbids user namespaces"}
	all := Support{Files: true, Whole: true, Landlock: 7, Namespaces: true}
	p := newPlace(t)
	inside := filepath.Join(p.ws, "config")
	for _, c := range []struct {
		have    Support
		network bool
		hidden  string
		lacks   string // "" for nothing
		held    string // without Required
	}{
		{none, true, "", "has no Landlock", ""},
		{none, false, "", "has no Landlock", ""},
		{old, true, "", "has version 1 of Landlock", "writes only"},
		{noSpaces, true, "", "", "writes only"},
		{noSpaces, true, "/etc/shadow", "", "writes only"},
		{noSpaces, true, inside, "forbids user namespaces", "is not hidden: this system forbids"},
		{noSpaces, false, "", "forbids user namespaces", "the network is not held off"},
		{all, false, inside, "", "no network"},
	} {
		plan := p.plan()
		plan.Network = c.network
		if c.hidden != "" {
			plan.Hidden = []string{c.hidden}
		}
		var lacking *Unavailable
		_, err := support(c.have).Describe(plan)
		if errors.As(err, &lacking) != (c.lacks != "") || (err != nil && !strings.Contains(err.Error(), c.lacks)) {
			t.Errorf("%+v, network %t, hidden %q: %v", c.have, c.network, c.hidden, err)
		}
		if err != nil {
			cmd := exec.Command("/bin/true")
			if held, err := support(c.have).Wrap(cmd, plan); err == nil || held != "" || cmd.Path != "/bin/true" {
				t.Errorf("%+v: %q, %v, %q", c.have, held, err, cmd.Path)
			}
		}
		plan.Required = false
		cmd := exec.Command("/bin/true")
		held, err := support(c.have).Wrap(cmd, plan)
		if err != nil || !strings.Contains(held, c.held) || (held == "") != (len(cmd.Args) == 1) {
			t.Errorf("%+v, network %t: %q, %v, %q", c.have, c.network, held, err, cmd.Args)
		}
	}
}

// A child that fails at any step runs nothing.
func TestFailingClosed(t *testing.T) {
	p := newPlace(t)
	ran := filepath.Join(p.ws, "ran")
	for name, change := range map[string]func(*order){
		"no version":            func(o *order) { o.abi = 0 },
		"no namespace, mounts":  func(o *order) { o.spaces, o.cover = true, []string{p.outside} },
		"no namespace, network": func(o *order) { o.spaces, o.network, o.sockets = true, true, []string{p.file} },
	} {
		o := order{abi: landlockABI(), writable: []string{p.ws}, network: true}
		change(&o)
		cmd := exec.Command("/bin/sh", "-c", "echo x > "+ran)
		cmd.Args = append(append([]string{"clined", ChildArg}, o.args()...), append([]string{cmd.Path}, cmd.Args...)...)
		cmd.Path = self
		// Of no user's, so that it may not mount.
		asNobody(cmd)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != ExitSetup || !strings.Contains(string(out), setupFailed) {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		if why := Refusal(ExitSetup, string(out), p.plan()); !strings.Contains(why, "the command was not run") {
			t.Errorf("%s: %q", name, why)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("%s: the command ran", name)
		}
	}
	if exit := Main(nil); exit != ExitSetup {
		t.Errorf("without arguments: exit %d", exit)
	}
}

func TestWhatIsNoProgram(t *testing.T) {
	p := newPlace(t)
	write(t, filepath.Join(p.ws, "text"), "")
	for path, exit := range map[string]int{filepath.Join(p.ws, "missing"): 127, filepath.Join(p.ws, "text"): 126, "/": 126} {
		cmd := &exec.Cmd{Path: path, Args: []string{"x"}}
		if out, got := start(t, here(), cmd, p.plan()); got != exit || !strings.Contains(out, path+" cannot be run") {
			t.Errorf("%s: exit %d: %s", path, got, out)
		}
	}
}

func TestSupportInWords(t *testing.T) {
	for want, s := range map[string]Support{
		"not available: this system has no Landlock": {WhyFiles: "has no Landlock"},
		"available (Landlock 7)":                     {Files: true, Whole: true, Signals: true, Namespaces: true, Landlock: 7},
		"available (Landlock 2), except that any file can be truncated, except that any process can be signalled; the network cannot be held off: this system forbids user namespaces": {Files: true, Landlock: 2, WhyNamespaces: "forbids user namespaces"},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if s := Available(); !s.Files || s.Landlock != landlockABI() {
		t.Errorf("%+v", s)
	}
	broken := New("/bin/false")
	cmd := exec.Command("/bin/true")
	if held, err := broken.Wrap(cmd, Plan{Network: true, Required: true}); err == nil || held != "" || cmd.Path != "/bin/true" {
		t.Errorf("%q, %v", held, err)
	}
	if s := tried("/bin/false", Available()); s.Files || s.Namespaces || !strings.Contains(s.WhyFiles, "cannot confine a process") {
		t.Errorf("%+v", s)
	}
}

package tools_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"clined/internal/tools"
)

var legalName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)

// No tool is left out, every name is legal with every provider.
func TestMCPNamesOddNames(t *testing.T) {
	long := strings.Repeat("x", 90)
	refs := []tools.MCPRef{
		{"my office", "mail.send"}, {"my office", "mail_send"}, {"my office", "List all disks"},
		{"my office", "PUT:/a"}, {"my office", "名前"}, {"my office", "名字"}, {"my office", long}, {"my office", long + "y"},
		{"my_office", "mail_send"}, {"other", "mail_send"}, {"a__b", "c"}, {"a", "b__c"}, {"a_", "b"}, {"a", "_b"},
		{"", ""}, {"", "_"}, {"9lives", "cat"}, {"-", "-"}, {"weather", "get_forecast"}, {"weather", "get.alerts"},
	}
	names := tools.MCPNames(refs)
	checkNames(t, refs, names)
	for ref, want := range map[tools.MCPRef]string{
		{"weather", "get_forecast"}: "weather__get_forecast",
		{"weather", "get.alerts"}:   "weather__get_alerts",
		{"other", "mail_send"}:      "other__mail_send",
		{"my_office", "mail_send"}:  "my_office__mail_send",
	} {
		if names[ref] != want {
			t.Errorf("%v is called %q, want %q", ref, names[ref], want)
		}
	}
	if got := names[tools.MCPRef{"my office", "mail_send"}]; !strings.HasPrefix(got, "my_office_") || !strings.HasSuffix(got, "__mail_send") {
		t.Errorf("got %q: the tool's own legal name must stay legible", got)
	}
}

// The names are part of old transcripts: this test fails when the scheme changes.
func TestMCPNamesStableAcrossRestarts(t *testing.T) {
	names := tools.MCPNames([]tools.MCPRef{{"my office", "mail.send"}, {"my office", "mail_send"}, {"s", strings.Repeat("x", 90)}})
	for ref, want := range map[tools.MCPRef]string{
		{"my office", "mail.send"}:     "my_office_f05880__mail_send_180152",
		{"my office", "mail_send"}:     "my_office_f05880__mail_send",
		{"s", strings.Repeat("x", 90)}: "s__" + strings.Repeat("x", 54) + "_9b9dbe",
	} {
		if names[ref] != want {
			t.Errorf("%v is called %q, want %q", ref, names[ref], want)
		}
	}
}

// A hash that somebody aimed at still leaves two different names.
func TestMCPNamesAimedClash(t *testing.T) {
	first := []tools.MCPRef{{"s", "a.b"}, {"s", "a_b"}}
	aimed := strings.TrimPrefix(tools.MCPNames(first)[first[0]], "s__")
	refs := append(first, tools.MCPRef{"s", aimed})
	checkNames(t, refs, tools.MCPNames(refs))
}

func checkNames(t *testing.T, refs []tools.MCPRef, names map[tools.MCPRef]string) {
	t.Helper()
	seen := map[string]tools.MCPRef{}
	for _, ref := range refs {
		name, ok := names[ref]
		if !ok || !legalName.MatchString(name) {
			t.Errorf("%q has the name %q", ref, name)
		}
		if other, taken := seen[name]; taken && other != ref {
			t.Errorf("%q and %q are both called %q", ref, other, name)
		}
		seen[name] = ref
	}
}

// Names depend neither on the order of tools nor on which other servers are
// connected.
func TestMCPNamesIndependentOfOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("ab_.-_ 0名")
	word := func() string {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		return b.String()
	}
	for range 2000 {
		var refs []tools.MCPRef
		for range 3 {
			server := word()
			for range 1 + r.IntN(4) {
				refs = append(refs, tools.MCPRef{server, word()})
			}
		}
		all := tools.MCPNames(refs)
		checkNames(t, refs, all)
		r.Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
		server := refs[0].Server
		var own []tools.MCPRef
		for _, ref := range refs {
			if ref.Server == server {
				own = append(own, ref)
			}
		}
		for ref, name := range tools.MCPNames(own) {
			if all[ref] != name {
				t.Fatalf("%q is %q alone and %q beside other servers", ref, name, all[ref])
			}
		}
	}
}

func FuzzMCPNames(f *testing.F) {
	f.Add("my office", "mail.send", "my_office", "mail_send")
	f.Add("a__b", "c", "a", "b__c")
	f.Add("a_", "b", "a", "_b")
	f.Add("", "", "s", "名前")
	f.Add("\xff", "\x00", "s_", "-")
	f.Add(strings.Repeat("x", 70), "t", strings.Repeat("x", 70), "u")
	f.Fuzz(func(t *testing.T, s1, t1, s2, t2 string) {
		refs := []tools.MCPRef{{s1, t1}, {s2, t2}, {s1, t2}, {s2, t1}}
		names := tools.MCPNames(refs)
		checkNames(t, refs, names)
		turned := []tools.MCPRef{refs[3], refs[1], refs[0], refs[2], refs[0]}
		for ref, name := range tools.MCPNames(turned) {
			if names[ref] != name {
				t.Fatalf("%q is called %q or %q by order", ref, names[ref], name)
			}
		}
	})
}

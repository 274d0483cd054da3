package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// probeTime is how long a server on this machine may take to list its models.
const probeTime = time.Second

// Ollama is where an Ollama listens by default.
const Ollama = "http://127.0.0.1:11434/v1"

// Found is a model server on this machine.
type Found struct {
	// Name such as "LM Studio".
	Name string
	// Ollama tells one from other servers.
	Ollama  bool
	BaseURL string
	// Models are the ids, sorted.
	Models []string
}

// byOwner is the name of the server that gives owner as that of its models: so it
// is known wherever it listens.
func byOwner(owner string) string {
	switch owner {
	case "library":
		return "Ollama"
	case "organization_owner":
		return "LM Studio"
	case "llamacpp":
		return "llama.cpp"
	case "vllm":
		return "vLLM"
	case "sglang":
		return "SGLang"
	case "koboldcpp":
		return "KoboldCpp"
	}
	return ""
}

// byPort is the name of the server that chooses this port by default.
func byPort(port string) string {
	switch port {
	case "11434":
		return "Ollama"
	case "1234":
		return "LM Studio"
	case "8080":
		return "llama.cpp"
	case "8000":
		return "vLLM"
	case "1337":
		return "Jan"
	case "4891":
		return "GPT4All"
	case "5000":
		return "text-generation-webui"
	case "5001":
		return "KoboldCpp"
	case "30000":
		return "SGLang"
	}
	return ""
}

// Places are those of the settings, and where OLLAMA_HOST says that the user's
// Ollama listens if they name Ollama's own: who looks for one looks there too.
func Places(settings []string, ollamaHost string) []string {
	at := OllamaPlace(ollamaHost)
	if at == "" || !slices.Contains(settings, Ollama) {
		return settings
	}
	return append(slices.Clone(settings), at)
}

// Discover asks the servers at these base URLs for their models, all at once and
// each for a second, and returns those that list some, or say that they have
// none, in the order of the places. It asks no other host than this machine,
// follows no redirect, and sends no key. A place named twice is asked once.
func Discover(ctx context.Context, places []string) []Found {
	t := &http.Transport{
		DialContext:        (&net.Dialer{Timeout: probeTime, Control: loopbackOnly}).DialContext,
		DisableKeepAlives:  true,
		DisableCompression: true,
	}
	answers := make([]*Found, len(places))
	seen := map[string]bool{}
	var asking sync.WaitGroup
	for i, place := range places {
		base, err := parseBase(place)
		if err != nil || base.User != nil || !isLoopback(base.Hostname()) || seen[plain(base)] {
			continue
		}
		seen[plain(base)] = true
		asking.Go(func() { answers[i] = probe(ctx, base, t) })
	}
	asking.Wait()
	var list []Found
	for _, f := range answers {
		if f != nil {
			list = append(list, *f)
		}
	}
	return list
}

// plain is a base URL with one name for this machine.
func plain(base *url.URL) string {
	u := *base
	if u.Hostname() == "localhost" {
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	return u.String()
}

func probe(ctx context.Context, base *url.URL, t *http.Transport) *Found {
	c, err := New(Options{BaseURL: base.String(), HTTPClient: &http.Client{Transport: t}})
	if err != nil {
		return nil
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	models, err := c.ListModels(ctx)
	if err != nil {
		return nil
	}
	f := &Found{Name: cmp.Or(byPort(base.Port()), "OpenAI-compatible server"), BaseURL: base.String(), Models: make([]string, len(models))}
	for i, m := range models {
		f.Models[i] = m.ID
		f.Name = cmp.Or(byOwner(m.Owner), f.Name)
	}
	f.Ollama = f.Name == "Ollama"
	return f
}

var errElsewhere = errors.New("this is no address of this machine")

// loopbackOnly keeps a connection from leaving the machine, whatever a name such
// as localhost means here.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s: %w", address, errElsewhere)
	}
	return nil
}

// OllamaPlace is the base URL that a value of OLLAMA_HOST stands for, which
// Ollama reads as the address that it listens at: a host, a port or both, perhaps
// in a URL. "" when it is no address.
func OllamaPlace(value string) string {
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if value == "" {
		return ""
	}
	scheme, rest, ok := strings.Cut(value, "://")
	port := "11434"
	switch {
	case !ok:
		scheme, rest = "http", value
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	default:
		return ""
	}
	hostPort, path, _ := strings.Cut(rest, "/")
	host := strings.Trim(hostPort, "[]")
	if h, p, err := net.SplitHostPort(hostPort); err == nil {
		host, port = h, p
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() { // it listens everywhere: here, too
		host = "127.0.0.1"
	}
	place := scheme + "://" + net.JoinHostPort(host, port)
	if path = strings.Trim(path, "/"); path != "" {
		place += "/" + path
	}
	return place + "/v1"
}

package archtest

// module is the import path that ours begin with.
const module = "clined/"

// rooms are our packages below internal/ with their layer: imports go downward,
// or sideways to the vocabulary, to the parent folder, and where siblings says.
// A room that does not exist yet does no harm; a package that is no room fails.
var rooms = map[string]int{
	"rpc":          0,
	"transcript":   0,
	"event":        0,
	"diffedit":     0,
	"diffedit/v4a": 0,
	"config":       0,
	"fileuri":      0,
	"safefile":     0,

	"protocol":   1,
	"llm":        1,
	"llm/sse":    1,
	"llm/openai": 1,
	"tools":      1,
	"ignore":     1,
	"workspace":  1,
	"codedefs":   1,
	"doctext":    1,
	"mcphub":     1,
	"shell":      1,
	"sandbox":    1,
	"store":      1,
	"secret":     1,
	"trace":      1,
	"demo":       1,

	"tools/builtin": 2,
	"approval":      2,
	"prompt":        2,
	"prompt/host":   2,
	"compact":       2,

	"agent": 3,

	"server":  4,
	"acp":     4,
	"console": 4,

	"daemon": 5,
}

// vocabulary may be imported by its own layer: types that many rooms speak in.
var vocabulary = []string{"llm", "tools"}

// siblings are the other imports within a layer that read naturally.
var siblings = map[string][]string{
	"workspace":  {"ignore"},   // listings leave out what ignore files name
	"llm/openai": {"llm/sse"},  // every dialect streams by server-sent events
	"config":     {"safefile"}, // a settings file is changed under a lock
}

// wall forbids imports of our own packages, direct or through others.
type wall struct {
	from, why string
	// never are rooms that from must not reach; with only set, all but those.
	never, only []string
}

var walls = []wall{
	{from: "rpc", why: "framing knows nothing of the product", only: []string{}},
	{from: "transcript", why: "anyone may import it", only: []string{}},
	{from: "event", why: "anyone may import it", only: []string{}},
	{from: "fileuri", why: "anyone may import it", only: []string{}},
	{from: "diffedit", why: "edits are pure text", only: []string{}},
	{from: "diffedit/v4a", why: "edits are pure text", only: []string{"diffedit"}},
	{from: "config", why: "settings are texts that their owners parse", only: []string{"safefile"}},
	{from: "safefile", why: "files are bytes to it", only: []string{}},
	{from: "secret", why: "a secret is a text under a name: it knows no settings", only: []string{"safefile"}},
	{from: "ignore", why: "a syntax of its own", only: []string{}},
	{from: "doctext", why: "a document is bytes: where it lies is the business of who opens it", only: []string{"tools", "llm", "transcript"}},
	{from: "llm", why: "a provider is replaceable: it knows no tools and no agent", only: []string{"transcript"}},
	{from: "llm/openai", why: "a provider is replaceable: it knows no tools and no agent", only: []string{"llm", "llm/sse", "transcript"}},
	{from: "tools", why: "the tool vocabulary does no I/O and decides nothing", only: []string{"llm", "transcript"}},
	{from: "tools/builtin", why: "tools work on ports; whether they may run is not theirs to know", never: []string{"workspace", "shell", "mcphub", "codedefs", "doctext", "approval", "agent"}},
	{from: "approval", why: "the policy judges subjects, not sessions", never: []string{"protocol", "workspace", "shell", "mcphub", "agent"}},
	{from: "prompt", why: "prompts are made of ports and vocabulary", only: []string{"llm", "tools", "transcript", "workspace", "ignore", "fileuri"}},
	{from: "store", why: "it keeps what it is given, whatever it means", only: []string{"event", "transcript"}},
	{from: "sandbox", why: "a plan is paths: where they come from is the business of who wires it", only: []string{}},
	{from: "agent", why: "a turn must run in any test: power comes through ports", only: []string{"event", "llm", "tools", "transcript"}},
	{from: "console", why: "the terminal is a front like any other: it speaks the protocol", never: []string{"agent", "tools", "llm", "workspace", "approval"}},
	{from: "demo", why: "the demo is a model's endpoint, outside of the product", never: []string{"agent", "daemon", "server"}},
}

// importers are the only rooms that may import a room.
var importers = map[string]struct {
	by  []string
	why string
}{
	"daemon": {[]string{"cmd/clined"}, "the daemon wires a process; whoever imports it depends on everything"},
}

// std forbids standard packages, by direct import.
var std = []struct {
	rooms, packages []string
	why             string
}{
	{[]string{"agent", "transcript", "event", "diffedit", "diffedit/v4a", "approval", "tools", "tools/builtin", "llm", "llm/sse", "prompt", "codedefs"},
		[]string{"os", "os/exec", "os/user", "net", "net/http", "syscall", "io/ioutil"}, "it does no I/O: what it needs is handed in"},
	{[]string{"rpc", "protocol", "server", "console"}, []string{"net", "net/http", "os/exec"}, "a stream is handed in, whatever it runs over"},
	{[]string{"config", "safefile", "secret", "ignore", "workspace"}, []string{"net", "net/http", "os/exec"}, "looking at files runs no program and opens no connection"},
	{[]string{"doctext"}, []string{"net", "net/http"}, "a document cannot make it open a connection"},
	{[]string{"store"}, []string{"net", "net/http", "os/exec"}, "keeping things runs no program and opens no connection"},
	{[]string{"prompt/host"}, []string{"net", "net/http"}, "looking at the machine opens no connection"},
	{[]string{"daemon", "server", "shell"}, []string{"net/http"}, "the network is the business of the dialects, the MCP hub and the demo"},
}

// thirdParty says which rooms import a module, by direct import. Test-only
// modules are not here: tests are not looked at.
var thirdParty = map[string]struct {
	by  []string
	why string
}{
	"github.com/sourcegraph/jsonrpc2":       {[]string{"rpc"}, "its traps are dealt with in one place"},
	"go.lsp.dev/protocol":                   {[]string{"protocol"}, "it gets only some types right; protocol knows which"},
	"github.com/mark3labs/mcp-go":           {[]string{"mcphub", "examples/weather", "internal/test/fakemcp"}, "MCP is spoken by the hub, and by servers"},
	"github.com/sashabaranov/go-openai":     {[]string{"llm/openai"}, "a provider is replaceable"},
	"github.com/smacker/go-tree-sitter":     {[]string{"codedefs"}, "cgo stays in one room"},
	"github.com/tailscale/hujson":           {[]string{"config", "mcphub"}, "JSON with comments is for files that people write"},
	"mvdan.cc/sh/v3":                        {[]string{"approval", "shell"}, "command lines are judged and run, not read elsewhere"},
	"github.com/aymanbagabas/go-udiff":      {[]string{"diffedit", "tools/builtin"}, "diffs come from one place"},
	"github.com/charmbracelet/x/ansi":       {[]string{"shell", "prompt", "console"}, "escape sequences come from terminals"},
	"modernc.org/sqlite":                    {[]string{"store"}, "what lies in the database is known in one place"},
	"github.com/creack/pty":                 {[]string{"shell"}, "terminals belong to commands"},
	"github.com/invopop/jsonschema":         {[]string{"protocol"}, "the schema of the protocol is made of its types"},
	"github.com/alecthomas/kong":            {[]string{"cmd/clined"}, "arguments are read in cmd only"},
	"github.com/fatih/color":                {[]string{"console"}, "only the terminal has colours"},
	"github.com/yosida95/uritemplate":       {[]string{"tools/builtin"}, "resource templates are matched where they are read"},
	"github.com/bmatcuk/doublestar":         {[]string{"workspace", "tools/builtin", "approval"}, "globs are matched where files are, and where rules on them are"},
	"github.com/santhosh-tekuri/jsonschema": {[]string{}, "it is a stand-in for mcp-go only"},
	"github.com/gofrs/flock":                {[]string{"safefile", "store"}, "locks on files are for what processes share"},
	"github.com/zalando/go-keyring":         {[]string{"secret"}, "the keyring may hang: only secret knows how to ask it"},
	"github.com/google/uuid":                {[]string{"daemon", "server", "cmd/clined"}, "ids are injected everywhere else"},
	"golang.org/x/term":                     {[]string{"cmd/clined"}, "terminals are handed on as streams"},
	"golang.org/x/image":                    {[]string{"workspace"}, "pictures are looked at where they are read"},
	"golang.org/x/text":                     {[]string{"workspace", "diffedit", "doctext"}, "encodings end where text begins; matching texts needs their normal forms"},
	"golang.org/x/tools":                    {[]string{"internal/test"}, "story files are for tests"},
	"golang.org/x/sys":                      {[]string{"shell", "sandbox", "workspace", "mcphub", "store", "cmd/clined"}, "system calls belong to processes and files"},
	"golang.org/x/sync":                     {nil, ""},
}

// absent modules must not be in the binary at all.
var absent = map[string]string{
	"google.golang.org/grpc": "megabytes for one provider",
	"go.opencensus.io":       "megabytes for one provider",
	// The library itself has this package, third_party/jsonschema has not.
	"github.com/santhosh-tekuri/jsonschema/v6/kind": "five meta-schemas compiled at every start",
}

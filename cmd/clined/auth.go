package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"clined/internal/config"
	"clined/internal/console"
	"clined/internal/secret"

	"golang.org/x/term"
)

type authCmd struct {
	Login  authLoginCmd  `cmd:"" help:"Store an API key. It is read from the terminal without being shown, or from stdin."`
	Logout authLogoutCmd `cmd:"" help:"Forget a stored API key."`
	Status authStatusCmd `cmd:"" help:"Tell which keys are used and stored, never what they are."`
}

// accountFlags say what a key is for; by default what act mode uses.
type accountFlags struct {
	Provider string `help:"The provider, instead of the one in the settings." enum:",openai,ollama" default:"" placeholder:"NAME"`
	BaseURL  string `name:"base-url" help:"Where its API is, instead of the settings' or the provider's own." placeholder:"URL"`
}

// account is a provider at a host.
type account struct{ name, provider, baseURL string }

func (a account) String() string {
	return fmt.Sprintf("%s at %s", a.provider, config.ShownURL(a.baseURL))
}

// account returns what the flags mean with the settings.
func (f accountFlags) account(s *config.Settings) (account, error) {
	provider, baseURL := s.Target("act")
	if f.BaseURL != "" {
		if _, err := config.ParseValue("baseUrl", f.BaseURL); err != nil {
			return account{}, err
		}
		baseURL = f.BaseURL
	}
	if f.Provider != "" && f.Provider != provider {
		provider = f.Provider
		if baseURL = f.BaseURL; baseURL == "" {
			var only config.Settings
			only.Provider = provider
			_, baseURL = only.Target("act")
		}
	}
	return account{config.Account(provider, baseURL), provider, baseURL}, nil
}

// own are the user's settings and secrets, for commands that serve nobody.
type own struct {
	dirs     config.Dirs
	settings *config.Settings
	problems []config.Problem
	secrets  *secret.Store
}

// own reads the user's settings, without those of a workspace.
func (a *app) own() (*own, error) {
	dirs, err := config.FindDirs()
	if err != nil {
		return nil, err
	}
	o := &own{dirs: dirs, secrets: secret.ForUser(dirs.SecretsFile(), os.Getenv)}
	o.settings, o.problems = config.Load(dirs, config.Sources{Environ: os.Environ()})
	return o, nil
}

// lookup is where keys are.
func (o *own) lookup(ctx context.Context) config.Lookup {
	return config.Lookup{Getenv: os.Getenv, Stored: o.secrets.Find(ctx)}
}

type authLoginCmd struct{ accountFlags }

// Run stores a key.
func (c *authLoginCmd) Run(ctx context.Context, a *app) error {
	o, err := a.own()
	if err != nil {
		return err
	}
	a.tellProblems(o.problems)
	acc, err := c.account(o.settings)
	if err != nil {
		return err
	}
	key, err := a.readKey(ctx, acc)
	if err != nil {
		return err
	}
	where, err := o.secrets.Set(ctx, acc.name, key, true)
	if err != nil {
		return &config.Problem{Message: fmt.Sprintf("the key was not stored: %v", err),
			Hint: "see to the permissions of " + o.dirs.Config + " and the space on its disk, or set OPENAI_API_KEY instead"}
	}
	place := "in the keyring"
	if where == secret.InFile {
		st, _ := o.secrets.Status()
		place = fmt.Sprintf("in %s, which only you may read (%s)", o.dirs.SecretsFile(), st.NoKeyring)
	}
	fmt.Fprintf(a.stdout, "The key for %s is stored %s.\n", acc, place)
	a.tellUnused(ctx, o, acc, string(where))
	return nil
}

// tellUnused says why a key that was just stored is not the one that is used.
func (a *app) tellUnused(ctx context.Context, o *own, acc account, where string) {
	for _, mode := range []string{"act", "plan"} {
		provider, baseURL := o.settings.Target(mode)
		if config.Account(provider, baseURL) != acc.name {
			continue
		}
		e, err := o.settings.Endpoint(mode, o.lookup(ctx))
		if err == nil && e.KeyFrom != where && e.KeyFrom != "" {
			a.complain(fmt.Sprintf("the key in the variable %s goes before it", e.KeyFrom), `to use the stored one: clined config set apiKey keyring`)
		}
		return
	}
	a.complain("no mode of the settings uses "+acc.String(), fmt.Sprintf("to use it: clined config set baseUrl %s", config.ShownURL(acc.baseURL)))
}

// readKey reads a key from the terminal, or all of stdin.
func (a *app) readKey(ctx context.Context, acc account) (string, error) {
	var raw []byte
	var err error
	if f, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(a.stderr, "API key for %s (it is not shown): ", acc)
		raw, err = readHidden(ctx, int(f.Fd()))
		fmt.Fprintln(a.stderr)
	} else {
		raw, err = io.ReadAll(io.LimitReader(a.stdin, 64<<10))
	}
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(raw))
	switch {
	case key == "":
		return "", &usageError{text: "no key was given", hint: "type or paste it, or pipe it: clined auth login < FILE"}
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", &usageError{text: "this is no API key: it holds blanks, line ends or other characters that no key has", hint: "copy the key alone"}
	}
	return key, nil
}

// readHidden reads a line that the terminal does not show. When ctx ends, the
// terminal is as it was; the read itself ends with the process.
func readHidden(ctx context.Context, fd int) ([]byte, error) {
	before, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		read <- line{text, err}
	}()
	select {
	case l := <-read:
		return l.text, l.err
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), term.Restore(fd, before))
	}
}

type authLogoutCmd struct{ accountFlags }

// Run forgets a key.
func (c *authLogoutCmd) Run(ctx context.Context, a *app) error {
	o, err := a.own()
	if err != nil {
		return err
	}
	acc, err := c.account(o.settings)
	if err != nil {
		return err
	}
	was, err := o.secrets.Delete(ctx, acc.name)
	switch {
	case err != nil:
		return err
	case !was:
		a.complain("there is no stored key for "+acc.String(), "see which there are: clined auth status")
		return exit(console.ExitFailed)
	}
	fmt.Fprintf(a.stdout, "The key for %s is forgotten.\n", acc)
	return nil
}

type authStatusCmd struct{}

// Run tells which keys are used and stored.
func (c *authStatusCmd) Run(ctx context.Context, a *app) error {
	o, err := a.own()
	if err != nil {
		return err
	}
	a.tellProblems(o.problems)
	code := console.ExitDone
	for _, mode := range []string{"act", "plan"} {
		provider, baseURL := o.settings.Target(mode)
		fmt.Fprintf(a.stdout, "%-5s %s at %s: ", mode, provider, config.ShownURL(baseURL))
		e, err := o.settings.Endpoint(mode, o.lookup(ctx))
		var p *config.Problem
		switch {
		case errors.As(err, &p):
			fmt.Fprintf(a.stdout, "%s\n      hint: %s\n", p.Message, p.Hint)
			code = console.ExitFailed
		case err != nil:
			return err
		default:
			fmt.Fprintln(a.stdout, keyWords(e, o.dirs.SecretsFile()))
		}
	}
	st, err := o.secrets.Status()
	if err != nil {
		return err
	}
	for _, acc := range st.Accounts {
		fmt.Fprintf(a.stdout, "stored: %s, in the %s\n", acc.Name, acc.Where)
	}
	fmt.Fprintf(a.stdout, "keyring: %s\n", cmp.Or(st.NoKeyring, "there is one"))
	if code != console.ExitDone {
		return exit(code)
	}
	return nil
}

// keyWords says where the key of an endpoint comes from.
func keyWords(e *config.Endpoint, file string) string {
	switch e.KeyFrom {
	case "":
		return "no key"
	case string(secret.InKeyring):
		return "key from the keyring"
	case string(secret.InFile):
		return "key from " + file
	case string(secret.InMemory):
		return "key from this session"
	}
	return "key from the variable " + e.KeyFrom
}

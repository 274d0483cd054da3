package approval

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// danger says why a command may not be covered by a prefix, only by its exact
// words: it runs code or other programs that its arguments name, or it writes
// files. "" when it does neither as far as known.
func danger(c simple) string {
	name := c.name()
	if strings.Contains(name, "/") {
		return fmt.Sprintf("%s is named by its path.", name)
	}
	kind := kindOf(name)
	if check := argued[name]; check != nil {
		for _, w := range c.words[1:] {
			if !w.safe {
				return fmt.Sprintf("The arguments of %s are known only when it runs.", name)
			}
		}
		if why := check(args(c.words[1:])); why != "" {
			return fmt.Sprintf("`%s` here %s.", name, why)
		}
		return ""
	}
	if kind != "" && !(len(c.words) == 2 && c.words[1].fixed && c.words[1].text == "--version") {
		return fmt.Sprintf("`%s` %s.", name, kind)
	}
	return ""
}

// kindOf says what is dangerous about a program whatever its arguments are; ""
// for nothing known. "python3.12" and "gcc-12" are python and gcc.
func kindOf(name string) string {
	if kind := programs()[name]; kind != "" {
		return kind
	}
	return programs()[strings.TrimRight(name, "0123456789.-")]
}

const (
	runsCode  = "runs code that its arguments or input give"
	runsOther = "runs other programs"
	writes    = "changes files or the system"
	remote    = "reaches other machines"
)

// shells take command lines.
const shells = "sh bash dash zsh fish ksh mksh ash csh tcsh rbash busybox eval source ."

// programs are dangerous with any arguments, by the reason for it.
var programs = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for kind, names := range map[string]string{
		runsCode: shells + " pwsh powershell cmd trap alias " +
			"python node nodejs deno bun perl ruby php lua luajit tclsh wish osascript Rscript julia groovy jshell java kotlin " +
			"scala swift ghci runghc runhaskell erl escript elixir iex racket guile sbcl clisp awk gawk mawk nawk ed ex vi vim " +
			"nvim view emacs nano expect m4 bc dc gdb lldb psql mysql sqlite irb pry ipython ts-node tsx " +
			"make gmake bmake ninja cmake meson bazel bazelisk rake just task gradle mvn ant sbt lein tox nox invoke fab " +
			"npx pnpx bunx uvx pipx yarn pnpm npm pip uv poetry conda bundle gem composer mix rebar stack cabal pre-commit " +
			"let declare typeset local export readonly read readarray mapfile unset wait getopts enable bind complete compgen " +
			"rustc ld gcc g++ cc c++ clang clang++ terraform tofu pulumi ansible ansible-playbook vagrant nix nix-shell nix-build guix",
		// The first few are words of zsh and fish before a command.
		runsOther: "noglob nocorrect - repeat and or not xargs parallel env sudo doas su runuser pkexec nohup nice ionice chrt taskset timeout time stdbuf unbuffer " +
			"setsid setarch watch script strace ltrace perf valgrind chroot unshare nsenter bwrap firejail flock entr command builtin " +
			"exec coproc at batch crontab systemd-run start-stop-daemon screen tmux dbus-run-session xvfb-run faketime fakeroot proxychains " +
			"podman nerdctl lxc kubectl helm direnv asdf mise rtx nvm pyenv rbenv rustup less more most man open xdg-open code",
		writes: "tee dd cp mv rm rmdir ln chmod chown chgrp chattr setfacl install truncate shred patch split csplit mkfifo mknod " +
			"rsync unlink rename kill pkill killall skill shutdown reboot halt poweroff systemctl service mount umount mkfs " +
			"fdisk useradd userdel usermod groupadd passwd visudo sysctl iptables nft apt apt-get aptitude dpkg dnf yum rpm pacman " +
			"apk brew snap flatpak port zypper zip unzip gzip gunzip bzip2 xz zstd 7z 7za ar cpio tar unrar sponge ctags etags gpg openssl",
		remote: "ssh scp sftp ftp telnet nc ncat netcat socat curl wget aria2c http https mosh rclone aws gcloud az doctl flyctl " +
			"heroku vercel netlify gh glab hub",
	} {
		for _, n := range strings.Fields(names) {
			all[n] = kind
		}
	}
	return all
})

// argued are the programs whose arguments decide.
var argued = map[string]func(args) string{
	"git": gitDanger, "go": goDanger, "cargo": cargoDanger, "docker": dockerDanger,
	"find": func(a args) string {
		return a.when(a.exact("-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"), "runs programs or changes files")
	},
	"fd":     fdDanger,
	"fdfind": fdDanger,
	"rg":     func(a args) string { return a.when(a.long("pre", "hostname-bin"), runsOther) },
	"sort": func(a args) string {
		return a.when(a.long("output", "compress-program") || a.short("o"), "writes a file or runs a program")
	},
	"uniq": func(a args) string { return a.when(len(a.operands()) > 1, "writes a file") },
	"xxd":  func(a args) string { return a.when(len(a.operands()) > 1 || a.short("r"), "writes a file") },
	"tree": func(a args) string { return a.when(a.long("output") || a.short("oR"), "writes a file") },
	"file": func(a args) string { return a.when(a.long("compile") || a.short("C"), "writes a file") },
	"sed":  func(a args) string { return a.when(!a.sedPrints(), "may change files or run programs") },
	"date": func(a args) string {
		return a.when(a.long("set") || a.short("s") || slices.ContainsFunc(a.operands(), func(w word) bool { return !strings.HasPrefix(w.text, "+") }), "may set the clock")
	},
	"hostname": func(a args) string { return a.when(len(a) > 0, "may set the name") },
	"test":     testDanger,
	"[":        testDanger,
	"printf": func(a args) string {
		return a.when(len(a) > 0 && (strings.HasPrefix(a[0].text, "-") || setsByFormat.MatchString(a[0].text)), "may set a variable")
	},
	"yq": func(a args) string {
		return a.when(a.long("inplace", "in-place", "split-exp") || a.short("is"), "changes files")
	},
	"base64": func(a args) string { return a.when(a.long("output") || a.short("o"), "writes a file") },
}

// setsByFormat finds %n, with which zsh and others store into the variable that
// an argument names, and evaluate its subscript.
var setsByFormat = regexp.MustCompile(`%[^%A-Za-z]*n`)

// followLinks tells of an option to follow the links that a program finds.
func (a args) followLinks(name string) bool {
	switch name {
	case "grep", "egrep", "fgrep":
		return a.short("R") || a.long("dereference-recursive")
	case "find":
		return a.exact("-L", "-follow")
	case "rg", "fd", "fdfind":
		return a.short("L") || a.long("follow")
	case "tree":
		return a.short("l")
	case "du":
		return a.short("LD") || a.long("dereference", "dereference-args")
	}
	return false
}

// searchesAll tells of a program that reads all files below a folder.
func searchesAll(c simple) bool {
	a := args(c.words[1:])
	switch c.words[0].text {
	case "grep", "egrep", "fgrep":
		return a.short("rR") || a.long("recursive", "dereference-recursive", "directories") || a.short("d")
	case "rg":
		return true
	case "git":
		a, _ = gitSkip(a)
		return a.sub() == "grep"
	}
	return false
}

// args are the words after the program's name; all are safe.
type args []word

func (args) when(yes bool, why string) string {
	if yes {
		return why
	}
	return ""
}

// long tells of an option --name, also abbreviated as getopt_long takes it, or
// with a value attached.
func (a args) long(names ...string) bool {
	return slices.ContainsFunc(a, func(w word) bool {
		given, ok := strings.CutPrefix(w.text, "--")
		given, _, _ = strings.Cut(given, "=")
		return ok && given != "" && slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, given) })
	})
}

// short tells of an option letter, alone or among others.
func (a args) short(letters string) bool {
	return slices.ContainsFunc(a, func(w word) bool {
		return strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.ContainsAny(w.text[1:], letters)
	})
}

// exact tells of an option as it is written, with or without "=value".
func (a args) exact(names ...string) bool {
	return slices.ContainsFunc(a, func(w word) bool {
		given, _, _ := strings.Cut(w.text, "=")
		return slices.Contains(names, given)
	})
}

func (a args) operands() (list []word) {
	for _, w := range a {
		if !strings.HasPrefix(w.text, "-") || w.text == "-" {
			list = append(list, w)
		}
	}
	return list
}

// sub is the subcommand, "" when options come before it or there is none.
func (a args) sub() string {
	if len(a) == 0 || !a[0].fixed || strings.HasPrefix(a[0].text, "-") {
		return ""
	}
	return a[0].text
}

package approval

import (
	"slices"
	"strings"
	"sync"
)

// argued are the programs whose arguments decide.
var argued = sync.OnceValue(func() map[string]func(args) string {
	outputs := func(a args) string { return when(a.long("output") || a.short("o"), "writes a file") }
	awk := func(a args) string { return when(!a.awkPrints(), runsCode) }
	return map[string]func(args) string{
		"git": gitDanger, "go": goDanger, "cargo": cargoDanger, "docker": dockerDanger, "dotnet": dotnetDanger, "kubectl": kubectlDanger,
		"find": func(a args) string {
			return when(a.exact("-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"), "runs programs or changes files")
		},
		"fd":     fdDanger,
		"fdfind": fdDanger,
		"rg":     func(a args) string { return when(a.long("pre", "hostname-bin"), runsOther) },
		"ag":     func(a args) string { return when(a.long("pager"), runsOther) },
		"ack":    func(a args) string { return when(a.long("pager", "output", "ackrc"), "runs programs or code") },
		"sort": func(a args) string {
			return when(a.long("output", "compress-program") || a.short("o"), "writes a file or runs a program")
		},
		"shuf": outputs, "iconv": outputs, "base64": outputs,
		"sdiff": func(a args) string {
			return when(a.long("output", "diff-program") || a.short("o"), "writes a file or runs a program")
		},
		"diff3": func(a args) string { return when(a.long("diff-program"), runsOther) },
		"arch":  func(a args) string { return when(len(a) > 0, runsOther) }, // on macOS
		"uniq":  func(a args) string { return when(len(a.operands()) > 1, "writes a file") },
		"xxd": func(a args) string { // what follows the input is the output, options and "--" too
			n := len(a.operands())
			return when(n > 1 || n == 1 && strings.HasPrefix(a[len(a)-1].text, "-") || a.exact("--") || a.short("r"), "writes a file")
		},
		"tree": func(a args) string { return when(a.long("output") || a.short("oR"), "writes a file") },
		"file": func(a args) string { return when(a.long("compile") || a.short("C"), "writes a file") },
		"sed":  func(a args) string { return when(!a.sedPrints(), "may change files or run programs") },
		"awk":  awk, "gawk": awk, "mawk": awk, "nawk": awk,
		"date": func(a args) string {
			return when(a.long("set") || a.short("s") || slices.ContainsFunc(a.operands(), func(w word) bool { return !strings.HasPrefix(w.text, "+") }), "may set the clock")
		},
		"hostname": func(a args) string { return when(len(a) > 0, "may set the name") },
		"test":     testDanger,
		"[":        testDanger,
		"printf":   printfDanger,
		"yq": func(a args) string {
			return when(a.long("inplace", "in-place", "split-exp") || a.short("is"), "changes files")
		},
		"command": func(a args) string {
			return when(len(a) < 2 || a[0].text != "-v" && a[0].text != "-V", runsOther)
		},
		"gofmt": func(a args) string { return when(a.goFlag("w", "cpuprofile"), "changes files") },
		"goimports": func(a args) string {
			return when(a.goFlag("w", "cpuprofile", "memprofile", "trace"), "changes files")
		},
		"clang-format": func(a args) string { return when(a.exact("-i", "--i"), "changes files") },
		"exit":         numbers, "return": numbers, "break": numbers, "continue": numbers,
	}
})

// numbers asks where a shell might compute what should be a number.
func numbers(a args) string {
	return when(slices.ContainsFunc(a, func(w word) bool { return strings.ContainsAny(w.text, "[($`") }), "may evaluate what it is given")
}

func fdDanger(a args) string {
	return when(a.long("exec", "exec-batch") || a.short("xX"), runsOther)
}

// testDanger: subscripts in a variable's name are evaluated by bash, and in
// numbers by other shells, and may run commands.
func testDanger(a args) string {
	return when(a.short("vR") || slices.ContainsFunc(a, func(w word) bool { return strings.ContainsAny(w.text, "[]$`") && w.text != "]" }),
		"may evaluate what it tests")
}

// setsByFormat finds %n, with which zsh and others store into the variable that
// an argument names, and evaluate its subscript.
var setsByFormat = lazy(`%[^%A-Za-z]*n`)

func printfDanger(a args) string {
	if len(a) == 0 {
		return ""
	}
	// ksh takes numbers for arithmetic, and runs what stands in subscripts.
	return when(strings.HasPrefix(a[0].text, "-") || setsByFormat().MatchString(a[0].text) || numbers(a[1:]) != "", "may set a variable or evaluate what it is given")
}

// goKnown are the subcommands that run or change no more than the module's own
// build and tests do.
var goKnown = fields("build test vet list version doc env help")

var goFlags = fields("exec toolexec vettool overlay modfile mod ldflags gcflags asmflags gccgoflags compiler o C pkgdir coverprofile " +
	"cpuprofile memprofile blockprofile mutexprofile trace outputdir c i fix fuzz fuzzcachedir gocoverdir debug-actiongraph debug-trace " +
	"debug-runtime-trace args http testlogfile artifacts")

func goDanger(a args) string {
	switch sub := a.sub(); {
	case sub == "mod" && len(a) > 1 && slices.Contains([]string{"graph", "why", "verify"}, a[1].text):
	case !slices.Contains(goKnown(), sub):
		return "may run code or change files"
	case sub == "env" && slices.ContainsFunc(a[1:], func(w word) bool {
		return strings.HasPrefix(strings.TrimLeft(w.text, "-"), "w") || strings.HasPrefix(strings.TrimLeft(w.text, "-"), "u")
	}):
		return "changes how go works"
	case (sub == "test" || sub == "build" || sub == "vet") && slices.ContainsFunc(a[1:].operands(), isElsewhere):
		return "may run code from elsewhere"
	}
	return when(a.goFlag(goFlags()...), "may run programs or write files")
}

// isElsewhere tells of a path that may lead out of the folder.
func isElsewhere(w word) bool {
	return strings.HasPrefix(w.text, "/") || strings.HasPrefix(w.text, "~") || drive().MatchString(w.text) || slices.Contains(strings.Split(w.text, "/"), "..")
}

var drive = lazy(`^[A-Za-z]:|\\`)

var cargoKnown = fields("test build check clippy tree metadata doc bench")

func cargoDanger(a args) string {
	return when(!slices.Contains(cargoKnown(), a.sub()) || a.short("CZ") ||
		a.long("config", "target-dir", "out-dir", "artifact-dir", "manifest-path", "lockfile-path", "fix", "open", "timings", "logfile"),
		"may run programs or change files")
}

var dockerReads = fields("ps images logs inspect version info top stats port history")

func dockerDanger(a args) string {
	return when(!slices.Contains(dockerReads(), a.sub()), "runs programs")
}

var dotnetHarmless = fields("--no-build --no-restore -c --configuration --nologo -v --verbosity --filter --version --info")

// dotnetDanger: properties and loggers name code that the build loads.
func dotnetDanger(a args) string {
	odd := slices.ContainsFunc(a, func(w word) bool {
		return (strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "@") || isElsewhere(w)) && !slices.Contains(dotnetHarmless(), w.text)
	})
	sub := a.sub()
	return when(odd || sub != "build" && sub != "test" && sub != "", "may run programs or change files")
}

var kubectlReads = fields("get describe logs top version explain api-resources api-versions cluster-info")

func kubectlDanger(a args) string {
	return when(!slices.Contains(kubectlReads(), a.sub()) ||
		a.sub() == "cluster-info" && len(a) > 1 || a.long("kubeconfig", "cache-dir", "profile", "profile-output", "server", "token", "client-certificate", "client-key",
		"kuberc", "log-file", "log-dir", "kustomize") || slices.ContainsFunc(a, func(w word) bool { return kubectlElsewhere().MatchString(w.text) }),
		"may run programs or change things")
}

// kubectlElsewhere finds an address, "-s" for a server and "-k" for a kustomization,
// which may be one, also behind letters that take no value.
var kubectlElsewhere = lazy(`://|^-[ARhiw]*[sk]`)

// goFlag tells of an option as Go's flag package takes it, for a test's binary
// too.
func (a args) goFlag(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return a.exact("-"+n, "--"+n, "-test."+n, "--test."+n) })
}

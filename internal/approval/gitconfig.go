package approval

import (
	"fmt"
	"slices"
	"strings"
)

// configuresGit words that a line sets what git's configuration names programs
// by, for one command or from then on: hooks, editors, filters, aliases.
func (p Policy) configuresGit(who string, l line) string {
	if p.Protected == nil {
		return ""
	}
	if key := l.gitProgram(0); key != "" {
		return fmt.Sprintf("%s sets %q, by which git may run programs, and git's configuration is protected.", who, clip(key))
	}
	return ""
}

func (l line) gitProgram(depth int) string {
	for _, c := range l.nested {
		runs, _ := carries(c)
		texts, gits := c.allWords(), 0
		for i := range texts {
			if i > 0 && !runs || gits == maxPassed {
				break
			}
			name, rest := programOf(texts[i:])
			if name != "git" {
				continue
			}
			gits++
			given := c.words[i+1:]
			if len(rest) > len(given) { // git-config
				given = append([]word{{text: rest[0], fixed: true}}, given...)
			}
			if key := setsGitProgram(given); key != "" {
				return key
			}
		}
	}
	if depth == maxNested {
		return ""
	}
	for _, code := range l.code() {
		if !strings.Contains(code, "git") || !strings.ContainsAny(code, " \t\n;|&<>") {
			continue
		}
		if key := parseLine(code).gitProgram(depth + 1); key != "" {
			return key
		}
	}
	return ""
}

// setsGitProgram is the setting that a command of git makes and that names a
// program, "" when it makes none.
func setsGitProgram(a []word) string {
	texts := make([]string, len(a))
	for i, w := range a {
		texts[i] = w.text
	}
	at := gitSub(texts)
	for i, t := range texts[:at] {
		if path, ok := strings.CutPrefix(t, "--exec-path="); ok && path != "" {
			return "--exec-path"
		}
		if (t == "-c" || t == "--config-env") && i+1 < at {
			if key := pair(a[i+1], t == "--config-env"); key != "" {
				return key
			}
		}
		if rest, ok := strings.CutPrefix(t, "--config-env="); ok {
			if key := pair(word{text: rest}, true); key != "" {
				return key
			}
		}
	}
	switch rest := a[at:]; {
	case len(rest) == 0:
		return ""
	case rest[0].text == "config":
		return configCall(rest[1:])
	case rest[0].text == "clone" || rest[0].text == "submodule":
		for i, w := range rest[1:] {
			value, ok := strings.CutPrefix(w.text, "--config=")
			switch {
			case ok:
				w.text = value
			case i > 0 && (rest[i].text == "-c" || rest[i].text == "--config"):
			default:
				continue
			}
			if key := pair(w, false); key != "" {
				return key
			}
		}
	}
	return ""
}

// pair is the key of "key=value" when that names a program. From the environment
// no value is known.
func pair(w word, fromEnv bool) string {
	key, value, _ := strings.Cut(w.text, "=")
	if namesProgram(key, value, w.fixed && !fromEnv) {
		return key
	}
	return ""
}

// configReads are the actions of git config that set nothing.
var configReads = fields("--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l --unset --unset-all --remove-section --edit -e")

// configCall reads the arguments of git config.
func configCall(a []word) string {
	var operands []word
	for i := 0; i < len(a); i++ {
		t := a[i].text
		switch {
		case slices.Contains(configReads(), t):
			return ""
		case slices.Contains([]string{"-f", "--file", "--blob", "--type", "--default", "--comment", "--value"}, t):
			i++
		case strings.HasPrefix(t, "-") && len(operands) == 0 && !a[i].variable:
		default:
			operands = append(operands, a[i])
		}
	}
	if len(operands) > 0 {
		switch operands[0].text {
		case "get", "list", "unset", "remove-section", "edit":
			return ""
		case "set":
			operands = operands[1:]
		}
	}
	switch {
	case len(operands) == 0:
		return ""
	case slices.ContainsFunc(a, func(w word) bool { return w.text == "--rename-section" || w.text == "rename-section" }):
		section, _, _ := strings.Cut(operands[len(operands)-1].text, ".")
		if programSections().MatchString(section) {
			return section
		}
		return ""
	case operands[0].variable && len(a) > 1:
		return "$…"
	case len(operands) == 1: // reads it
		return ""
	case namesProgram(operands[0].text, operands[1].text, operands[1].fixed):
		return operands[0].text
	}
	return ""
}

var programSections = lazy(`(?i)^(core|alias|filter|diff|merge|difftool|mergetool|guitool|credential|gpg|include|includeif|pager|sequence|browser|man|hook|remote)$`)

// programKeys are the settings that name programs, or files with more settings,
// as git-config(1) has them.
var programKeys = lazy(`(?i)^(core\.(hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)` +
	`|filter\..+\.(clean|smudge|process)|diff\.external|diff\..+\.(command|textconv)|merge\..+\.driver|(difftool|mergetool|browser|man)\..+\.(cmd|path)|guitool\..+\.cmd` +
	`|credential\.(.+\.)?helper|gpg\.(.+\.)?program|gpg\.ssh\.defaultkeycommand|include\.path|includeif\..+\.path|remote\..+\.(uploadpack|receivepack|vcs)` +
	`|pager\..+|sequence\.editor|interactive\.difffilter|sendemail\.(.+\.)?(smtpserver|sendmailcmd|tocmd|cccmd|headercmd)|trailer\..+\.(command|cmd)|tar\..+\.command` +
	`|init\.templatedir|uploadpack\.packobjectshook|gc\.recentobjectshook|hook\..+\.command|imap\.tunnel|instaweb\.(httpd|browser)|protocol\.(.+\.)?allow)$`)

// harmlessPrograms are values that run nothing, or what git runs anyway.
var harmlessPrograms = lazy(`^(|true|false|:|cat|less( -[A-Za-z]+)?|more|vi|vim|nano|gpg|gpg2|ssh|/dev/null|never|user)$`)

// namesProgram tells of a setting by which git may run a program that is not
// harmless. A known value is exactly what git gets.
func namesProgram(key, value string, known bool) bool {
	if section, _, _ := strings.Cut(key, "."); strings.EqualFold(section, "alias") {
		return !known || strings.HasPrefix(value, "!") || slices.ContainsFunc(strings.Fields(value), func(t string) bool {
			return strings.HasPrefix(t, "-c") || strings.HasPrefix(t, "--exec") || strings.HasPrefix(t, "--config")
		})
	}
	return programKeys().MatchString(key) && !(known && harmlessPrograms().MatchString(value))
}

package approval

import (
	"slices"
	"strings"
)

var programSections = lazy(`(?i)^(core|alias|filter|diff|merge|difftool|mergetool|guitool|credential|gpg|include|includeif|pager|sequence|browser|man|hook|remote` +
	`|submodule|interactive|sendemail|trailer|tar|init|uploadpack|gc|imap|instaweb|protocol|svn|lfs)$`)

// programKeys are the settings that name programs, or files with more settings,
// as git-config(1) and the manuals of git's own commands have them.
var programKeys = lazy(`(?i)^(core\.(hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)` +
	`|filter\..+\.(clean|smudge|process)|diff\.external|diff\..+\.(command|textconv)|merge\..+\.driver|(difftool|mergetool|browser|man)\..+\.(cmd|path)|guitool\..+\.cmd` +
	`|credential\.(.+\.)?helper|gpg\.(.+\.)?program|gpg\.ssh\.defaultkeycommand|include\.path|includeif\..+\.path|remote\..+\.(uploadpack|receivepack|vcs)` +
	`|pager\..+|sequence\.editor|interactive\.difffilter|sendemail\.(.+\.)?(smtpserver|sendmailcmd|tocmd|cccmd|headercmd)|trailer\..+\.(command|cmd)|tar\..+\.command` +
	`|submodule\..+\.update|init\.templatedir|uploadpack\.packobjectshook|gc\.recentobjectshook|hook\..+\.command|imap\.tunnel|instaweb\.(httpd|browser|modulepath)` +
	`|protocol\.(.+\.)?allow|svn\.authors-?prog|lfs\.customtransfer\..+\.path|lfs\.extension\..+\.(clean|smudge))$`)

// toolKeys choose a tool by its name, which is read as a script when it is a path.
var toolKeys = lazy(`(?i)^(diff|merge)\.(gui)?tool$`)

// harmlessPrograms are values that run nothing, or what git runs anyway.
var harmlessPrograms = lazy(`^(|true|false|:|cat|less( -[A-Za-z]+)?|more|vi|vim|nano|gpg|gpg2|ssh|/dev/null|never|user)$`)

// pathKeys are the settings and variables that hold the path of a folder, or of a
// file with more settings.
var pathKeys = lazy(`(?i)^(core\.hookspath|include\.path|includeif\..+\.path|init\.templatedir|instaweb\.modulepath|GIT_(CONFIG_(GLOBAL|SYSTEM)|TEMPLATE_DIR|EXEC_PATH))$`)

// namesProgram tells of a setting by which git may run a program that is not
// harmless. A known value is exactly what git gets.
func namesProgram(key, value string, known bool) bool {
	section, _, _ := strings.Cut(key, ".")
	switch {
	case strings.EqualFold(section, "alias"):
		return !known || aliasSets(value)
	case toolKeys().MatchString(key):
		return !known || strings.Contains(value, "/")
	case strings.EqualFold(section, "submodule") && known && !strings.Contains(value, "!"):
		return false
	}
	return programKeys().MatchString(key) && !(known && runsNothing(key, value))
}

// runsNothing tells of a value that runs nothing of a project's: a path, even one
// like the name of a program, begins in the working folder.
func runsNothing(key, value string) bool {
	if pathKeys().MatchString(key) {
		return value == "" || value == "/dev/null"
	}
	return harmlessPrograms().MatchString(value)
}

// settingSubs are the subcommands of git that set what names programs.
var settingSubs = fields("config init clone")

// aliasSets tells of an alias that runs a program of its own, or may set what
// names programs. Git splits it at blanks that are not quoted.
func aliasSets(value string) bool {
	if strings.HasPrefix(value, "!") || strings.ContainsAny(value, `'"\`) {
		return true
	}
	words := strings.Fields(value)
	sub := slices.IndexFunc(words, func(t string) bool { return !strings.HasPrefix(t, "-") })
	return sub >= 0 && slices.Contains(settingSubs(), words[sub]) || slices.ContainsFunc(words, func(t string) bool {
		return t == "git" || strings.HasPrefix(t, "-c") || strings.HasPrefix(t, "--exec") || strings.HasPrefix(t, "--config")
	})
}

// gitVariables are those by which git runs programs, or reads more settings, as
// git(1) has them; anyonesVariables are so where git is in the line.
var (
	gitVariables = lazy(`^GIT_(CONFIG_(PARAMETERS|GLOBAL|SYSTEM|KEY_.*)|SSH|SSH_COMMAND|EXTERNAL_DIFF|EDITOR|SEQUENCE_EDITOR|PAGER|ASKPASS|` +
		`PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|ALLOW_PROTOCOL)$`)
	anyonesVariables = lazy(`^(EDITOR|VISUAL|PAGER|SSH_ASKPASS)$`)
)

// setters take NAME=value, or a name and a value, among their words.
var setters = fields("env export declare typeset local readonly set setenv sudo doas")

// gitVariable is a variable that the line sets and by which git may run a
// program, "" when there is none.
func (l line) gitVariable() string {
	sets, git := l.sets, false
	for _, c := range l.nested {
		runs, _ := carries(c)
		setter := slices.Contains(setters(), c.name())
		words := slices.Concat(c.words, c.spread)
		for i, w := range words {
			if i > 0 && !runs && !setter {
				break
			}
			name, _ := programOf([]string{w.text})
			git = git || name == "git"
			name, value, found := strings.Cut(w.text, "=")
			switch {
			case found:
				sets = append(slices.Clip(sets), setting{name, word{text: value, fixed: w.fixed}})
			case i+1 < len(words) && (c.name() == "set" || c.name() == "setenv"): // of fish and csh
				sets = append(slices.Clip(sets), setting{w.text, words[i+1]})
			}
		}
	}
	for _, s := range sets {
		known := s.value.fixed
		switch {
		case !gitVariables().MatchString(s.name) && !(git && anyonesVariables().MatchString(s.name)):
		case strings.HasPrefix(s.name, "GIT_CONFIG_KEY_"):
			if unknownKey(s.value, len(s.value.text)) || namesProgram(s.value.text, "", false) {
				return s.name
			}
		case !(known && runsNothing(s.name, s.value.text)):
			return s.name
		}
	}
	return ""
}

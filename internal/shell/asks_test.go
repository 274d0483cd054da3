package shell

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLooksLikePrompt(t *testing.T) {
	for _, line := range []string{
		"Name: ", "name:", "Password: ", "[sudo] password for ada: ", "Enter passphrase for key '/home/ada/.ssh/id_ed25519': ",
		"Continue? [y/N] ", "Continue? [Y/n]: ", "Are you sure you want to continue connecting (yes/no/[fingerprint])? ", "Overwrite (y/n)? ",
		"Do you want to continue? [Y/n] ", "? What is your name? ", "package name: (app) ", "Is this OK? (yes) ", "Press any key to continue . . . ",
		"Press ENTER to continue", "hit return to go on", ">>> ", "> ", "(gdb) ", "mysql> ", "sqlite> ", "irb(main):001:0> ", "$ ", "root@box:/# ", "ada@box:~$ ",
		"--More--", "--More--(42%)", "(END)", ":", "Login: ", "Proceed ([y]/n)? ", "Username for 'https://example.org': ", "Eingabe: ", "¿Continuar? [s/N] ",
		"Select an option [1-3]: ", "Ok to proceed? (y) ", strings.Repeat("x", 5000) + "? ",
	} {
		if !looksLikePrompt(line) {
			t.Errorf("%q is a prompt", line)
		}
	}
	for _, line := range []string{
		"", "  ", "Compiling clined", "Downloading... 45%", "[=====>     ]", "[#####     ] 50%", "10/20", "(3/5)", "[2/5]", "50% (3/6)", "ETA 00:01", "Building [=====>] ",
		"npm notice", "done.", "...", "1234 MB/s", "loading", "12:30:45", "=>", "--->", "cost 5$", "#", "x = [1, 2]", "(see above)",
	} {
		if looksLikePrompt(line) {
			t.Errorf("%q is no prompt", line)
		}
	}
}

func TestWantedTerminal(t *testing.T) {
	for output, want := range map[string]string{
		"name: Traceback (most recent call last):\n  File \"<string>\", line 1\nEOFError: EOF when reading a line\n":  "EOFError: EOF when reading a line",
		"sudo: a terminal is required to read the password; either use the -S option\nsudo: a password is required\n": "sudo: a terminal is required to read the password; either use the -S option",
		"sudo: no tty present and no askpass program specified\n":                                                     "sudo: no tty present and no askpass program specified",
		"fatal: could not read Username for 'https://example.org': terminal prompts disabled\n":                       "fatal: could not read Username for 'https://example.org': terminal prompts disabled",
		"sh: 1: cannot open /dev/tty: No such device or address\n":                                                    "sh: 1: cannot open /dev/tty: No such device or address",
		"Host key verification failed.\n":                                                                             "Host key verification failed.",
		"the input device is not a TTY\n":                                                                             "the input device is not a TTY",
		"stty: 'standard input': Inappropriate ioctl for device\n":                                                    "stty: 'standard input': Inappropriate ioctl for device",
		"Error: Cannot perform an interactive login from a non TTY device\n":                                          "Error: Cannot perform an interactive login from a non TTY device",
		"Generating public/private rsa key pair.\nEnter file in which to save the key (/home/me/.ssh/id_rsa): ":       "Enter file in which to save the key (/home/me/.ssh/id_rsa):",
		"Overwrite it (y/n)? ":   "Overwrite it (y/n)?",
		"what follows failed:\n": "",
		"Pseudo-terminal will not be allocated because stdin is not a terminal.\r\nssh: Could not resolve hostname nosuch.invalid: Name or service not known\r\n":     "",
		"Pseudo-terminal will not be allocated because stdin is not a terminal.\n":                                                                                    "",
		"Pseudo-terminal will not be allocated because stdin is not a terminal.\nada@box: Permission denied (publickey).\n":                                           "",
		"Pseudo-terminal will not be allocated because stdin is not a terminal.\nHost key verification failed.\n":                                                     "Host key verification failed.",
		"Pseudo-terminal will not be allocated because stdin is not a terminal.\nsudo: a terminal is required to read the password\n":                                 "sudo: a terminal is required to read the password",
		"Pseudo-terminal will not be allocated because stdin is not a terminal.\nEnter passphrase: ":                                                                  "Enter passphrase:",
		"bash: cannot set terminal process group (-1): Inappropriate ioctl for device\nbash: no job control in this shell\nbash: line 1: nosuch: command not found\n": "",
		"mesg: ttyname failed: Inappropriate ioctl for device\nmake: *** No rule to make target 'x'.  Stop.\n":                                                        "",
		"WARNING: the input device is not a TTY, plain progress is shown\nerror: no such image\n":                                                                     "",
		"Enter a name: \nno name given": "",
		"Standard input is not a terminal" + strings.Repeat(" ", 900) + "[ Welcome ]\n": "Standard input is not a terminal",
		"main.go:3: undefined: x\n": "",
		"":                          "",
		"/dev/tty is opened\n" + strings.Repeat("compile error\n", 30): "",
	} {
		if got := wantedTerminal(output); got != want {
			t.Errorf("%q: %q", output, got)
		}
	}
}

func FuzzClip(f *testing.F) {
	f.Add("é" + strings.Repeat("日", 100))
	f.Fuzz(func(t *testing.T, line string) {
		line = strings.ToValidUTF8(line, "?")
		if got := clip(line); len(got) > 210 || !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
		looksLikePrompt(line)
		wantedTerminal(line)
	})
}

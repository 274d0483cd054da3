package approval

import (
	"strings"
	"sync"
)

// kindOf says what is dangerous about a program whatever its arguments are; ""
// for nothing known. Names are taken apart: "python3.12" is python, "vim.basic"
// vim, "x86_64-linux-gnu-gcc-12" gcc, "RM" and "rm.exe" are rm.
func kindOf(name string) string {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "git-") || strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") {
		return runsOther
	}
	stem, _, _ := strings.Cut(name, ".")
	bare := strings.TrimRight(stem, "0123456789-")
	_, last, _ := cutLast(bare, "-")
	for _, n := range []string{name, stem, bare, last} {
		if kind := programs()[n]; kind != "" {
			return kind
		}
	}
	return ""
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

const (
	runsCode  = "runs code that its arguments or input give"
	runsOther = "runs other programs"
	writes    = "changes files or the system"
	remote    = "reaches other machines"
	shellSets = "changes how the shell runs what follows"
)

// shells take command lines.
const shells = "sh bash dash zsh fish ksh ksh93 mksh lksh pdksh oksh ash yash posh csh tcsh rbash rzsh scsh es rc nu xonsh elvish osh ysh " +
	"oil ion murex busybox toybox eval source ."

var shellNames = fields(shells)

// programs are dangerous with any arguments, by the reason for it. A program
// that stands under several reasons has the last.
var programs = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, list := range [][2]string{
		{runsCode, shells},
		{runsCode, languages},
		{runsCode, builds},
		{runsCode, interactive},
		{shellSets, builtins},
		{runsOther, wrappers},
		{writes, changers},
		{remote, networks},
	} {
		for _, n := range strings.Fields(list[1]) {
			all[n] = list[0]
		}
	}
	return all
})

// languages are interpreters and compilers: what they are given is code, or
// names plugins and linkers.
const languages = "wscript cscript mshta rundll regsvr python pypy ipython bpython jupyter pydoc pdb node nodejs deno bun " +
	"qjs perl ruby irb pry raku php phpdbg lua luajit tclsh wish osascript rscript r julia groovy jshell java javac kotlin kotlinc scala " +
	"scalac swift swiftc ghci runghc runhaskell ghc erl erlc escript elixir iex racket guile scheme gsi csi chicken clojure clj lein bb " +
	"sbcl clisp ecl ocaml utop dart flutter zig nim nimble crystal v rustc octave matlab gnuplot maxima gp sage gjs seed mono fsi awk gawk mawk nawk " +
	"m4 bc dc gs ghostscript tex latex pdflatex xelatex lualatex pdftex luatex latexmk bibtex groff troff nroff eqn pic postscript " +
	"gdb lldb psql mysql mariadb sqlite sqlite3 mongo mongosh redis-cli duckdb clickhouse osqueryi " +
	"ld lld gold mold gcc g++ cc c++ cpp c89 c99 clang clang++ tcc as nasm yasm nvcc gfortran gnat dmd ldc ldc2 protoc buf swig cython esbuild tsc ts-node tsx babel"

// builds run what the files of a project say, or what plugins do.
const builds = "make gmake bmake nmake remake ninja samu cmake ctest cpack meson bazel bazelisk buck buck2 pants please plz rake just task mage gradle gradlew " +
	"mvn mvnw ant sbt mill scons waf qmake xmake premake autoconf automake autoreconf libtool libtoolize configure tox nox invoke fab doit " +
	"npx pnpx bunx uvx pipx pipenv yarn pnpm npm corepack pip uv poetry hatch pdm flit conda mamba micromamba bundle bundler gem composer " +
	"mix rebar stack cabal dune opam cpan cpanm luarocks pre-commit husky lerna nx turbo gulp grunt webpack vite rollup parcel " +
	"jest mocha vitest ava karma cypress playwright pytest nosetests coverage behave robot rspec cucumber phpunit prove bats " +
	"eslint prettier stylelint pylint flake8 mypy ruff black rubocop rustfmt sphinx-build mkdocs jekyll hugo doxygen ansible ansible-playbook " +
	"ansible-console terraform tofu terragrunt pulumi packer vagrant nix nix-shell nix-build nix-env guix cdk sam serverless django-admin flask " +
	"rails thor gunicorn uvicorn celery streamlit scrapy artisan drush wp"

// interactive programs run commands that are typed or named.
const interactive = "ed ex red vi vim nvim view gvim vimdiff rvim rview vimx emacs emacsclient nano pico micro kak hx helix joe jed mcedit mc ne " +
	"expect autoexpect subl code codium cursor idea tig lazygit gitui ranger nnn lf vifm fzf sk peco dialog whiptail mail mailx mutt sendmail lftp"

// builtins of shells that evaluate their arguments, or change what the names
// of programs mean from there on. A few evaluate numbers as arithmetic, in
// which subscripts run commands.
const builtins = "trap alias unalias hash rehash enable disable autoload emulate setopt unsetopt shopt set unset shift ulimit let declare " +
	"typeset local export readonly integer float nameref compound read readarray mapfile vared getopts bind bindkey complete compgen compdef " +
	"wait fc hist r history print printv whence abbr functions function funcsave fish_add_path set_color zle zmodload zstyle zparseopts zformat " +
	"sched zsocket ztcp zpty ttyctl umask redirect alarm argparse emit status string math psub"

// wrappers run a program that they are given. The first few are words of zsh
// and fish before a command.
const wrappers = "noglob nocorrect - repeat and or not begin builtin cmd powershell pwsh xargs parallel sem env sudo sudoedit doas su runuser pkexec gosu su-exec sg newgrp login " +
	"runcon setpriv capsh nohup nice ionice chrt taskset numactl prlimit cgexec choom timeout gtimeout time stdbuf unbuffer setsid setarch linux32 " +
	"linux64 watch watchexec entr nodemon pm2 forever supervisord honcho foreman hyperfine script scriptreplay strace ltrace perf valgrind rr uftrace bpftrace stap " +
	"dtrace ld.so ldd chroot unshare nsenter bwrap firejail flock lockf command exec coproc at batch atrm crontab anacron cron run-parts " +
	"systemd-run systemd-inhibit systemd-cat systemd-nspawn machinectl busctl dbus-send gdbus start-stop-daemon daemon daemonize screen tmux zellij " +
	"byobu dtach abduco dbus-run-session dbus-launch xvfb-run startx xinit faketime fakeroot fakechroot proot proxychains torsocks torify tsocks eatmydata " +
	"catchsegv rlwrap logsave chpst softlimit setuidgid envdir s6-setuidgid mpirun mpiexec srun sbatch wine qemu podman docker-compose nerdctl " +
	"lxc lxd incus ctr crictl buildah kubectl oc helm k9s kind minikube direnv dotenv asdf mise rtx nvm fnm volta pyenv rbenv goenv rustup " +
	"less more most pg man info perldoc zless zmore xzless bzless bat batcat open xdg-open gio kde-open gnome-open sensible-browser sensible-editor " +
	"sensible-pager x-www-browser www-browser wslview start pee chronic ifne lckdo mispipe vidir vipe zrun tini dumb-init ssh-agent gpg-agent " +
	"keychain sshpass ccache distcc sccache icecc inotifywait fswatch act"

// changers write, remove, or change the machine.
const changers = "tee dd cp mv rm rmdir ln chmod chown chgrp chattr setfacl setfattr setcap chcon install truncate fallocate shred srm wipe patch split " +
	"csplit mkfifo mknod rsync unlink rename mmv trash trash-put kill pkill killall killall5 skill snice shutdown reboot halt poweroff init telinit " +
	"systemctl service rc-service initctl launchctl loginctl hostnamectl timedatectl localectl mount umount losetup swapon swapoff mkswap mkfs fsck " +
	"e2fsck tune2fs resize2fs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard hdparm cryptsetup lvm dmsetup mdadm zfs zpool btrfs useradd " +
	"userdel usermod adduser deluser groupadd groupdel groupmod passwd chpasswd chsh chfn gpasswd chage visudo vipw sysctl modprobe insmod rmmod " +
	"depmod iptables ip6tables nft ufw firewall-cmd ip ifconfig route tc ethtool nmcli iwconfig rfkill apt apt-get aptitude dpkg dnf yum rpm pacman " +
	"yay paru apk brew snap flatpak port zypper emerge xbps-install pkg pkg_add opkg update-alternatives update-rc.d chkconfig ldconfig " +
	"grub-install update-grub update-initramfs dracut efibootmgr zip unzip gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lzip lz4 zstd unzstd brotli " +
	"pigz pbzip2 compress uncompress 7z 7za 7zr rar unrar ar cpio tar bsdtar pax shar unar cabextract ditto sponge ctags etags cscope gpg gpg2 gpgv " +
	"openssl keytool certutil ssh-keygen ssh-add defaults diskutil hdiutil pmset scutil dscl xattr chflags objcopy strip ranlib convert magick mogrify " +
	"ffmpeg sox pandoc shfmt gofmt goimports clang-format autopep8 yapf isort createdb dropdb createuser dropuser mysqladmin pg_restore"

// networks reach other machines, and run what is named there or here.
const networks = "ssh autossh sshfs slogin rsh rlogin rexec scp sftp ftp tftp telnet nc ncat netcat socat curl wget aria2c axel http https xh httpie lynx links " +
	"elinks w3m mosh rclone restic borg duplicity tcpdump tshark nmap aws gcloud gsutil bq az doctl flyctl fly heroku vercel netlify wrangler firebase " +
	"gh glab hub svn hg bzr cvs fossil darcs pijul jj sl p4 pdsh clush mysqldump pg_dump s3cmd mc-client twine"

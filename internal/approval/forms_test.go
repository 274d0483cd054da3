package approval

import (
	"slices"
	"strings"
	"testing"

	"clined/internal/tools"
)

// Other words for the same command, programs that run one, lists in braces and
// quoting that decodes are no way around a rule that denies.
func TestDenyOtherForms(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands, Deny: written(t, "cargo publish", "rm", "git push", "npm publish", "npm install", "npm test", "pnpm remove", "pip install", "python3 -m build", "yarn install")}}
	for line, want := range map[string]Verdict{
		"cargo +nightly publish": Deny, "cargo +1.80 --locked publish --dry-run": Deny, "rustup run nightly cargo publish": Deny, "sudo cargo +stable publish": Deny, "cargo +nightly build": Allow, "cargo build +publish": Allow,
		"{rm,x}": Deny, "{rm,-rf,x}": Deny, "git {push,x}": Deny, "sudo {rm,x}": Deny, "{git,push}": Deny, "{gi,ru}m": Ask, "{r'm',x}": Deny, "{a,rm} x": Ask, "echo {rm,x}": Allow, "ls a.{go,c}": Allow,
		`$'\x72m' x`: Deny, `$'r\155' x`: Deny, `$'\u0072m' x`: Deny, `git $'pu\x73h'`: Deny, `sudo $'\x72m' x`: Deny, `echo $'\x72m'`: Allow, `$'\x6cs' x`: Ask,
		"npx npm publish": Deny, "npx -y npm publish": Deny, "npx -p npm npm publish": Deny, "npm exec -- npm publish": Deny, "npm exec npm publish": Deny, "npm x -- rm a": Deny, "pnpm dlx npm publish": Deny, "yarn dlx npm publish": Deny, "bunx npm publish": Deny,
		"npx sudo rm x": Deny, "npx npx npx npm i": Deny, "uv run rm x": Deny, "poetry run pip install x": Deny, "bundle exec rm x": Deny, "gdb --args rm x": Deny, "gdb -q --args sudo rm x": Deny, "lldb -- rm x": Deny, "npx prettier x": Allow, "npx eslint $X": Allow, "npx -y eslint $X": Allow, "uv run --frozen pytest $X": Allow,
		`$'rm\0y' x`: Deny, `$'r\x6d\x00' x`: Deny, `$'%s' x`: Ask, `grep $'\t' a`: Allow, "npm run x $Y": Allow, "npm -s run x $Y": Allow, "npm --silent run t": Allow, "npm run x npm publish": Ask, "yarn --version": Allow, "yarn --frozen-lockfile": Deny, "npm run exec rm": Ask,
		"npx $X": Ask, "npm exec -- $X": Ask, "uv run $X a": Ask, "npx timeout 5 $X": Ask, "npm run $X": Allow, "gdb -q ./a": Allow,
		"git -c alias.x=push x": Deny, "git -c a.b=c -c alias.X=push x -f": Deny, "git -c 'alias.x=push -f' x": Deny, "git -c alias.x=y -c alias.y=push x": Deny, "git -c alias.x='-C . push' x": Deny, "git -c alias.x=status x": Ask, "git -c alias.x=push status": Allow, "git -c": Allow,
		"npm i x": Deny, "npm add x": Deny, "npm -s i x": Deny, "npm --prefix d isntall": Deny, "npm t": Deny, "npm tst": Deny, "npm x -- npm i": Deny, "pnpm rm x": Deny, "pnpm un x": Deny, "yarn": Deny, "npm run i": Allow, "npm ls": Allow, "pnpm install": Allow, "npm run t": Allow, "yarn build": Allow,
		"python3 -m pip install x": Deny, "python -m pip --quiet install x": Deny, "python3.12 -Im pip install x": Deny, "python3 -mpip install x": Deny, "python3 -X utf8 -m pip install x": Deny, "pip3 install x": Deny, "pip3.12 install x": Deny, "py -m pip install x": Deny,
		"python3 -m build": Deny, "python3 -m pip list": Allow, "python3 -m pytest install": Allow, "python3 x.py -m pip install y": Ask, "python3 -m pip $X": Ask, "cargo +nightly $X": Ask,
	} {
		if line == "cargo +nightly $X" {
			p.Deny = slices.Concat(p.Deny, written(t, "cargo yank"))
		}
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %s (%s), want %s", line, j.Verdict, j.Reason, want)
		}
	}
	p.Deny = written(t, "npm i", "pip3 install")
	for _, line := range []string{"npm install x", "npm add x", "pip3 install x"} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Deny {
			t.Errorf("%q: %s %s", line, j.Verdict, j.Reason)
		}
	}
}

// A chain of what passes commands on is looked through in little time.
func TestLongChainsOfPassers(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands, Deny: written(t, "rm")}}
	for _, link := range []string{"npx -a ", "npx ", "npx sudo ", "git -c alias.x=x x "} {
		line := strings.Repeat(link, 300) + "rm x"
		if j := p.Judge(command(line), tools.Act); j.Verdict == Allow {
			t.Errorf("%.40q: %+v", line, j)
		}
	}
}

// The patterns of the command limits hold whatever options stand in between.
func TestLimitsSkipOptions(t *testing.T) {
	l, err := ParseClinePermissions(`{"deny": ["git push *", "npm install *", "kubectl delete *", "cargo publish"]}`)
	if err != nil {
		t.Fatal(err)
	}
	p := Policy{Settings: Settings{Command: AllCommands}, Limits: l}
	for line, want := range map[string]Verdict{
		"git -C x push y": Deny, "/usr/bin/git push x": Deny, "git --no-pager -C x push": Deny, "git -c a=b push origin": Deny, "git --git-dir=x push y": Deny, "git -c alias.x=push x y": Deny, "sudo git -C x push y": Deny,
		"npm i x": Deny, "npm -s install x": Deny, "kubectl -n a delete pod p": Deny, "cargo +nightly publish": Deny,
		"git -C push status": Allow, "git status": Allow, "git -C x log push": Allow, "kubectl -n a get pod": Allow, "cargo +nightly build": Allow,
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %s (%s), want %s", line, j.Verdict, j.Reason, want)
		}
	}
}

// What runs in a container is as unknown as elsewhere.
func TestDenyInContainers(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands, Deny: written(t, "rm")}}
	for line, want := range map[string]Verdict{
		"docker exec c $X": Ask, "docker exec -it c $X": Ask, `docker exec -u me c "$X" a`: Ask, "docker run --rm img $X": Ask, "docker run --rm -v $PWD:/w img $X": Ask, "docker compose exec web $X": Ask, "docker container exec c $X": Ask, "docker exec c env $X": Ask, "podman exec c $X": Ask, "docker exec $X ls": Ask,
		"kubectl exec p -- $X": Ask, `kubectl -n "$NS" exec p -c d -- "$X" a`: Ask, "oc exec p -- $X": Ask, "kubectl exec p -- timeout 5 $X": Ask, "kubectl exec p -- rm $X": Deny, "docker exec c rm $X": Deny,
		"docker exec c ls $X": Allow, `docker exec "$C" ls`: Allow, "docker run --rm -v $PWD:/w img ls": Allow, `docker run "$IMG"`: Allow, "docker logs $X": Allow, "docker exec -it c ls": Allow, "kubectl exec p -- ls $X": Allow, "kubectl exec -it $P -- ls": Allow, "kubectl get $X": Allow, "docker build $X": Allow,
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != want {
			t.Errorf("%q: %s (%s), want %s", line, j.Verdict, j.Reason, want)
		}
	}
}

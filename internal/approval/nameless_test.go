package approval

import (
	"strings"
	"testing"

	"clined/internal/tools"
)

// headIs protects what has the name that the file of bare repositories has, in
// any case as some file systems take it.
func headIs(word string) string {
	last := word[strings.LastIndexByte(word, '/')+1:]
	if last, _, _ = strings.Cut(last, ":"); strings.EqualFold(last, "head") || strings.HasPrefix(word, ".git/") {
		return "it is special"
	}
	return ""
}

// The program head, the revision HEAD and the method HEAD are no files, wherever
// the line has variables; files of that name still ask.
func TestNameless(t *testing.T) {
	p := Policy{Settings: Settings{Command: AllCommands}, Protected: headIs}
	for want, lines := range map[Verdict][]string{
		Allow: {
			`make $TARGET 2>&1 | head -20`, `for f in *.go; do gofmt -l "$f"; done | head`, `python3 x.py "$1" | head`, `cd "$DIR" && make | head`, `docker logs $(docker ps -q | head -1)`,
			`kill $(pgrep foo); ps aux | head -3`, `git log --format=%h | head -1 | xargs git show`, "ls | xargs head -n1", "ls | xargs -0 head", "timeout 5 head $X", "make $X | time head", "sudo head -5 $X", "env A=1 head $X",
			"git checkout HEAD", "git checkout HEAD -- a.go", "git checkout -f HEAD", "git checkout -b x HEAD", "git checkout -b $X HEAD", "git checkout --detach HEAD", "git checkout HEAD a.go", "git restore --source=HEAD a.go", "git restore -s HEAD a.go", "git restore --staged --source HEAD .",
			"git switch --detach HEAD", "git switch -c x HEAD", "docker build --build-arg X=$(git rev-parse HEAD) .", `go build -ldflags "-X main.v=$(git rev-parse --short HEAD)" ./...`, "make V=$(git describe HEAD)", "git archive HEAD | tar x -C $D", "git archive -v HEAD", "git log --oneline HEAD", "git format-patch HEAD", "git log -1 --format=%o HEAD", "make V=$(git rev-parse --abbrev-ref HEAD)", "make V=$(git rev-parse --short=8 -q --verify HEAD)",
			"curl -I -X HEAD u", "curl -sX HEAD u", "curl -XHEAD u", "curl --request HEAD $U", "gh api -X HEAD /x", "gh api --method HEAD /x", "wget --method=HEAD u", "http HEAD u",
		},
		Ask: {
			"rm head", "rm HEAD", "for f in head; do rm $f; head x; done", "F=HEAD; rm $F; git log HEAD", "rm $(echo head) | head", "echo head | xargs rm", "head; rm $_", "head; rm ${_}", ".git/x; rm $_", ".git/x | rm $X", "rm $X .git/x | head", "sudo rm head", "timeout 5 rm head", "xargs -a x tee head | head", "nohup tee head",
			"make $X > head", "ls $X > HEAD", "head x > head", "head $X | tee head",
			"git checkout -- HEAD", "git checkout HEAD -- HEAD", "git checkout x HEAD", "git checkout HEAD HEAD", "git checkout ./HEAD", "git restore HEAD", "git restore --source=HEAD HEAD", "git restore --source=x -- HEAD", "git rm HEAD", "git mv a HEAD", "git mv HEAD a", "git clean -f HEAD", "git -c a=b checkout HEAD",
			"git archive -o HEAD x", "git archive --output=HEAD x", "git archive --out HEAD HEAD", "git archive --o HEAD x", "git diff --output HEAD", "git archive -vo HEAD main", "git archive -9vo HEAD main", "git archive -vo HEAD HEAD", "git format-patch -ko HEAD x", "git bisect run cp x HEAD", "git bisect start HEAD v1", "rm $(git name-rev HEAD)", "rm $(git rev-parse --symbolic HEAD)", "rm $(git rev-parse --symbolic -q HEAD)", "rm $(git rev-parse --git-path HEAD)", "rm $(git rev-parse --sq-quote HEAD)", "git format-patch -o HEAD x", "git init HEAD", "git clone u HEAD", "rm $(git ls-files HEAD)", "rm $(git log -- HEAD)",
			"curl -o HEAD u", "curl -oHEAD u", "curl -X HEAD -o HEAD u", "curl -X GET --output HEAD u", "wget -O HEAD u", "gh api /x > HEAD", "http u -o HEAD", "cp HEAD x",
		},
	} {
		for _, line := range lines {
			if j := p.Judge(command(line), tools.Act); j.Verdict != want {
				t.Errorf("%q: %+v, want %s", line, j, want)
			}
		}
	}
	// The reason that is shown where all is asked about is not another one.
	for _, line := range []string{"make $TARGET | head", "git checkout HEAD", "curl -X HEAD u"} {
		if j := (Policy{Protected: headIs}).Judge(command(line), tools.Act); j.Verdict != Ask || strings.Contains(j.Reason, "protected") {
			t.Errorf("%q: %+v", line, j)
		}
	}
}

package approval

import (
	"slices"
	"strings"
)

// fillers put files whose names the line does not tell into folders that it
// names, or into the one where it runs.
var fillers = fields("tar gtar bsdtar unzip 7z 7za 7zr 7zz cpio pax rar unrar unar ditto cp gcp mv gmv install ginstall rsync scp wget curl")

// filled are the folders that commands of the line, which run in one of places,
// may put files into, each with a slash at its end.
func (l line) filled(places []string) (list []string) {
	add := func(texts []string) {
		for _, at := range places {
			if at != "" {
				list = append(list, strings.TrimRight(at, "/")+"/")
			}
		}
		for _, name := range namesIn(texts) {
			list = append(list, strings.TrimRight(name, "/")+"/")
		}
	}
	for _, c := range l.nested {
		runs, _ := carries(c)
		texts := c.allWords()
		for i := range texts {
			if i > 0 && !runs {
				break
			}
			if name, _ := programOf(texts[i:]); slices.Contains(fillers(), name) && !readOnly(c) {
				add(texts[i+1:])
				break
			}
		}
	}
	return appendNew(nil, list)
}

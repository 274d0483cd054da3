package builtin

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// Some models that write their calls as XML escape the texts in them as if these
// were text nodes. Whether they did only the text itself can tell, so entities
// are resolved where there is proof, and in no file that may want them.

const entitiesNote = "The XML entities in your text, such as &lt;, were written as the characters they stand for."

// markup are the kinds of files in which entities are at home, alone or in
// templates and documents.
var markup = sync.OnceValue(func() map[string]bool {
	kinds := map[string]bool{}
	for _, ext := range strings.Fields(`
		.xml .xsl .xslt .xsd .dtd .rng .svg .mathml .rss .atom .plist .opf .ncx .dita .docbook .kml .gpx .xlf .xliff .tmx
		.html .htm .xhtml .shtml .mhtml .vue .svelte .astro .jsx .tsx .riot .marko .hta .amp
		.md .markdown .mdx .mdc .mdown .mkd .qmd .rmd .rst .adoc .asciidoc .textile .wiki .org .ipynb
		.jsp .jspx .asp .aspx .ascx .cshtml .vbhtml .razor .php .phtml .erb .rhtml .haml .slim .ejs .hbs .handlebars .mustache
		.twig .jinja .jinja2 .j2 .njk .liquid .ftl .vm .gohtml .tmpl .eex .heex .leex .pug .jade
		.xaml .axaml .resx .csproj .vbproj .fsproj .vcxproj .props .targets .nuspec .config .wxs .xib .storyboard .pom .iml .launch .fxml .ui .qrc .glade`) {
		kinds[ext] = true
	}
	return kinds
})

func isMarkup(file string) bool { return markup()[strings.ToLower(path.Ext(file))] }

// entity is what an escaped text holds in place of <, >, &, " and '.
var entity = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`&(?:lt|gt|amp|quot|apos|#39|#x27|#34|#x22);`)
})

// unescape resolves entities once: &amp;lt; is &lt; then. ok is false when
// there are none.
func unescape(text string) (plain string, ok bool) {
	if !entity().MatchString(text) {
		return text, false
	}
	return entity().ReplaceAllStringFunc(text, func(e string) string {
		switch e[1 : len(e)-1] {
		case "lt":
			return "<"
		case "gt":
			return ">"
		case "amp":
			return "&"
		case "quot", "#34", "#x22":
			return `"`
		}
		return "'"
	}), true
}

// escapedWhole resolves the entities of a whole file's text that was escaped: it
// has some, and none of what they stand for that XML does not allow.
func escapedWhole(file, text string) (string, bool) {
	if isMarkup(file) || strings.Contains(text, "<") {
		return text, false
	}
	if strings.Contains(entity().ReplaceAllString(text, ""), "&") {
		return text, false
	}
	return unescape(text)
}

// chooseText takes, of an edit in several parts, each part as written where it
// fits, and else without its entities where it fits so. A part that fits either
// way, having no entities where it is looked up, goes with the others. ok is
// false when no part is to be taken without them.
func chooseText[T any](written, plain []T, fits func(one T) bool) (parts []T, ok bool) {
	if len(plain) != len(written) {
		return nil, false
	}
	parts = make([]T, len(written))
	var either []int
	literal := false
	for i := range written {
		parts[i] = written[i]
		asWritten, asPlain := fits(written[i]), fits(plain[i])
		switch {
		case asWritten && asPlain:
			either = append(either, i)
		case asWritten:
			literal = true
		case asPlain:
			parts[i], ok = plain[i], true
		}
	}
	if ok && !literal {
		for _, i := range either {
			parts[i] = plain[i]
		}
	}
	return parts, ok
}

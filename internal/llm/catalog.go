package llm

import (
	"regexp"
	"strings"
	"sync"
)

// What is assumed of a model that is not known: the least that current models
// with tool calls can do.
const (
	defaultWindow = 128_000
	// localWindow is what local servers load unless told otherwise, about: they
	// cut what is longer without a word.
	localWindow = 32_768
	// maxTools is OpenAI's limit ("tools", a maximum of 128 functions), which
	// many compatible servers have taken over.
	maxTools = 128
)

// trait is what is known of the models whose name matches. Fields left zero say
// nothing. Wrong knowledge is worse than none: only what vendors document and
// what holds for all models of the pattern is here.
type trait struct {
	name   string
	family Family
	window int
	images bool
	// fixedTemperature: the server refuses the parameter.
	fixedTemperature bool
	replayThinking   bool
}

// traits are tried in order; the first whose name matches counts. Names are in
// lower case, without the vendor that gateways put before a slash.
var traits = []trait{
	{name: `gpt-5.*-chat`, family: GPT5, window: 128_000, images: true},
	{name: `gpt-5`, family: GPT5, window: 400_000, images: true, fixedTemperature: true},
	{name: `o1-(mini|preview)`, family: TextOnly, window: 128_000, fixedTemperature: true},
	{name: `o3-mini`, window: 200_000, fixedTemperature: true},
	{name: `o1\b|o3\b|o4-mini`, family: NextGen, window: 200_000, images: true, fixedTemperature: true},
	{name: `gpt-4\.1`, window: 1_047_576, images: true},
	{name: `(chat)?gpt-4o`, window: 128_000, images: true},
	{name: `gpt-4-turbo`, window: 128_000, images: true},
	{name: `gpt-4(-0613)?$`, window: 8_192},
	{name: `gpt-3\.5-turbo`, window: 16_385},
	{name: `gpt-oss`, family: GPTOSS, window: 131_072},
	{name: `claude-(opus|sonnet|haiku)-[4-9]|claude-[4-9]`, family: NextGen, window: 200_000, images: true},
	{name: `claude-3`, window: 200_000, images: true},
	{name: `gemini-(1\.5|2|3)`, family: Gemini, window: 1_048_576, images: true},
	{name: `deepseek-(reasoner|v3\.2|v4)`, window: 128_000, replayThinking: true},
	{name: `deepseek-(chat|v3|r1)`, window: 128_000},
	{name: `kimi-k2-thinking`, window: 262_144, replayThinking: true},
	{name: `kimi-k2\.`, window: 262_144, images: true, fixedTemperature: true, replayThinking: true},
	{name: `grok-4`, family: NextGen, window: 256_000, images: true},
	{name: `grok-3`, window: 131_072},
	{name: `grok-code`, window: 256_000},
	{name: `glm-4\.6`, window: 200_000},
	{name: `sonar`, family: TextOnly, window: 127_072},
}

var (
	// localTag is how Ollama and its like name a size: "qwen3:8b", "llama3.1:70b-instruct-q4_0".
	localTag = regexp.MustCompile(`:(latest|\d+(\.\d+)?[bm](-[a-z0-9_.-]*)?)$`)
	seesName = regexp.MustCompile(`\bvision\b|llava|[-.\d]vl\b|pixtral`)
)

// patterns are those of traits, compiled when first used.
var patterns = sync.OnceValue(func() []*regexp.Regexp {
	list := make([]*regexp.Regexp, len(traits))
	for i, t := range traits {
		list[i] = regexp.MustCompile(`^(` + t.name + `)`)
	}
	return list
})

// ModelFor returns what is known of a model by its name, and cautious
// assumptions for the rest: any name gives a Model that works.
func ModelFor(id string) Model {
	name := strings.ToLower(id[strings.LastIndex(id, "/")+1:])
	m := Model{ID: id, Family: Generic, ContextWindow: defaultWindow, MaxTools: maxTools, Temperature: new(float64), Images: seesName.MatchString(name)}
	if localTag.MatchString(name) && !strings.HasSuffix(name, "cloud") {
		m.Family, m.ContextWindow = Local, localWindow
		if strings.HasPrefix(name, "gpt-oss") {
			m.Family = GPTOSS
		}
		return m
	}
	for i, pattern := range patterns() {
		if !pattern.MatchString(name) {
			continue
		}
		t := &traits[i]
		if t.family != "" {
			m.Family = t.family
		}
		m.ContextWindow = t.window
		m.Images = m.Images || t.images
		m.ReplayThinking = t.replayThinking
		if t.fixedTemperature {
			m.Temperature = nil
		}
		break
	}
	return m
}

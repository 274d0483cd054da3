package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
)

// idRule is what a server takes as the id of a call. Ids of other providers in
// an older part of the transcript are rewritten, always to the same text.
type idRule struct {
	legal func() *regexp.Regexp
	made  func(hash string) string
}

var (
	// OpenAI: at most 64 characters. The alphabet is what all known servers make.
	commonIDs = idRule{pattern(`^[A-Za-z0-9_.:-]{1,64}$`), func(h string) string { return "call_" + h[:24] }}
	// Mistral: "must be a-z, A-Z, 0-9, with a length of 9".
	mistralIDs = idRule{pattern(`^[A-Za-z0-9]{9}$`), func(h string) string { return h[:9] }}

	mistralModel = pattern(`(?i)(^|/)(open-)?(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)\b`)
)

func idRuleFor(model string) idRule {
	if mistralModel().MatchString(model) {
		return mistralIDs
	}
	return commonIDs
}

func (r idRule) wire(id string) string {
	if r.legal().MatchString(id) {
		return id
	}
	return r.hashed(id)
}

// hashed returns the id that stands for one that cannot be used, always the same.
func (r idRule) hashed(id string) string {
	sum := sha256.Sum256([]byte(id))
	return r.made(hex.EncodeToString(sum[:]))
}

var notInName = pattern(`[^a-zA-Z0-9_-]`)

// wireName makes a name that a model made up ("functions.read file") legal:
// servers refuse a transcript that holds another ([a-zA-Z_][a-zA-Z0-9_-]{0,63}).
func wireName(name string) string {
	name = notInName().ReplaceAllString(name, "_")
	if name == "" || !legalName().MatchString(name[:1]) {
		name = "_" + name
	}
	return name[:min(len(name), 64)]
}

var legalName = pattern(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)

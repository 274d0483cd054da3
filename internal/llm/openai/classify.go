package openai

import (
	"slices"
	"strings"

	"clined/internal/llm"
)

// classify decides what the loop does about a failure. status is 0 for an
// error inside a stream that gives none.
func classify(status int, f fault) llm.Class {
	switch {
	case isOverflow(status, f):
		return llm.Overflow
	case isQuota(status, f):
		return llm.Quota
	case isAuth(status, f):
		return llm.Auth
	case status == 429 || f.has("rate_limit", "resource_exhausted", "too_many_requests", "throttl") && status != 403:
		return llm.RateLimited
	case status == 501 || status == 505:
		return llm.Refused
	case status >= 500 || status == 408 || status == 425:
		return llm.Overloaded
	case status >= 300 && !f.has("overloaded", "server_error", "unavailable"):
		return llm.Refused
	case status == 0 && f.has("invalid_request", "invalid_argument", "bad_request", "badrequest", "not_found", "unsupported"):
		return llm.Refused
	}
	// A request that was accepted and failed later failed upstream.
	return llm.Overloaded
}

// has reports whether one of the fault's words holds one of the
// given, which are in lower case.
func (f *fault) has(words ...string) bool {
	return slices.ContainsFunc(f.words, func(w string) bool {
		w = strings.ToLower(w)
		return slices.ContainsFunc(words, func(part string) bool { return strings.Contains(w, part) })
	})
}

var (
	quotaText = pattern(`(?i)insufficient[ _](quota|balance|credits?|funds|user[ _]quota)|credit balance is too low|out of credits?|(requires|need) more credits|spend(ing)? limit|billing hard limit|payment required|quota has been exhausted|余额不足|欠费`)
	// Google says this of rate limits too, but then tells when to try again.
	quotaSpent = pattern(`(?i)exceeded your (current|monthly) (quota|usage)`)
)

func isQuota(status int, f fault) bool {
	if status == 402 || f.has("insufficient_quota", "billing", "insufficient_balance", "insufficient_credits", "exceeded_current_quota") {
		return true
	}
	if status >= 500 || status == 404 {
		return false
	}
	return quotaText().MatchString(f.message) || quotaSpent().MatchString(f.message) && f.retry == 0
}

var (
	authText = pattern(`(?i)api[ _-]?key (is )?(not valid|invalid|missing|expired|required)|(invalid|incorrect|missing|wrong|no) api[ _-]?key|invalid (access )?token|unauthori[sz]ed`)
	// A 403 that no other key would change.
	forbidden = pattern(`(?i)country|region|territory|moderation|flagged|safety`)
)

func isAuth(status int, f fault) bool {
	switch status {
	case 401:
		return true
	case 403:
		return !forbidden().MatchString(f.message)
	case 0, 400:
		return f.has("authentication", "invalid_api_key", "api_key_invalid", "permission_denied", "permission_error", "unauthorized", "unauthenticated") || authText().MatchString(f.message)
	}
	return false
}

var (
	overflowText = pattern(`(?i)` + strings.Join([]string{
		`maximum (context|prompt|model) length`,
		`(prompt|input|conversation) (is|was)? ?too long`,
		`reduce the length of (the|your) (messages|prompt|input|conversation)`,
		`input token count[^.]* exceeds`,
		`(prompt|input)( length| tokens?| token count)?( of)?[ (:]*\d*[^.]{0,40} exceeds? (the |its )?(model'?s? )?(limit|maximum|max|context|configured)`,
		`context[ _-]?(length|window|size|limit)[^.]{0,40}(exceed|overflow|too (small|short))`,
		`(exceed|overflow|larger than|longer than|greater than|more than)[a-z]*[^.]{0,60}context[ _-]?(length|window|size|limit)`,
		`context (the )?overflows`,
		`exceeds? (the )?max_model_len`,
		`range of input length should be`,
		`too many tokens in (the )?(prompt|request|input)`,
		`(request|messages?) (contains|has|resulted in)[^.]{0,30} tokens[^.]{0,60}(limit|maximum|exceed)`,
	}, "|"))
	// The same words about another thing.
	notOverflow = pattern(`(?i)max_(completion_|output_|new_)?tokens['"\x60]*( or ['"\x60]?max_\w+['"\x60]?)? (is|was|value)? ?too large|(tool|function)s?\b[^.]{0,40}(name|description)[^.]{0,40}too long|rate limit`)
	tooLarge    = pattern(`(?i)request (was |is )?too large`)
)

// isOverflow recognises a request longer than the model's context. The wording
// differs with each provider, and most send a plain 400.
func isOverflow(status int, f fault) bool {
	switch status {
	case 401, 402, 403, 404:
		return false
	case 413:
		return true
	case 429:
		// A single request above the tokens of a minute passes at no time.
		return tooLarge().MatchString(f.message)
	}
	if f.has("context_length_exceeded", "exceed_context_size", "context_window_exceeded", "model_max_prompt_tokens_exceeded", "request_too_large") {
		return true
	}
	return overflowText().MatchString(f.message) && !notOverflow().MatchString(f.message)
}

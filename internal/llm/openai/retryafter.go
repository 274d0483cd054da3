package openai

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestDelay bounds what is believed of a server, against overflow.
const longestDelay = 30 * 24 * time.Hour

// retryAfter is how long the server asks to wait, 0 when it does not say.
// Retry-After (seconds or a date, RFC 9110) and retry-after-ms go before the
// text, and that before the reset of a limit, which only counts for a 429:
// servers send it with every answer.
func retryAfter(status int, h http.Header, f fault, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	if v := h.Get("Retry-After"); v != "" {
		if d := delay(v, now); d > 0 {
			return d
		}
		if t, err := http.ParseTime(v); err == nil && t.After(now) {
			return min(t.Sub(now), longestDelay)
		}
	}
	if f.retry > 0 || status != http.StatusTooManyRequests {
		return min(f.retry, longestDelay)
	}
	var wait time.Duration
	for _, kind := range []string{"", "-requests", "-tokens"} {
		if left := h.Get("X-Ratelimit-Remaining" + kind); left != "" && left != "0" {
			continue
		}
		wait = max(wait, delay(h.Get("X-Ratelimit-Reset"+kind), now))
	}
	if wait == 0 {
		wait = delay(h.Get("Ratelimit-Reset"), now)
	}
	return wait
}

// delay reads "7", "7.5", "1m30s", or a point in time as seconds or
// milliseconds since 1970; 0 for anything else and for what is past.
func delay(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return min(d, longestDelay)
	}
	n, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || !(n > 0):
		return 0
	case n > 1e12:
		n = n/1000 - float64(now.UnixMilli())/1000
	case n > 1e9:
		n -= float64(now.UnixMilli()) / 1000
	}
	return seconds(n)
}

func seconds(n float64) time.Duration {
	if !(n > 0) {
		return 0
	}
	return time.Duration(math.Min(n, longestDelay.Seconds()) * float64(time.Second))
}

const delayForms = `((?:\d[\d.]*(?:ms|h|m|s))+\b|(?:\d[\d.]* (?:millisecond|second|sec|minute|min|hour)s?\b ?)+|\d[\d.]*\b)`

// "Please retry in 7.5s", "try again in 1m30s", "try again in 20 seconds",
// "retry after 3 minutes", "Please wait 15 seconds".
var (
	delayText = pattern(`(?i)(?:try|trying)(?: again| your request)? (?:in|after) (?:about )?` + delayForms + `|wait (?:for )?` + delayForms)
	delayPart = pattern(`(?i)([\d.]+) ?([a-z]*)`)
)

func delayInText(text string) time.Duration {
	m := delayText().FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	total := 0.0
	for _, part := range delayPart().FindAllStringSubmatch(m[1]+m[2], -1) {
		n, err := strconv.ParseFloat(strings.TrimRight(part[1], "."), 64)
		if err != nil {
			return 0
		}
		switch unit := strings.ToLower(part[2]); {
		case unit == "ms" || strings.HasPrefix(unit, "milli"):
			n /= 1000
		case strings.HasPrefix(unit, "h"):
			n *= 3600
		case strings.HasPrefix(unit, "m"):
			n *= 60
		}
		total += n
	}
	return seconds(total)
}

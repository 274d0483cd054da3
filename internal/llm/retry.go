package llm

import "time"

// MaxRetries is how often a request that failed is sent again.
const MaxRetries = 3

// Backoff returns the pause before retry number attempt (from 1): 2, 4, 8 s,
// or what the provider asked for when that is longer.
func Backoff(attempt int, asked time.Duration) time.Duration {
	return max(asked, time.Second<<min(max(attempt, 1), MaxRetries))
}

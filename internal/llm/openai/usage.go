package openai

import (
	"encoding/json"

	"clined/internal/transcript"
)

// usage as OpenAI reports it, with the cache figures of OpenAI (inside the
// details), DeepSeek (hit and miss, which together are the prompt) and gateways.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Total      count `json:"total_tokens"`
	Hit        count `json:"prompt_cache_hit_tokens"`
	Miss       count `json:"prompt_cache_miss_tokens"`
	Cached     count `json:"cached_tokens"`
	Created    count `json:"cache_creation_input_tokens"`
	Details    struct {
		Cached  count `json:"cached_tokens"`
		Written count `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
}

// count is a number of tokens; anything that is none counts as 0.
type count int

func (c *count) UnmarshalJSON(raw []byte) error {
	var f float64
	if json.Unmarshal(raw, &f) == nil && f > 0 && f < 1<<31 {
		*c = count(f)
	}
	return nil
}

// counts makes the figures disjoint. The prompt figure includes what was read
// from the cache and what was written to it; each is counted once, and all add
// up to the provider's total.
func (u *usage) counts() (transcript.Usage, bool) {
	prompt := max(u.Prompt, u.Hit+u.Miss)
	read := min(prompt, max(u.Hit, u.Cached, u.Details.Cached))
	written := min(prompt-read, max(u.Created, u.Details.Written))
	output := u.Completion
	if u.Total > prompt {
		// Some leave reasoning out of the completion but not out of the total.
		output = u.Total - prompt
	}
	out := transcript.Usage{
		Input:      int(prompt - read - written),
		CacheRead:  int(read),
		CacheWrite: int(written),
		Output:     int(output),
	}
	return out, out.Total() > 0
}

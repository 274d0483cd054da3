package config

import (
	"encoding/json"
	"fmt"
)

// Prices are by model id.
type Prices map[string]Price

// Price is in US dollars per million tokens.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
}

// UnmarshalJSON takes only the names above and numbers that can be prices: a
// price that was misread would let a task cost more than its limit.
func (p *Price) UnmarshalJSON(b []byte) error {
	var parts map[string]*float64
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	into := map[string]*float64{"input": &p.Input, "output": &p.Output, "cacheRead": &p.CacheRead, "cacheWrite": &p.CacheWrite}
	for name, n := range parts {
		if into[name] == nil || n == nil || *n < 0 || *n > maxPrice {
			return fmt.Errorf("%q is no part of a price, or no number from 0 to %d", short(name), maxPrice)
		}
		*into[name] = *n
	}
	return nil
}

// maxPrice keeps what a task costs a number that can be written down.
const maxPrice = 1_000_000

// priceParts are the names in a price.
var priceParts = [...]string{"input", "output", "cacheRead", "cacheWrite"}

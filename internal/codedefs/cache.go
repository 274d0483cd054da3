package codedefs

import (
	"crypto/sha256"
	"slices"
	"sync"

	"clined/internal/tools"
)

// A cacheKey is a language and the hash of a text.
type cacheKey [sha256.Size]byte

func keyOf(lang string, source []byte) (k cacheKey) {
	h := sha256.New()
	h.Write([]byte(lang + "\x00"))
	h.Write(source)
	h.Sum(k[:0])
	return k
}

// A cache keeps the newest answers, up to a number of definitions in all (of
// about 200 bytes each).
type cache struct {
	most int

	mu      sync.Mutex
	answers map[cacheKey][]tools.Definition
	order   []cacheKey // as they came
	size    int        // definitions, and one per answer
}

func newCache(most int) *cache {
	return &cache{most: most, answers: map[cacheKey][]tools.Definition{}}
}

func (c *cache) get(k cacheKey) ([]tools.Definition, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defs, ok := c.answers[k]
	return slices.Clone(defs), ok
}

func (c *cache) put(k cacheKey, defs []tools.Definition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.answers[k]; ok || len(defs) >= c.most {
		return
	}
	c.answers[k] = slices.Clone(defs)
	c.order = append(c.order, k)
	c.size += len(defs) + 1
	for c.size > c.most {
		oldest := c.order[0]
		c.order = c.order[1:]
		c.size -= len(c.answers[oldest]) + 1
		delete(c.answers, oldest)
	}
}

package config

import (
	"net/url"
	"strings"
)

// origin is the part of a URL that decides who gets a key: scheme and host.
func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

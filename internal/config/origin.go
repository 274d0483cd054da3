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

// ShownURL is a URL as it may be printed: without what a gateway wants for a key
// in the query or in place of a user.
func ShownURL(raw string) string {
	head, query, has := strings.Cut(raw, "?")
	if scheme, rest, ok := strings.Cut(head, "://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			head = scheme + "://***" + strings.TrimSuffix(host[at:]+"/"+path, "/")
		}
	}
	if !has {
		return head
	}
	query, fragment, _ := strings.Cut(query, "#")
	parts := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	for i, part := range parts {
		if name, value, ok := strings.Cut(part, "="); ok && value != "" && !isPlainParameter(name) {
			parts[i] = name + "=***"
		}
	}
	if fragment != "" {
		fragment = "#" + fragment
	}
	return head + "?" + strings.Join(parts, "&") + fragment
}

// isPlainParameter tells of parameters of a query that are known to hold no
// secret, such as the api-version of Azure. What is not known may be one.
func isPlainParameter(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "version") || name == "deployment" || name == "model" || name == "region"
}

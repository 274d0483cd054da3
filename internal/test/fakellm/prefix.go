package fakellm

import (
	"bytes"
	"fmt"
)

// checkPrefix holds a conversation to the stable-prefix rule: the system text
// and tools of a request are those of the one before, and its messages begin
// with those of the one before, byte for byte, unless the reply allows a break.
func (s *Server) checkPrefix(req *Request, reply *Reply) problems {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.last[reply.Conversation]
	p := prefixProblems(before, req, reply)
	if len(p) == 0 {
		s.last[reply.Conversation] = req
	}
	return p
}

func prefixProblems(before, req *Request, reply *Reply) (p problems) {
	if before == nil {
		return nil
	}
	if !reply.Breaks["system"] && before.System != req.System {
		p.add("the system text is not that of request %d: %s", before.Number, difference(before.System, req.System))
	}
	if !reply.Breaks["tools"] && !bytes.Equal(before.rawTools, req.rawTools) {
		p.add("the tools are not those of request %d: %s", before.Number, difference(string(before.rawTools), string(req.rawTools)))
	}
	if reply.Breaks["messages"] {
		return p
	}
	for i := range before.Messages {
		if i >= len(req.Messages) {
			p.add("the messages are fewer than those of request %d: %d of %d", before.Number, len(req.Messages), len(before.Messages))
			break
		}
		if old, now := before.Messages[i].Raw, req.Messages[i].Raw; !bytes.Equal(old, now) {
			p.add("message %d after the system's is not that of request %d: %s", i, before.Number, difference(string(old), string(now)))
			break
		}
	}
	return p
}

// difference shows where two texts part.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-30)
	return fmt.Sprintf("at byte %d: was %q, is %q", i, a[from:min(len(a), i+60)], b[from:min(len(b), i+60)])
}

package llm

import "clined/internal/transcript"

// bytesPerToken is a cautious average over English text and code.
const bytesPerToken = 4

// imageBytes is what a picture counts for, whatever its file's size: providers
// charge by its area, about a thousand tokens for a screenshot.
const imageBytes = 1000 * bytesPerToken

// EstimateUsage guesses the tokens of a request and its answer, for providers
// that report none. It is marked as an estimate.
func EstimateUsage(req Request, answer transcript.Message) transcript.Usage {
	in := len(req.System)
	for _, t := range req.Tools {
		in += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for i := range req.Messages {
		in += sizeOf(&req.Messages[i])
	}
	return transcript.Usage{Input: tokens(in), Output: tokens(sizeOf(&answer)), Estimated: true}
}

func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

func sizeOf(m *transcript.Message) int {
	n := 0
	for _, p := range m.Parts {
		n += len(p.Text)
		if p.Call != nil {
			n += len(p.Call.Name) + len(p.Call.Arguments)
		}
		if p.Result != nil {
			n += len(p.Result.Text) + len(p.Result.Images)*imageBytes
		}
		if p.Image != nil {
			n += imageBytes
		}
	}
	return n
}

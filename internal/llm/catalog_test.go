package llm_test

import (
	"testing"

	"clined/internal/llm"
)

func TestModelFor(t *testing.T) {
	tests := []struct {
		id     string
		family llm.Family
		window int
		sees   bool
		temp   bool
		replay bool
	}{
		{"gpt-5", llm.GPT5, 400_000, true, false, false},
		{"gpt-5-chat-latest", llm.GPT5, 128_000, true, true, false},
		{"openai/gpt-5-mini", llm.GPT5, 400_000, true, false, false},
		{"gpt-4.1", llm.Generic, 1_047_576, true, true, false},
		{"gpt-4.1-mini-2025-04-14", llm.Generic, 1_047_576, true, true, false},
		{"gpt-4o-mini", llm.Generic, 128_000, true, true, false},
		{"gpt-4", llm.Generic, 8_192, false, true, false},
		{"gpt-4-1106-preview", llm.Generic, 128_000, false, true, false},
		{"o3", llm.NextGen, 200_000, true, false, false},
		{"o3-mini", llm.Generic, 200_000, false, false, false},
		{"o1-preview", llm.TextOnly, 128_000, false, false, false},
		{"anthropic/claude-sonnet-4.5", llm.NextGen, 200_000, true, true, false},
		{"claude-3-5-haiku-latest", llm.Generic, 200_000, true, true, false},
		{"google/gemini-2.5-pro", llm.Gemini, 1_048_576, true, true, false},
		{"deepseek-chat", llm.Generic, 128_000, false, true, false},
		{"deepseek-reasoner", llm.Generic, 128_000, false, true, true},
		{"deepseek/deepseek-r1", llm.Generic, 128_000, false, true, false},
		{"moonshotai/kimi-k2-thinking", llm.Generic, 262_144, false, true, true},
		{"x-ai/grok-4", llm.NextGen, 256_000, true, true, false},
		{"perplexity/sonar-pro", llm.TextOnly, 127_072, false, true, false},
		{"qwen3:8b", llm.Local, 32_768, false, true, false},
		{"hf.co/unsloth/Qwen3-GGUF:latest", llm.Local, 32_768, false, true, false},
		{"qwen2.5vl:7b", llm.Local, 32_768, true, true, false},
		{"gpt-oss:20b", llm.GPTOSS, 32_768, false, true, false},
		{"openai/gpt-oss-120b", llm.GPTOSS, 131_072, false, true, false},
		{"gpt-oss:120b-cloud", llm.GPTOSS, 131_072, false, true, false},
		{"mistralai/mistral-large:free", llm.Generic, 128_000, false, true, false},
		{"fake-model", llm.Generic, 128_000, false, true, false},
		{"my-gpt-5-finetune", llm.Generic, 128_000, false, true, false},
		{"o1x", llm.Generic, 128_000, false, true, false},
		{"", llm.Generic, 128_000, false, true, false},
	}
	for _, tt := range tests {
		m := llm.ModelFor(tt.id)
		if m.ID != tt.id || m.Family != tt.family || m.ContextWindow != tt.window || m.Images != tt.sees ||
			(m.Temperature != nil) != tt.temp || m.ReplayThinking != tt.replay {
			t.Errorf("%q: %+v", tt.id, m)
		}
		if m.Temperature != nil && *m.Temperature != 0 {
			t.Errorf("%q: temperature %v", tt.id, *m.Temperature)
		}
	}
}

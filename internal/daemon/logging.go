package daemon

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync/atomic"

	"clined/internal/config"
)

// logging is the log of a process: text at the level of the settings, and, when
// they say so, everything as JSON lines in a file. Settings may change what is
// logged at any time.
type logging struct {
	level slog.LevelVar
	// toFile says whether the file gets anything; failed that it could not be
	// written, which is told once.
	toFile, failed atomic.Bool
	text           slog.Handler
	file           *rotated
}

// newLogging writes text to w, and to clined.log in dir when apply says so.
func newLogging(w io.Writer, dir string) *logging {
	l := &logging{file: newRotated(dir, "clined.log", maxLog)}
	l.level.Set(slog.LevelWarn)
	l.text = slog.NewTextHandler(w, &slog.HandlerOptions{Level: &l.level})
	return l
}

// logger returns the logger of the process. Its lines in the file bear the
// process's id, for several write there.
func (l *logging) logger() *slog.Logger {
	file := slog.NewJSONHandler(l.file, &slog.HandlerOptions{Level: slog.LevelDebug})
	return slog.New(bothLogs{l, l.text, file.WithAttrs([]slog.Attr{slog.Int("pid", os.Getpid())})})
}

// apply makes the log what the settings want.
func (l *logging) apply(s *config.Settings) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.Log.Level)); err == nil {
		l.level.Set(level)
	}
	l.toFile.Store(s.Log.File)
}

// Close closes the file.
func (l *logging) Close() {
	l.toFile.Store(false)
	l.file.Close()
}

// bothLogs hands records to the text and to the file.
type bothLogs struct {
	*logging
	text, file slog.Handler
}

// Enabled implements slog.Handler.
func (h bothLogs) Enabled(ctx context.Context, level slog.Level) bool {
	return h.toFile.Load() || h.text.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h bothLogs) Handle(ctx context.Context, r slog.Record) error {
	if h.toFile.Load() {
		if err := h.file.Handle(ctx, r); err != nil && h.failed.CompareAndSwap(false, true) {
			told := slog.NewRecord(r.Time, slog.LevelWarn, "the log file cannot be written", 0)
			told.AddAttrs(slog.Any("err", err))
			_ = h.text.Handle(ctx, told)
		}
	}
	if !h.text.Enabled(ctx, r.Level) {
		return nil
	}
	return h.text.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h bothLogs) WithAttrs(attrs []slog.Attr) slog.Handler {
	return bothLogs{h.logging, h.text.WithAttrs(attrs), h.file.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h bothLogs) WithGroup(name string) slog.Handler {
	return bothLogs{h.logging, h.text.WithGroup(name), h.file.WithGroup(name)}
}

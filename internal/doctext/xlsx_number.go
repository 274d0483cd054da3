package doctext

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"
)

// numberFormat is how a number is meant.
type numberFormat byte

const (
	plainNumber numberFormat = iota
	percent
	date
	clock
	dateAndClock
	elapsed // hours beyond a day
)

// builtinFormat tells what the formats without a code mean (ECMA-376, part 1,
// 18.8.30, and those of East Asian languages).
func builtinFormat(id int) numberFormat {
	switch {
	case id == 9 || id == 10:
		return percent
	case id >= 14 && id <= 17 || id >= 27 && id <= 31 || id >= 50 && id <= 58 || id == 36:
		return date
	case id >= 18 && id <= 21 || id == 45 || id == 47 || id >= 32 && id <= 35:
		return clock
	case id == 22:
		return dateAndClock
	case id == 46:
		return elapsed
	}
	return plainNumber
}

// formatOf tells what a format code means, by its first section.
func formatOf(code string) numberFormat {
	days, hours := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == ';':
			i = len(code)
		case code[i] == '"':
			i = after(code, i, '"')
		case code[i] == '\\', code[i] == '_', code[i] == '*':
			i++
		case code[i] == '[':
			end := after(code, i, ']')
			inner := strings.Trim(strings.ToLower(code[i:min(end+1, len(code))]), "[]")
			if inner != "" && strings.Trim(inner, "hms") == "" {
				return elapsed
			}
			i = end
		case code[i] == '%':
			return percent
		case c == 'y' || c == 'd':
			days = true
		case c == 'h' || c == 's':
			hours = true
		case c == 'm':
			days = days || !hours && !strings.ContainsAny(code[i:], "sS")
		}
	}
	switch {
	case days && hours:
		return dateAndClock
	case days:
		return date
	case hours:
		return clock
	}
	return plainNumber
}

// after returns the index of the next end after i, or the last index.
func after(code string, i int, end byte) int {
	if n := strings.IndexByte(code[i+1:], end); n >= 0 {
		return i + 1 + n
	}
	return len(code) - 1
}

// readFormats reads which style has which format.
func (w *workbook) readFormats(p *pack, name string) error {
	codes := map[int]numberFormat{}
	in := false
	return p.walk(name, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			id, _ := strconv.Atoi(attr(t, "numFmtId"))
			switch t.Name.Local {
			case "numFmt":
				codes[id] = formatOf(attr(t, "formatCode"))
			case "cellXfs":
				in = true
			case "xf":
				if !in {
					return nil
				}
				f, ok := codes[id]
				if !ok {
					f = builtinFormat(id)
				}
				w.formats = append(w.formats, f)
			}
		case xml.EndElement:
			if t.Name.Local == "cellXfs" {
				in = false
			}
		}
		return nil
	})
}

// number writes a number as its style means it, dates as ISO 8601.
func (w *workbook) number(value string, style int) string {
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return value
	}
	format := plainNumber
	if style >= 0 && style < len(w.formats) {
		format = w.formats[style]
	}
	switch format {
	case plainNumber:
		return shortest(f)
	case percent:
		return shortest(f*100) + "%"
	}
	const maxDay = 2958466 // 9999-12-31 is the last day that there is
	if f < 0 || f >= maxDay {
		return shortest(f)
	}
	if format == elapsed {
		s := int64(math.Round(f * 86400))
		return strconv.FormatInt(s/3600, 10) + time.Unix(s%3600, 0).UTC().Format(":04:05")
	}
	return w.instant(f).Format(map[numberFormat]string{date: time.DateOnly, clock: time.TimeOnly, dateAndClock: time.DateTime}[format])
}

// instant is what a count of days means. The year 1900 has a 29th of February
// there, so the first two months are a day off.
func (w *workbook) instant(days float64) time.Time {
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.date1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		start = start.AddDate(0, 0, 1)
	}
	whole := math.Floor(days)
	seconds := math.Round((days - whole) * 86400)
	return start.AddDate(0, 0, int(whole)).Add(time.Duration(seconds) * time.Second)
}

// shortest writes at most 15 digits, as Excel does.
func shortest(f float64) string {
	text := strconv.FormatFloat(f, 'g', 15, 64)
	if g, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(g) < 1e15 && math.Abs(g) > 1e-6 || f == 0 {
		return strconv.FormatFloat(g, 'f', -1, 64)
	}
	return text
}

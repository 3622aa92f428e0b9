package admin

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxProperties is the greatest length of a properties file, in bytes.
const MaxProperties = 1 << 20

// ErrProperties is wrapped by errors about a properties file.
var ErrProperties = errors.New("malformed properties")

// Properties is a file of keys and values as Java's java.util.Properties has it,
// which keeps comments, order and whatever it does not know.
type Properties struct {
	lines []property
	at    map[string]int // the last line of a key
}

// property is a logical line: a key and value, or text that has none.
type property struct {
	text       string // as it stands in the file, without the last line end
	key, value string
	isPair     bool
}

// ParseProperties reads a properties file. Text that is not UTF-8 is taken as
// Latin-1, as the game did once. An error wraps ErrProperties and names the line.
func ParseProperties(file []byte) (*Properties, error) {
	if len(file) > MaxProperties {
		return nil, fmt.Errorf("%d bytes, more than %d: %w", len(file), MaxProperties, ErrProperties)
	}
	if !utf8.Valid(file) {
		runes := make([]rune, len(file))
		for i, b := range file {
			runes[i] = rune(b)
		}
		file = []byte(string(runes))
	}
	file = bytes.ReplaceAll(file, []byte("\r\n"), []byte("\n"))
	file = bytes.ReplaceAll(file, []byte("\r"), []byte("\n"))
	p := &Properties{at: map[string]int{}}
	rest := strings.TrimSuffix(string(file), "\n")
	for number := 1; rest != "" || number == 1 && len(file) > 0; {
		text, after := logicalLine(rest)
		line := property{text: text}
		if body := joined(text); body != "" {
			var err error
			if line.key, line.value, err = splitPair(body); err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			line.isPair = true
			p.at[line.key] = len(p.lines)
		}
		p.lines = append(p.lines, line)
		number += 1 + strings.Count(text, "\n")
		rest = after
	}
	return p, nil
}

// logicalLine cuts off a line with those that continue it.
func logicalLine(rest string) (line, after string) {
	for at := 0; ; {
		end := strings.IndexByte(rest[at:], '\n')
		if end < 0 {
			return rest, ""
		}
		end += at
		if isComment(rest[:end]) || !continues(rest[at:end]) {
			return rest[:end], rest[end+1:]
		}
		at = end + 1
	}
}

func isComment(line string) bool {
	line = strings.TrimLeft(line, " \t\f")
	return line == "" || line[0] == '#' || line[0] == '!'
}

// continues reports whether a line ends with an odd number of backslashes.
func continues(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// joined is the logical line as one, "" for a comment or an empty one.
func joined(text string) string {
	if isComment(text) {
		return ""
	}
	parts := strings.Split(text, "\n")
	for i, part := range parts {
		part = strings.TrimLeft(part, " \t\f")
		if i < len(parts)-1 {
			part = strings.TrimSuffix(part, `\`)
		}
		parts[i] = part
	}
	return strings.Join(parts, "")
}

// splitPair parts key and value at the first =, : or blank that is not escaped.
func splitPair(line string) (key, value string, err error) {
	end := len(line)
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
			continue
		}
		if strings.IndexByte("=: \t\f", line[i]) >= 0 {
			end = i
			break
		}
	}
	rest := strings.TrimLeft(line[end:], " \t\f")
	if rest != "" && (rest[0] == '=' || rest[0] == ':') {
		rest = strings.TrimLeft(rest[1:], " \t\f")
	}
	if key, err = unescape(line[:end]); err == nil {
		value, err = unescape(rest)
	}
	return key, value, err
}

func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			unit, err := hexUnit(s[i+1:])
			if err != nil {
				return "", err
			}
			i += 4
			// The second half of a character beyond 16 bits.
			if low := strings.TrimPrefix(s[i+1:], `\u`); 0xD800 <= unit && unit < 0xDC00 && len(low) < len(s[i+1:]) {
				if second, err := hexUnit(low); err == nil && 0xDC00 <= second && second < 0xE000 {
					unit = (unit-0xD800)<<10 + (second - 0xDC00) + 0x10000
					i += 6
				}
			}
			b.WriteRune(unit)
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), nil
}

func hexUnit(s string) (rune, error) {
	if len(s) < 4 {
		return 0, fmt.Errorf(`\u without four digits: %w`, ErrProperties)
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	if err != nil {
		return 0, fmt.Errorf(`\u%s: %w`, s[:4], ErrProperties)
	}
	return rune(n), nil
}

// Get returns the value of a key.
func (p *Properties) Get(key string) (value string, ok bool) {
	i, ok := p.at[key]
	if !ok {
		return "", false
	}
	return p.lines[i].value, true
}

// Keys are the keys in the order of the file, each once.
func (p *Properties) Keys() []string {
	var keys []string
	for i, l := range p.lines {
		if l.isPair && p.at[l.key] == i {
			keys = append(keys, l.key)
		}
	}
	return keys
}

// Set changes the value of a key where it stands, or adds it at the end. A value
// that is there already changes nothing.
func (p *Properties) Set(key, value string) {
	i, ok := p.at[key]
	if ok && p.lines[i].value == value {
		return
	}
	if !ok {
		i = len(p.lines)
		p.lines = append(p.lines, property{})
		p.at[key] = i
	}
	p.lines[i] = property{text: escape(key, true) + "=" + escape(value, false), key: key, value: value, isPair: true}
}

// Comment adds a comment at the end.
func (p *Properties) Comment(text string) {
	p.lines = append(p.lines, property{text: "#" + strings.ReplaceAll(text, "\n", "\n#")})
}

// Bytes is the file.
func (p *Properties) Bytes() []byte {
	var b bytes.Buffer
	for _, l := range p.lines {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func escape(s string, key bool) string {
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == '\\' || c == '=' || c == ':' || c == '#' || c == '!', c == ' ' && (key || i == 0):
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\f':
			b.WriteString(`\f`)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

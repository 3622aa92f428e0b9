package lineedit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// shown is how many of several completions are listed.
const shown = 100

// key completes what stands before the cursor when Tab is typed.
func (t *Terminal) key(line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' {
		return "", 0, false
	}
	if t.complete == nil {
		return line, pos, true
	}
	typed := line[:pos]
	start, matches := t.complete(typed)
	if len(matches) == 0 || start < 0 || start > len(typed) {
		return line, pos, true
	}
	begin, rest := common(matches), typed[start:]
	// Of several what is typed may be a part inside, which must not get lost.
	if len(matches) > 1 && (len(begin) <= len(rest) || !strings.EqualFold(begin[:len(rest)], rest)) {
		t.list(matches)
		return line, pos, true
	}
	completed := typed[:start] + begin
	return completed + line[pos:], len(completed), true
}

// common is how all of some texts begin.
func common(all []string) string {
	begin := all[0]
	for _, s := range all[1:] {
		for !strings.HasPrefix(s, begin) {
			_, size := utf8.DecodeLastRuneInString(begin)
			begin = begin[:len(begin)-size]
		}
	}
	return begin
}

// list prints completions that there are.
func (t *Terminal) list(matches []string) {
	text := strings.Join(matches[:min(len(matches), shown)], "  ")
	if more := len(matches) - shown; more > 0 {
		text += fmt.Sprintf("  and %d more", more)
	}
	_, _ = t.Write([]byte(text + "\n")) // as any other output
}

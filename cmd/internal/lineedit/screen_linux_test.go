package lineedit

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen is what a terminal shows, endlessly long, of what was printed to it.
type screen struct {
	mu    sync.Mutex // guards what follows
	lines [][]rune
	x, y  int
	esc   string // an unfinished control sequence
}

// watch draws what comes until the end.
func watch(keys *os.File) *screen {
	s := &screen{lines: [][]rune{nil}}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := keys.Read(buf)
			if err != nil {
				return
			}
			s.draw(string(buf[:n]))
		}
	}()
	return s
}

func (s *screen) draw(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range text {
		switch {
		case s.esc != "" || r == 0x1b:
			s.escape(r)
		case r == '\r':
			s.x = 0
		case r == '\n':
			s.y++
		default:
			s.put(r)
		}
		for len(s.lines) <= s.y {
			s.lines = append(s.lines, nil)
		}
	}
}

func (s *screen) put(r rune) {
	line := s.lines[s.y]
	for len(line) <= s.x {
		line = append(line, ' ')
	}
	line[s.x] = r
	s.lines[s.y] = line
	s.x++
}

// escape does the sequences that package term prints.
func (s *screen) escape(r rune) {
	s.esc += string(r)
	if r == 0x1b || r == '[' || r >= '0' && r <= '9' || r == ';' {
		return
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s.esc[:len(s.esc)-1], "\x1b["))
	if err != nil {
		n = 1
	}
	switch r {
	case 'A':
		s.y = max(s.y-n, 0)
	case 'B':
		s.y += n
	case 'C':
		s.x += n
	case 'D':
		s.x = max(s.x-n, 0)
	case 'K':
		s.lines[s.y] = s.lines[s.y][:min(s.x, len(s.lines[s.y]))]
	default:
		panic(fmt.Sprintf("sequence %q", s.esc))
	}
	s.esc = ""
}

// String is the lines, without blanks at their ends.
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, l := range s.lines {
		b.WriteString(strings.TrimRight(string(l), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// shows waits until the screen is that.
func (s *screen) shows(t *testing.T, want string) {
	t.Helper()
	s.until(t, want, func(got string) bool { return got == want })
}

// until waits until the screen is as it should be.
func (s *screen) until(t *testing.T, want string, is func(string) bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		got := s.String()
		if is(got) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the screen is\n%s\nwant\n%s", got, want)
		}
	}
}

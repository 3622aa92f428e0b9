package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"strata/region/vfs"
)

func TestExitCodeOfAnError(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		want Code
	}{
		{"none", nil, 0},
		{"any other", errors.New("broken"), 1},
		{"absent file, of which only the command knows what it is", fs.ErrNotExist, 1},
		{"usage", Errorf(Usage, "no such dimension"), 2},
		{"problems", Errorf(Problems, "3 findings"), 3},
		{"missing", Errorf(Missing, "no world: %w", fs.ErrNotExist), 10},
		{"locked", vfs.ErrLocked, 11},
		{"in use", vfs.ErrInUse, 11},
		{"wrong key", Errorf(WrongKey, "key of another repository"), 12},
		{"full disk", vfs.ErrNoSpace, 13},
		{"full disk as the system says it", syscall.ENOSPC, 13},
		{"interrupted", context.Canceled, 130},
		{"too late", context.DeadlineExceeded, 1},
		{"its own code before that of its cause", Errorf(Problems, "1 skipped: %w", vfs.ErrLocked), 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := CodeOf(tc.err); got != tc.want {
				t.Errorf("code %d, want %d", got, tc.want)
			}
			if tc.err == nil {
				return
			}
			wrapped := fmt.Errorf("write chunk 1,2: %w", tc.err)
			if got := CodeOf(wrapped); got != tc.want {
				t.Errorf("code %d when wrapped, want %d", got, tc.want)
			}
		})
	}
}

func TestHintKeepsCodeCauseAndText(t *testing.T) {
	err := WithHint(fmt.Errorf("open world: %w", vfs.ErrLocked), "stop the server in %s", "w")
	if got := CodeOf(err); got != Locked {
		t.Errorf("code %d, want %d", got, Locked)
	}
	if !errors.Is(err, vfs.ErrLocked) {
		t.Error("the cause is lost")
	}
	if got, want := err.Error(), "open world: locked by another holder"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got, want := HintOf(fmt.Errorf("pregen: %w", err)), "stop the server in w"; got != want {
		t.Errorf("hint %q, want %q", got, want)
	}
	if got := HintOf(errors.New("plain")); got != "" {
		t.Errorf("hint %q of an error without one", got)
	}
}

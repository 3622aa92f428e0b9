package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// ChangeFlags are the flags of a command that changes a world or repository.
type ChangeFlags struct {
	DryRun bool // print the plan and change nothing
	Yes    bool // do not ask
}

// Register adds the flags to set.
func (f *ChangeFlags) Register(set *pflag.FlagSet) {
	set.BoolVar(&f.DryRun, "dry-run", false, "print the exact plan and change nothing")
	set.BoolVarP(&f.Yes, "yes", "y", false, "make the change without asking")
}

// Proceed reports whether the change is to be made. With --dry-run the plan
// is the result: it is printed and Proceed returns false. With --yes it
// returns true at once. Otherwise it shows the plan on standard error and
// asks; anything but yes is an *Error of code Failed, and without a terminal
// to ask on an *Error of code Usage.
func (f *ChangeFlags) Proceed(ctx context.Context, c *Console, plan any, text func(w io.Writer) error, question string) (bool, error) {
	if f.DryRun {
		return false, c.Result(plan, text)
	}
	if f.Yes {
		return true, nil
	}
	if !c.streams.InTerminal || !c.streams.ErrTerminal {
		return false, WithHint(Errorf(Usage, "this changes data, and there is no terminal to ask on"),
			"see the plan with --dry-run, make the change with --yes")
	}
	if err := text(c.err); err != nil {
		return false, err
	}
	return c.ask(ctx, question)
}

// ask waits for an answer or the end of ctx. The read of a terminal cannot be
// stopped, so its goroutine may outlive an interrupted call; the process ends
// right after that.
func (c *Console) ask(ctx context.Context, question string) (bool, error) {
	fmt.Fprintf(c.err, "%s [y/N] ", question)
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := bufio.NewReader(c.streams.In).ReadString('\n')
		answers <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		c.Notef("")
		return false, ctx.Err()
	case got := <-answers:
		if got.err != nil && !errors.Is(got.err, io.EOF) {
			return false, fmt.Errorf("read the answer: %w", got.err)
		}
		switch strings.ToLower(strings.TrimSpace(got.text)) {
		case "y", "yes":
			return true, nil
		}
		return false, Errorf(Failed, "not confirmed, nothing was changed")
	}
}

// AskSecret asks a person for a passphrase, which is not shown while it is
// typed. Without a terminal to ask on it is an *Error of code Usage.
func (c *Console) AskSecret(question string) (string, error) {
	in, isFile := c.streams.In.(*os.File)
	if !isFile || !c.streams.InTerminal || !c.streams.ErrTerminal {
		return "", Errorf(Usage, "there is no terminal to ask for it on")
	}
	fmt.Fprintf(c.err, "%s: ", question)
	text, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(c.err)
	if err != nil {
		return "", fmt.Errorf("read the passphrase: %w", err)
	}
	return string(text), nil
}

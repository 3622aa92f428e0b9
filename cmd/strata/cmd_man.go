package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"strata/cmd/internal/ui"
)

// manPages is the result of strata man.
type manPages struct {
	Dir   string   `json:"dir"`
	Pages []string `json:"pages"`
}

func newManCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a folder",
		Long: `Write the manual pages into a folder, which is made if it is not there.

The same binary writes the same pages: their date is that of the commit it
was built from, or of SOURCE_DATE_EPOCH where that is set.`,
		Args: exactArgs("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			date, err := manDate(a.streams.Getenv("SOURCE_DATE_EPOCH"), readVersion())
			if err != nil {
				return err
			}
			result, err := writeManPages(cmd.Root(), args[0], date)
			if err != nil {
				return err
			}
			return a.console.Result(result, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%d pages in %s\n", len(result.Pages), result.Dir)
				return err
			})
		},
	}
}

func writeManPages(root *cobra.Command, dir string, date time.Time) (manPages, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return manPages{}, err
	}
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "strata " + readVersion().Version, Manual: "Strata manual"}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return manPages{}, fmt.Errorf("write manual pages: %w", err)
	}
	result := manPages{Dir: dir}
	result.add(root)
	return result, nil
}

// add lists the pages of cmd and its children, in the order of the help text.
func (m *manPages) add(cmd *cobra.Command) {
	m.Pages = append(m.Pages, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() && !child.IsAdditionalHelpTopicCommand() {
			m.add(child)
		}
	}
}

// manDate returns the date for the pages. A build without a recorded commit
// gets a fixed one, so that its pages are the same each time too.
func manDate(sourceDateEpoch string, v buildVersion) (time.Time, error) {
	switch {
	case sourceDateEpoch != "":
		seconds, err := strconv.ParseInt(sourceDateEpoch, 10, 64)
		if err != nil {
			return time.Time{}, ui.Errorf(ui.Usage, "SOURCE_DATE_EPOCH %q is not a number of seconds", sourceDateEpoch)
		}
		return time.Unix(seconds, 0).UTC(), nil
	case v.Time != nil:
		return *v.Time, nil
	default:
		return time.Unix(0, 0).UTC(), nil
	}
}

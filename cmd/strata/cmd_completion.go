package main

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
)

// completionScript is the result of strata completion.
type completionScript struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

func newCompletionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the script that completes commands in a shell",
		Long: `Print the script that completes commands in a shell.

For the running shell:
  bash        source <(strata completion bash)
  zsh         source <(strata completion zsh)
  fish        strata completion fish | source
  powershell  strata completion powershell | Out-String | Invoke-Expression

For every new shell, write the same script where the shell looks for them:
  bash        /etc/bash_completion.d/strata
  zsh         "${fpath[1]}/_strata"
  fish        ~/.config/fish/completions/strata.fish
  powershell  a file that your profile runs`,
		ValidArgs:             []string{"bash", "zsh", "fish", "powershell"},
		Args:                  exactArgs("bash|zsh|fish|powershell"),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			script, err := writeCompletion(cmd.Root(), args[0])
			if err != nil {
				return err
			}
			return a.console.Result(completionScript{args[0], script}, func(w io.Writer) error {
				_, err := io.WriteString(w, script)
				return err
			})
		},
	}
}

func writeCompletion(root *cobra.Command, shell string) (string, error) {
	var script bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&script, true)
	case "zsh":
		err = root.GenZshCompletion(&script)
	case "fish":
		err = root.GenFishCompletion(&script, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&script)
	default:
		err = ui.Errorf(ui.Usage, "shell %q is not one of bash, zsh, fish or powershell", shell)
	}
	return script.String(), err
}

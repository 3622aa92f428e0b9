package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

func main() {
	if err := serve(os.Stdin, os.Stdout, libraryVersion(), runtime.Version()); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

const library = "github.com/Tnze/go-mc"

// libraryVersion is the version that the program was linked with, with what
// replaces it if something does.
func libraryVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path != library {
			continue
		}
		if m.Replace != nil {
			return m.Version + " => " + m.Replace.Path + " " + m.Replace.Version
		}
		return m.Version
	}
	return "unknown"
}

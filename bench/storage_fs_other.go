//go:build !linux

package bench

// fileSystemOf is not known here.
func fileSystemOf(string) string { return "" }

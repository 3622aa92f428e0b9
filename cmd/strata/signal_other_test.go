//go:build !unix

package main

// runSignals is not called: the script that does needs signals.
func runSignals() {}

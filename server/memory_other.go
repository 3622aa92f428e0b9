//go:build !linux

package server

// releaseText does nothing: other systems have no way to say it.
func releaseText() {}

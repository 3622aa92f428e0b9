//go:build !linux && !unix && !windows

package main

import "errors"

// lowerPriority makes the process give way to others.
func lowerPriority() error { return errors.ErrUnsupported }

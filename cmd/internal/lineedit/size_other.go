//go:build !unix

package lineedit

// followSize does nothing: the window keeps the size that it had.
func followSize(func()) (stop func()) { return func() {} }

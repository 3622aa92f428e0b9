package pregen

// NewFake returns the generator of the package's tests.
func NewFake() Generator { return newFake() }

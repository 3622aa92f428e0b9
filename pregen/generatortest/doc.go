// Package generatortest is the test that every generator of chunks passes: what
// a run of package pregen relies on. A generator's own tests call [Run] with
// it; that the chunks are right is for other tests to say.
package generatortest

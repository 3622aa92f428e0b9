// Package archtest checks what the compiler does not: that the folders of the
// project are the agreed ones, that imports between them go one way, that
// worlds are changed through anvil/store, and that no file speaks of the
// machine it was written on.
//
// A finding is one broken rule in one place. Check looks at a file system, so
// the rules themselves are tested on small trees made for the purpose, and
// the project's test runs Check on the checkout.
//
// Rules hold for Go files that are not tests: a test may import what it
// likes. Folders with a go.mod of their own are other modules, and their
// imports are theirs. What the go command and git leave out (testdata,
// node_modules, build output, dot-folders) is left out here, except that
// texts below .ci and the other dot-files are read for machine paths.
package archtest

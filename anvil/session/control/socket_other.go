//go:build !unix

package control

import "net"

func listen() (net.Listener, error) { return listenTCP() }

// removeSocket has nothing to remove: a port ends with its process.
func removeSocket(string) error { return nil }

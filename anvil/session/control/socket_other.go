//go:build !unix

package control

import "net"

// listen opens a port of the loopback interface.
func listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

// removeSocket has nothing to remove: a port ends with its process.
func removeSocket(string) error { return nil }

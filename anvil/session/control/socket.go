package control

import "net"

// listenTCP opens a port of the loopback interface, where there are no Unix
// sockets. Anybody on the machine may connect to it, but only who can read the
// world's file is let in.
func listenTCP() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

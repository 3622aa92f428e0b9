package server

import (
	"net"
	"sync/atomic"
)

// traffic counts what goes over connections.
type traffic struct {
	in, out  atomic.Int64 // bytes
	accepted atomic.Int64 // connections
	open     atomic.Int64 // of these
}

// count has a connection's bytes counted.
func (t *traffic) count(c net.Conn) net.Conn {
	t.accepted.Add(1)
	t.open.Add(1)
	return countedConn{c, t}
}

type countedConn struct {
	net.Conn
	traffic *traffic
}

func (c countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.traffic.in.Add(int64(n))
	return n, err
}

func (c countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.traffic.out.Add(int64(n))
	return n, err
}

package control

import (
	"strata/anvil/session"
	"strata/region/vfs"
)

// ServeTCP is Serve as systems without Unix sockets have it.
func ServeTCP(fsys vfs.FS, lock *session.Lock, handlers map[string]Handler) (*Server, error) {
	return serve(fsys, lock, handlers, listenTCP)
}

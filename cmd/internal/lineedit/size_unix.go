//go:build unix

package lineedit

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// followSize calls f whenever the window has another size, until stop, which waits
// for the last call.
func followSize(f func()) (stop func()) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	ended := make(chan struct{})
	var following sync.WaitGroup
	following.Go(func() {
		for {
			select {
			case <-changed:
				f()
			case <-ended:
				return
			}
		}
	})
	return func() {
		signal.Stop(changed)
		close(ended)
		following.Wait()
	}
}

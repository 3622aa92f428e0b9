module strata/bench/peers

go 1.26.0

require (
	github.com/Tnze/go-mc v1.20.2
	golang.org/x/sys v0.50.0
)

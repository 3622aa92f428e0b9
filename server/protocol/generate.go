package protocol

//go:generate go run strata/cmd/internal/genprotocol

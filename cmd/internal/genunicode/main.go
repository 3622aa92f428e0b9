package main

import (
	"os"

	"strata/cmd/internal/gamedata"
)

func main() { gamedata.Exit("genunicode", generateHere()) }

func generateHere() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	out, err := generate(cache)
	if err != nil {
		return err
	}
	return out.write(".")
}

// generate makes the files from the package in the cache folder.
func generate(cache string) (*output, error) {
	src, err := readSource(cache)
	if err != nil {
		return nil, err
	}
	named, families, err := javaNames(src)
	if err != nil {
		return nil, err
	}
	return emit(named, families)
}

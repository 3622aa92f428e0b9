package main

import (
	"path/filepath"

	"strata/cmd/internal/gamedata"
)

// schemaPath is the file in the package that is read.
const schemaPath = "minecraft-data/data/pc/26.1/protocol.json"

func main() { gamedata.Exit("genprotocol", generateIn(".")) }

// generateIn writes the files into dir.
func generateIn(dir string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := gamedata.Write(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files by name.
func generate() (map[string][]byte, error) {
	src, err := gamedata.Open(".")
	if err != nil {
		return nil, err
	}
	input, err := src.Package(schemaPath)
	if err != nil {
		return nil, err
	}
	s, err := readSchema(input[schemaPath])
	if err != nil {
		return nil, err
	}
	return emit(s)
}

package backup

// Last reports whether a file, by its path in the repository, is the one that
// makes a folder a repository: whoever makes a copy of the files without knowing
// their order writes it last.
func Last(path string) bool { return path == configName }

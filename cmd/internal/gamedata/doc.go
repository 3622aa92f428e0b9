// Package gamedata is what the generators of game tables read: the npm
// package minecraft-data and the archives of the shared folder.
//
// Its nouns:
//
//   - the shared folder is the sibling named "shared" of the folder whose
//     go.mod names the module strata; its folder reference/ holds the
//     archives;
//
//   - an archive is a .tar.zst in reference/; files inside it are named by
//     their path below its single top folder;
//
//   - the package is the file minecraft-data-3.119.0.tgz in the folder
//     strata-npm of the user's cache folder ($XDG_CACHE_HOME, else
//     ~/.cache), put there by
//
//     npm pack --pack-destination ~/.cache/strata-npm minecraft-data@3.119.0
//
//     and read only if its checksum is [PackageSHA256];
//
//   - an input is one file that was read, with its checksum, for the header
//     of what is generated from it.
//
// Nothing here downloads. What is not on the machine is [ErrAbsent]; a
// generator then leaves its output as it is and says so ([Exit]), so that
// go generate changes nothing on a machine without game data.
//
// A Sources is for one goroutine.
package gamedata

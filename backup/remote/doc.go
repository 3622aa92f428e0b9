// Package remote keeps a second copy of a repository elsewhere: in another
// folder, in storage that speaks S3, or on a machine that is reached by SFTP.
//
// A repository's files never change once they are there, so a copy is a matter
// of names and sizes: [Copy] sends what is missing, in the repository's order,
// so that no file stands in the copy before those that it needs. A copy that
// is broken off, at whatever byte, is a repository in which the last snapshots
// are missing, and the next Copy goes on. [Fetch] makes a repository of a copy, and
// [Check] reads both sides and compares.
//
// A [Store] is such a place. A file appears in it whole or not at all: folders
// and SFTP get it under a temporary name that begins with ".strata-", S3 makes
// that promise itself. What a broken Put leaves is swept by the next Copy.
//
// # Addresses
//
//	/mnt/backup                             a folder
//	s3://bucket/prefix?endpoint=HOST:PORT   also region=..., insecure=true (HTTP), path-style=true
//	sftp://user@host:22/path                an absolute path; /~/path is one below the home folder
//
// Keys of S3 are taken from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and
// AWS_SESSION_TOKEN), or the files and services that Amazon's own tools look
// in. SFTP logs in with the agent of SSH_AUTH_SOCK, the key files
// id_ed25519, id_ecdsa and id_rsa of ~/.ssh, or the password in STRATA_SFTP_PASSWORD; the
// host's key has to be in ~/.ssh/known_hosts. STRATA_SSH_KEY and STRATA_SSH_KNOWN_HOSTS name
// other files.
//
// # What stays local
//
// Nothing is encrypted or packed here: an encrypted repository is encrypted in
// its copy, any other is not.
package remote

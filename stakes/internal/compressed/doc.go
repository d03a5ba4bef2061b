// Package compressed unpacks what archives are compressed with: gzip, bzip2, lz4
// or zstd, which the first bytes tell and no name. Archives of a genesis and of a
// snapshot come so; what is in them is for stakes/genesis and stakes/snapshot.
package compressed

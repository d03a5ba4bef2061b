// Package flatparquet reads columns of whole numbers and of strings from Parquet
// files that nobody vouches for. The file format's library takes lengths as a
// file states them: six bytes can be a run of 2^31 values. Here the library
// decodes the metadata only, after they were looked over, and pages are decoded
// with every length checked against what is there.
//
// It reads what the common writers make of flat tables: data pages of versions 1
// and 2; plain, dictionary and delta encodings; snappy, gzip, zstd and lz4_raw.
// Nested columns are left out, encrypted files refused.
package flatparquet

// Package feed brings stakes to a service: from files at its start, from a folder
// that is watched for new snapshots and stake files, from a validator that is
// followed through its epochs, and from whoever posts some.
//
// All go through one [Feed] into a registry of epochs, whole or not at all; what
// goes wrong with a source changes what is told of it, never what is served. A
// [Node] also holds the schedules that are served against those of its validator.
package feed

// Package epochs is what a service knows of leader schedules: it takes stake lists,
// keeps them in a store, derives the schedules when somebody asks, and keeps
// schedules and whole printed bodies in a cache bounded in bytes.
//
// A [Registry] publishes an epoch only when its schedule is derived whole and its
// list is on the disk, and replaces it in one step: an [Epoch] that a reader holds
// is one version from beginning to end. Stakes that are exact are never replaced by
// others that are not. What is not held is a *schedule.UnknownEpochError, never an
// empty answer.
package epochs

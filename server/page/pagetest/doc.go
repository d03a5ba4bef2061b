// Package pagetest is a service for the page to be looked at and tested against:
// the REST answers that the page asks for, about made-up epochs, with a made-up
// clock and with faults on demand.
//
// It derives real schedules from the example list or from a made-up list of any
// size, and holds the epochs before, at and after the present one. It answers the
// page's questions and no others; the real answers are those of server/rest.
package pagetest

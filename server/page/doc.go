// Package page serves the web page of the service: an epoch as a picture, search,
// a leader's slots, quiet windows, the leaders and their luck, downloads.
//
// The page is static files in the folder static, embedded as they are: plain
// modules, no build step, nothing from elsewhere. All that it shows comes from the
// REST answers below v1/ beside it, whose addresses it takes relative to its own,
// so that it also works below a path of a proxy. Package pagetest stands in for
// these answers; its program preview shows the page without a service.
//
// Everything but the document itself is below assets/ and a version made of the
// contents, and may be kept forever. The policy that the page is sent with allows
// no inline script or style and no other host.
package page

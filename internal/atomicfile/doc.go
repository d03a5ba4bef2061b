// Package atomicfile writes a file whole or not at all.
//
// The new content goes to a temporary file beside the target, reaches the disk,
// and takes the target's name in one step. Whoever opens the target sees the old
// content or the new, never a part; after a failure the old content is still
// there and the temporary file is gone. A pipe or a device is written directly.
package atomicfile

// Command schedgen derives Solana leader schedules.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Exit codes.
const (
	exitDone  = 0
	exitNo    = 1 // the answer is no
	exitError = 2 // bad usage, bad input, or a failure to read or write
)

// An answerError ends the command with exitNo: it worked, and the answer is no.
type answerError string

func (e answerError) Error() string { return string(e) }

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command: it returns the exit code, and prints an error as one
// line.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var no answerError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errStdoutClosed):
		return exitDone // the reader, such as head, has seen enough
	case errors.As(err, &no):
		printError(stderr, err)
		return exitNo
	}
	printError(stderr, err)
	return exitError
}

// printError prints an error on one line, whatever its text holds.
func printError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "schedgen: %s\n", oneLine(err.Error()))
}

package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/internal/cpu"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the backends of this machine",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			backend, err := backendFromEnvironment()
			if err != nil {
				return err
			}
			return printVersion(stdoutWriter{cmd.OutOrStdout()}, backend)
		},
	}
}

func printVersion(w io.Writer, backend cpu.Backend) error {
	names := make([]string, 0, len(cpu.Available()))
	for _, available := range cpu.Available() {
		names = append(names, string(available))
	}
	_, err := fmt.Fprintf(w, "schedgen %s\n%s %s/%s\nbackend %s (available: %s)\n",
		buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, backend, strings.Join(names, ", "))
	return err
}

// buildVersion returns the version of the module and the revision that the
// program was built from, as far as the Go command noted them.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	version := info.Main.Version
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		version += " " + revision
	}
	return version
}

#!/usr/bin/env bash
# Reads the Parquet files that this module writes with pandas, pyarrow and DuckDB,
# compares types, rows, nulls, times and metadata with the CSV output, then lets
# those programs write tables and reads them here. Installs them from PyPI into a
# temporary environment; needs python3, its venv module and Go.
#
#   scripts/parquet-check.sh     other versions: PARQUET_READERS="pandas pyarrow duckdb"
set -euo pipefail
cd "$(dirname "$0")/.."

readers=${PARQUET_READERS:-pandas==3.1.1 pyarrow==26.0.1 duckdb==2.0.1}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
# shellcheck disable=SC2086 # a list of packages
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check $readers

export SCHEDGEN_PARQUET_DIR=$work/files
mkdir "$SCHEDGEN_PARQUET_DIR"
go test -count=1 -run '^TestParquetSamples$' ./schedulefile
"$work/venv/bin/python" schedulefile/testdata/parquet_check.py "$SCHEDGEN_PARQUET_DIR"
go test -count=1 -run '^TestParquetOfOtherPrograms$' -v ./schedulefile | grep -v '^=== '

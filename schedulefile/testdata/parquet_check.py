"""Compares the Parquet files of a directory with the CSV files beside them, as
pandas, pyarrow and DuckDB read them, and writes tables of their own under others/.

Called by scripts/parquet-check.sh after TestParquetSamples has written NAME.parquet,
NAME.csv with all columns and NAME.json with what to expect.
"""

import csv
import datetime
import json
import pathlib
import sys

import duckdb
import pandas
import pyarrow
import pyarrow.parquet

INTEGERS = ["slot", "slot_index", "rotation"]
TEXTS = ["leader", "vote_account"]


def check(what, got, want):
    if got != want:
        sys.exit(f"{what}: got {got!r}, want {want!r}")


def expected_rows(path):
    """The rows of a CSV file, as Python values."""
    rows = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            values = [int(row[name]) for name in INTEGERS] + [row["leader"], row["vote_account"] or None]
            text = row["time"]
            values.append(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None)
            rows.append(tuple(values))
    return rows


def compare(what, got, want):
    check(f"{what}: rows", len(got), len(want))
    for i, (a, b) in enumerate(zip(got, want)):
        check(f"{what}: row {i}", tuple(a), b)


def check_pyarrow(path, want, metadata):
    file = pyarrow.parquet.ParquetFile(path)
    schema = file.schema_arrow
    types = [(name, "int64", False) for name in INTEGERS] + [("leader", "string", False), ("vote_account", "string", True)]
    types.append(("time", "timestamp[ms, tz=UTC]", True))
    check(f"{path}: types", [(f.name, str(f.type), f.nullable) for f in schema], types)
    for group in range(file.metadata.num_row_groups):
        for column in range(file.metadata.num_columns):
            check(f"{path}: compression", file.metadata.row_group(group).column(column).compression, "ZSTD")
        for column in (3, 4):
            encodings = file.metadata.row_group(group).column(column).encodings
            check(f"{path}: dictionary", "RLE_DICTIONARY" in encodings or "PLAIN_DICTIONARY" in encodings, True)
    table = file.read()
    compare(f"{path}, pyarrow", list(zip(*(table[name].to_pylist() for name in table.column_names))), want)
    found = {k.decode(): v.decode() for k, v in file.metadata.metadata.items()}
    for key, value in metadata.items():
        check(f"{path}: metadata {key}", found.get(key), value)


def check_pandas(path, want):
    frame = pandas.read_parquet(path)
    for name in INTEGERS:
        check(f"{path}: pandas type of {name}", str(frame[name].dtype), "int64")
    check(f"{path}: pandas type of time", str(frame["time"].dtype), "datetime64[ms, UTC]")
    columns = [frame[name].tolist() for name in INTEGERS]
    for name in TEXTS:
        columns.append([None if pandas.isna(v) else v for v in frame[name]])
    columns.append([None if pandas.isna(v) else v.to_pydatetime() for v in frame["time"]])
    compare(f"{path}, pandas", list(zip(*columns)), want)


def check_duckdb(path, want, metadata):
    db = duckdb.connect()
    db.execute("SET TimeZone = 'UTC'")
    types = dict(db.execute(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '{path}')").fetchall())
    wanted = {name: "BIGINT" for name in INTEGERS} | {name: "VARCHAR" for name in TEXTS}
    wanted["time"] = "TIMESTAMP WITH TIME ZONE"
    check(f"{path}: DuckDB types", types, wanted)
    names = ", ".join(INTEGERS + TEXTS)
    # As milliseconds: DuckDB's own conversion needs another package.
    rows = db.execute(f"SELECT {names}, epoch_ms(time) FROM '{path}'").fetchall()
    zero = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)
    rows = [row[:-1] + (None if row[-1] is None else zero + datetime.timedelta(milliseconds=row[-1]),) for row in rows]
    compare(f"{path}, DuckDB", rows, want)
    found = {bytes(k).decode(): bytes(v).decode() for k, v in
             db.execute(f"SELECT key, value FROM parquet_kv_metadata('{path}')").fetchall()}
    for key, value in metadata.items():
        check(f"{path}: DuckDB metadata {key}", found.get(key), value)


def write_others(path, out):
    """Writes the table again in the ways of each program."""
    table = pyarrow.parquet.read_table(path)
    frame = pandas.read_parquet(path)
    stem = path.stem
    for codec in ("none", "snappy", "gzip", "zstd", "lz4"):
        pyarrow.parquet.write_table(table, out / f"{stem}.pyarrow-{codec}.parquet", compression=codec)
    pyarrow.parquet.write_table(
        table.replace_schema_metadata(None), out / f"{stem}.pyarrow-v2.parquet", data_page_version="2.0",
        use_dictionary=False, row_group_size=1000, write_page_checksum=True,
        column_encoding={"slot": "DELTA_BINARY_PACKED", "leader": "DELTA_BYTE_ARRAY", "vote_account": "DELTA_LENGTH_BYTE_ARRAY"})
    frame.to_parquet(out / f"{stem}.pandas.parquet")
    if len(frame):  # categories of nothing are no strings
        unsigned = frame[["leader", "slot"]].copy()
        unsigned["slot"] = unsigned["slot"].astype("uint64")
        unsigned["leader"] = unsigned["leader"].astype("category")
        unsigned.sample(frac=1, random_state=1).to_parquet(out / f"{stem}.pandas-shuffled.novote.parquet")
    db = duckdb.connect()
    for codec in ("uncompressed", "snappy", "gzip", "zstd", "lz4_raw"):
        db.execute(f"COPY (SELECT leader AS identity, slot::UBIGINT AS slot, vote_account FROM '{path}') "
                   f"TO '{out}/{stem}.duckdb-{codec}.parquet' (FORMAT parquet, COMPRESSION {codec})")
    db.execute(f"COPY (SELECT slot::INTEGER AS slot, leader FROM '{path}') "
               f"TO '{out}/{stem}.duckdb-v2.novote.parquet' (FORMAT parquet, PARQUET_VERSION v2)")


def main():
    directory = pathlib.Path(sys.argv[1])
    out = directory / "others"
    out.mkdir(exist_ok=True)
    paths = sorted(directory.glob("*.parquet"))
    check("samples", len(paths) >= 5, True)
    for path in paths:
        expected = json.loads(path.with_suffix(".json").read_text())
        want = expected_rows(path.with_suffix(".csv"))
        check(f"{path}: rows", len(want), expected["rows"])
        check_pyarrow(path, want, expected["metadata"])
        check_pandas(path, want)
        check_duckdb(path, want, expected["metadata"])
        write_others(path, out)
        print(f"{path.name}: {len(want)} rows, {path.stat().st_size} bytes")
    print(f"pandas {pandas.__version__}, pyarrow {pyarrow.__version__}, DuckDB {duckdb.__version__}: all as in CSV")


main()

# Everything that this project can do. `make help` lists the targets.

GO      ?= go
TOOL     = $(GO) tool -modfile=tools/go.mod
FUZZTIME ?= 30s

.PHONY: help build test test-quick lint fmt cross clients browser parquet-check vuln fuzz vectors vectors-verify bench bench-load bench-packages asm asm-check clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

build: ## bin/schedgen
	$(GO) build -o bin/schedgen ./cmd/schedgen

test: ## install what the tests need, run them in every way this machine can
	scripts/test.sh

test-quick: ## the tests, natively, once
	$(GO) test ./...

lint: ## gofmt, go vet, staticcheck: no findings
	@unformatted=$$(git ls-files '*.go' | xargs gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags purego ./...
	$(TOOL) staticcheck ./...

fmt: ## gofmt
	git ls-files '*.go' | xargs gofmt -w

# Each system and each processor once: a package differs by one of them, not by both.
CROSS = linux/arm64 linux/386 linux/s390x linux/riscv64 darwin/arm64 windows/amd64

cross: ## go vet, which compiles, for the other supported systems
	@set -e; for target in $(CROSS); do \
		echo "$$target"; \
		GOOS=$${target%/*} GOARCH=$${target#*/} CGO_ENABLED=0 $(GO) vet ./...; \
	done

clients: ## web3.js, kit and solana-go against the running service
	scripts/clients.sh

browser: ## the page in headless Chromium
	scripts/browser.sh

vuln: ## no known vulnerability in what is used
	scripts/vuln.sh

parquet-check: ## Parquet files, with pandas, pyarrow and DuckDB
	scripts/parquet-check.sh

ROOMS_WITH_ASSEMBLY = $(patsubst %/_asm/go.mod,%,$(wildcard */_asm/go.mod))

asm: ## generate the assembly
	@set -e; for room in $(ROOMS_WITH_ASSEMBLY); do (cd $$room/_asm && $(GO) generate ./...); done

asm-check: ## generate the assembly elsewhere and compare
	@set -e; fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	for room in $(ROOMS_WITH_ASSEMBLY); do \
		made=$$(grep -l '^// Code generated' $$room/*_amd64.s $$room/*_amd64.go); \
		cp -r $$room "$$fresh/"; (cd "$$fresh" && rm $$made); \
		(cd "$$fresh/$$room/_asm" && $(GO) generate ./...); \
		for file in $$made; do cmp $$file "$$fresh/$$file"; done; \
	done; echo "assembly: reproduced"

fuzz: ## every fuzz target for FUZZTIME
	@set -e; for file in $$(grep -rl --include='*_test.go' '^func Fuzz' .); do \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9]+).*/\1/p' $$file); do \
			echo "$$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./$$(dirname $$file); \
		done; \
	done

vectors: build ## check every vector on every backend of this machine
	bin/schedgen vectors check --backend all

ORACLE = cargo run --quiet --locked --release --manifest-path vectors/oracle/Cargo.toml --

vectors-verify: ## make the vectors again with the independent Rust program and compare
	@fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	$(ORACLE) vectors "$$fresh" && diff -r "$$fresh" vectors/data && echo "vectors: reproduced"

BENCHFLAGS ?=

bench: ## this module beside its peers, in one run: bench/RESULTS.md
	@if command -v cargo >/dev/null; then \
		cargo build --quiet --locked --release --manifest-path bench/peers/rand/Cargo.toml; \
	else echo "no cargo: without the Rust peer"; fi
	$(GO) run ./bench $(BENCHFLAGS)

LOADFLAGS ?=

bench-load: ## the service beside a plain net/http server that writes the same bytes
	$(GO) run ./bench/load $(LOADFLAGS)

bench-packages: ## the benchmarks of every package
	$(GO) test -run '^$$' -bench . ./...

clean: ## remove what was built
	rm -rf bin vectors/oracle/target bench/peers/*/target

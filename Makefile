# Everything one does in this repository. `make help` lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help

TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
MODULE := $(TARGET)/release/libleaderboard.so
GATEWAY := $(TARGET)/release/leaderboard-gateway
# Tests run the release builds: what is tested is what ships.
export LEADERBOARD_MODULE := $(MODULE)
export LEADERBOARD_GATEWAY := $(GATEWAY)

PORT ?= 6379
PREFIX ?= /usr/local
DESTDIR ?=
MEMBERS ?=
BENCH_ARGS ?=
CONSOLE_ARGS ?=
CLUSTER_ARGS ?=
FUZZ_SECONDS ?= 60
N ?= 1000000
SEED ?= 1

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: deps
deps: ## Install what is missing: C compiler, libclang, redis-server, redis-cli (Debian, Ubuntu)
	@scripts/deps.sh

.PHONY: servers
servers: deps ## Download the other servers that the tests run: Redis 6.2 and 8.2, Valkey 9.1
	@scripts/servers.sh

.PHONY: build
build: deps ## Build the module and the console: libleaderboard.so and leaderboard-gateway in target/release
	cargo build --release -p leaderboard
# A profile of its own: see Cargo.toml.
	cargo build --profile gateway -p leaderboard-gateway
	@install -C $(TARGET)/gateway/leaderboard-gateway $(GATEWAY)

.PHONY: install
install: build ## Install the module and the gateway, without debug information, under PREFIX=/usr/local
	install -d $(DESTDIR)$(PREFIX)/lib/redis/modules $(DESTDIR)$(PREFIX)/bin
	install --strip $(MODULE) $(DESTDIR)$(PREFIX)/lib/redis/modules/libleaderboard.so
	install --strip $(GATEWAY) $(DESTDIR)$(PREFIX)/bin/leaderboard-gateway

.PHONY: test
test: lint build servers ## Check format and lints, build, run all tests in all servers, and in a browser if there is one
	cargo build -p leaderboard --features panics
	cargo test --workspace --all-features
	@scripts/api.sh $(MODULE) $(GATEWAY)
	@scripts/clients.sh $(MODULE) $(GATEWAY)
	@scripts/packages.sh $(MODULE) $(GATEWAY)
	@scripts/games.sh test
	@scripts/pages.sh test

.PHONY: panics
panics: deps servers ## Let a test build of the module panic at each point where the server calls it, in four servers
	cargo build -p leaderboard --features panics
	cargo test -p leaderboard --features panics --test module panics

.PHONY: api
api: build ## Test the description of the HTTP API with Schemathesis and with clients generated from it, nothing else
	@scripts/deps.sh api
	@scripts/api.sh $(MODULE) $(GATEWAY)

.PHONY: clients
clients: build ## Write the clients in Python, TypeScript and PHP from docs/commands.json, and their vectors
	cargo run -p leaderboard-clients
	UPDATE_VECTORS=1 cargo test -p leaderboard-clients the_vectors

.PHONY: test-clients
test-clients: build servers ## Test the clients in Python, TypeScript and PHP as packages, nothing else
	@scripts/deps.sh api php
	@scripts/clients.sh $(MODULE) $(GATEWAY)

.PHONY: packages
packages: build ## Build the packages for Python and Node.js that need no compiler, in target/packages
	@scripts/deps.sh api
	@scripts/packages.sh $(MODULE) $(GATEWAY) build

.PHONY: deb
deb: build ## Build the packages for Debian: the module, and the gateway with its service, in target/packages
	@scripts/deps.sh deb
	@mkdir -p $(TARGET)/packages
	cargo deb --no-build --no-dbgsym --strip --package leaderboard --output $(TARGET)/packages/
	cargo deb --no-build --no-dbgsym --strip --package leaderboard-gateway --output $(TARGET)/packages/

.PHONY: dist
dist: build servers browser ## Make and try all files of a release in target/dist: x86-64, aarch64, clients, sums, SBOM, licences
	@scripts/deps.sh api php dist
	@scripts/servers.sh aarch64
	@scripts/dist.sh $(MODULE) $(GATEWAY)

.PHONY: test-packages
test-packages: build ## Install these packages into empty environments, test them there, and check the files for containers
	@scripts/deps.sh api
	@scripts/packages.sh $(MODULE) $(GATEWAY)

.PHONY: browser
browser: ## Install Chromium and Node.js, in which `make test` tests the console's pages
	@scripts/deps.sh browser

.PHONY: pages
pages: build browser ## Test the console's pages in Chromium, nothing else
	@scripts/pages.sh test

.PHONY: pictures
pictures: build browser ## Take the pictures in docs/pictures from a console with the demo's data
	@scripts/deps.sh pictures
	@scripts/pages.sh pictures

# All packages but the examples: the benchmark is one program in many files.
CIRCLES := leaderboard $(addprefix leaderboard-,client clients commands console core gateway proxy testkit torture)

.PHONY: lint
lint: deps ## Check import circles, format and lints
	@scripts/deps.sh lint python api php fuzz
	@scripts/circles.py --self-test
	@scripts/circles.py $(CIRCLES)
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
# The fuzz targets are a workspace of their own.
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo clippy --manifest-path fuzz/Cargo.toml --target-dir $(TARGET)/fuzz -- -D warnings

.PHONY: fmt
fmt: ## Format the sources
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml

.PHONY: demo
demo: deps ## Replay a month of real flights into a board of a private server, then run a voting campaign and a league
	@scripts/demo.sh $(TARGET)/demo

.PHONY: game
game: build ## Play a web game with leaderboards until Ctrl-C, in Python or GAME=typescript (examples/games)
	@scripts/deps.sh api $(if $(filter typescript,$(GAME)),browser)
	@scripts/games.sh $(or $(GAME),python)

.PHONY: console
console: build ## Run a private server with the demo's data and the console until Ctrl-C (CONSOLE_ARGS='--read-only')
	@scripts/console.sh $(MODULE) $(GATEWAY) $(CONSOLE_ARGS)

.PHONY: cluster
cluster: build ## Spread a board over a private cluster, ask it through the gateway, kill a primary (CLUSTER_ARGS=stay goes on)
	@scripts/cluster.sh $(MODULE) $(GATEWAY) $(CLUSTER_ARGS)

.PHONY: run
run: build ## Run a server with the module and redis.conf in the foreground (PORT=6379), data in target/run
	@mkdir -p target/run
	redis-server redis.conf --port $(PORT) --dir target/run --loadmodule $(MODULE)

.PHONY: bench
bench: build ## Compare with sorted sets and a Lua script (MEMBERS=20000 for a quick look, BENCH_ARGS='--only rolling,votes')
	cargo run --release --bin bench -- $(if $(MEMBERS),--members $(MEMBERS)) $(BENCH_ARGS)
	$(if $(BENCH_ARGS),,@MEMBERS=$(MEMBERS) scripts/bench-cluster.sh $(MODULE) $(GATEWAY))

.PHONY: bench-short
bench-short: build ## The comparisons that matter most, in less than two minutes: for every change
	cargo run --release --bin bench -- --short $(if $(MEMBERS),--members $(MEMBERS)) $(BENCH_ARGS)

.PHONY: bench-servers
bench-servers: build servers ## The same on Redis 6.2, 7.0 and 8.2 and Valkey 9.1, in one table
	cargo run --release --bin bench -- --servers $(if $(MEMBERS),--members $(MEMBERS)) $(BENCH_ARGS)

.PHONY: instructions
instructions: deps ## Count the instructions of the most used commands (MODULE=path counts another build, BENCH_ARGS=--record)
	$(if $(filter file,$(origin MODULE)),@$(MAKE) --no-print-directory build)
	@scripts/deps.sh instructions
	@scripts/instructions.sh $(MODULE) $(BENCH_ARGS)

.PHONY: load
load: build ## Measure the gateway on one core: votes a second through HTTP, listeners of one live board
	@scripts/deps.sh load
	@scripts/bench-http.sh $(MODULE) $(GATEWAY)

.PHONY: fuzz
fuzz: deps ## Run each fuzz target for FUZZ_SECONDS=60
	@scripts/deps.sh fuzz
	@command -v cargo-fuzz >/dev/null || cargo install --locked cargo-fuzz
# The sanitizers are behind unstable flags, which the stable compiler takes under this variable.
	@set -e; export RUSTC_BOOTSTRAP=1; targets=$$(cargo fuzz list); for target in $$targets; do \
		echo "fuzz: $$target"; \
		cargo fuzz run $$target -- -max_total_time=$(FUZZ_SECONDS); \
	done

.PHONY: torture-commands
torture-commands: deps ## Run N=1000000 random commands in process against the model and a replica (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- commands $(N) --seed $(SEED)

.PHONY: torture-payloads
torture-payloads: deps ## Load N=1000000 damaged values in process, with commands after each (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- payloads $(N) --seed $(SEED)

.PHONY: torture-week
torture-week: deps ## Simulate N=10 weeks of a game service in process against a plain model; pictures in target/torture (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- week $(if $(filter file,$(origin N)),10,$(N)) --seed $(SEED)

# The targets below start real servers with the release build of the module.
.PHONY: torture-kill
torture-kill: build servers ## Kill real servers N=1000 times while clients write with request ids, and restart them from the AOF (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- kill $(if $(filter file,$(origin N)),1000,$(N)) --seed $(SEED)

.PHONY: torture-restored
torture-restored: build servers ## Restore N=1000000 damaged values in real servers, and reload what they take (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- restored $(N) --seed $(SEED)

.PHONY: torture-cut
torture-cut: build servers ## Cut append-only files at N=16384 positions: each of the last 4,096 bytes on four servers (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- cut $(if $(filter file,$(origin N)),16384,$(N)) --seed $(SEED)

.PHONY: torture-links
torture-links: build servers ## Cut the links to replicas N=5000 times while clients write (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- links $(if $(filter file,$(origin N)),5000,$(N)) --seed $(SEED)

.PHONY: torture-clock
torture-clock: build servers ## Let clocks of real servers leap N=2000 times, by seconds to a year, while clients write (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- clock $(if $(filter file,$(origin N)),2000,$(N)) --seed $(SEED)

.PHONY: torture-failover
torture-failover: build servers ## Let primaries fail N=500 times under three sentinels, and count what Redis loses (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- failover $(if $(filter file,$(origin N)),500,$(N)) --seed $(SEED)

.PHONY: torture-servers
torture-servers: build servers ## Run N=1000000 random commands in four real servers, which restart on the way (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- servers $(N) --seed $(SEED)

.PHONY: torture-soak
torture-soak: build servers ## Let clients of all kinds use the gateway for N=30 minutes while its servers fail; picture in target/torture (SEED=1)
	cargo run --profile torture -p leaderboard-torture -- soak $(if $(filter file,$(origin N)),30,$(N)) --seed $(SEED)

.PHONY: torture-stall
torture-stall: deps ## Make the most costly call of each command on boards of MEMBERS=1000,100000,1000000 members, against its declared bound
	cargo run --profile torture -p leaderboard-torture -- stall $(if $(MEMBERS),--members $(MEMBERS))

.PHONY: sanitize-address
sanitize-address: servers ## Test core and commands with AddressSanitizer, and N=100 random calls and freed values in a server (SEED=1)
	@scripts/deps.sh fuzz instructions
	@scripts/sanitize.sh address $(if $(filter file,$(origin N)),100,$(N)) $(SEED)

.PHONY: sanitize-threads
sanitize-threads: build servers ## Test what the server's threads share with ThreadSanitizer, and soak a gateway with it for N=2 minutes (SEED=1)
	@scripts/deps.sh threads
	@scripts/sanitize.sh threads $(if $(filter file,$(origin N)),2,$(N)) $(SEED)

.PHONY: valgrind
valgrind: servers ## Make N=100 random calls and free values in a server under valgrind, lost memory included (SEED=1)
	@scripts/deps.sh instructions
	@scripts/sanitize.sh valgrind $(if $(filter file,$(origin N)),100,$(N)) $(SEED)

.PHONY: mutants
mutants: deps ## Change N=170 places of core and commands, one at a time, and count the changes that no test notices (SEED=1)
	@scripts/deps.sh mutants
	@scripts/mutants.py $(TARGET)/mutants $(if $(filter file,$(origin N)),170,$(N)) $(SEED)

.PHONY: mutants-again
mutants-again: deps ## Test the changes again that nothing noticed in the last `make mutants`: after new tests
	@scripts/deps.sh mutants
	@scripts/mutants.py $(TARGET)/mutants again

.PHONY: docs
docs: build ## Write the command reference and the description of the HTTP API into docs/
	UPDATE_DOCS=1 cargo test -p leaderboard-commands documents
	UPDATE_DOCS=1 cargo test -p leaderboard-console description

.PHONY: clean
clean: ## Remove everything built or downloaded
	cargo clean
	rm -rf target/servers target/run fuzz/target gateway/api/{made,schema.ts}
	rm -rf {gateway/browser,gateway/api,clients/node,packages/node,examples/games/typescript}/node_modules

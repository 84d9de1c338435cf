# Images of the server with the module, and of the gateway:
#
#   docker build -t leaderboard .
#   docker build -t leaderboard-gateway --target gateway .
#
# docs/containers.md says how to run them.

# The server to add the module to: an image of Redis from 7.0 or Valkey from 8 that is made of Debian 12 or later.
ARG BASE=valkey/valkey:9.1
ARG DEBIAN=debian:bookworm-slim
ARG RUST=rust:1.95-bookworm
# build compiles here. prebuilt takes what `make install DESTDIR=target/image` has left.
ARG BINARIES=build

FROM ${RUST} AS binaries-build
# bindgen reads the headers of C through libclang. Which of Debian's versions does not matter.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libclang-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --locked --release -p leaderboard \
    && cargo build --locked --profile gateway -p leaderboard-gateway \
    && install -D --strip target/release/libleaderboard.so /usr/local/lib/redis/modules/libleaderboard.so \
    && install -D --strip target/gateway/leaderboard-gateway /usr/local/bin/leaderboard-gateway

FROM scratch AS binaries-prebuilt
COPY target/image/usr/local /usr/local

# hadolint ignore=DL3006
FROM binaries-${BINARIES} AS binaries

# hadolint ignore=DL3006
FROM ${DEBIAN} AS gateway
# Servers with TLS are known by the certificates of these authorities.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 leaderboard \
    && useradd --uid 10001 --gid 10001 --home-dir /var/lib/leaderboard --no-create-home leaderboard \
    && install -d -o leaderboard -g leaderboard /var/lib/leaderboard
COPY --from=binaries /usr/local/bin/leaderboard-gateway /usr/local/bin/
COPY packages/docker/gateway-health packages/docker/gateway-tokens /usr/local/bin/
USER 10001:10001
WORKDIR /var/lib/leaderboard
# Without a file of tokens, the gateway refuses to listen at other addresses than its own. The variable is a path, no secret.
# hadolint ignore=DL3064
ENV LEADERBOARD_HTTP=0.0.0.0:7380 LEADERBOARD_TOKENS=/var/lib/leaderboard/tokens
EXPOSE 7380
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["gateway-health"]
CMD ["leaderboard-gateway"]

# hadolint ignore=DL3006
FROM ${BASE} AS server
COPY --from=binaries /usr/local/lib/redis/modules/libleaderboard.so /usr/local/lib/redis/modules/
COPY redis.conf packages/docker/leaderboard.conf /etc/leaderboard/
COPY packages/docker/server-health /usr/local/bin/
# The user of the server in the images of Redis and Valkey, which owns /data.
USER 999
WORKDIR /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["server-health"]
# Further words, such as --maxmemory 2gb, go to the server.
ENTRYPOINT ["docker-entrypoint.sh", "/etc/leaderboard/leaderboard.conf"]

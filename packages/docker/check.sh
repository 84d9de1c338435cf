#!/usr/bin/env bash
# Checks the Dockerfile, compose.yaml, the files that it mounts, and the manifests of Kubernetes. Nothing is built or started.
#
#   packages/docker/check.sh DIRECTORY
#
# DIRECTORY is where the tools are installed.
set -euo pipefail

directory=$(realpath "${1:?usage: packages/docker/check.sh DIRECTORY}")
cd "$(dirname "$0")/../.."

scripts/python-tools.sh packages/docker/requirements.txt "$directory"
PATH=$directory/bin:$PATH

echo "packages: checking the files for containers"
hadolint Dockerfile
check-jsonschema --quiet --builtin-schema vendor.compose-spec compose.yaml
kubernetes-validate --strict --quiet packages/kubernetes/{server,gateway,network}.yaml
for file in packages/docker/{prometheus,grafana-datasource,grafana-dashboards}.yml packages/kubernetes/kustomization.yaml; do
    python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$file"
done

if ! command -v promtool >/dev/null; then
    echo "packages: SKIPPED the rules of Prometheus, because promtool is missing (Debian has it in the package prometheus)" >&2
    exit
fi
promtool check rules docs/alerts.yml >/dev/null
# The token exists in a container alone.
promtool check config --syntax-only packages/docker/prometheus.yml >/dev/null

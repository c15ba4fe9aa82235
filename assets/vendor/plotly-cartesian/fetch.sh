#!/bin/sh
# Fetches plotly-cartesian.min.js again, in the version that the package plotly has: sh fetch.sh 4.1.1. It needs npm and
# the registry; the app does not.
set -e
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
npm pack "plotly.js-cartesian-dist-min@$1"
tar xzf ./*.tgz
cp package/plotly-cartesian.min.js package/LICENSE "$here"

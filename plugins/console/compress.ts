import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Files that are smaller gain nothing. */
const minBytes = 1024;

/**
 * Puts in the place of each hashed file of the console what browsers take: no request waits for a compressor, and the package is small.
 * For others it is made of the file that ends in `.gz`.
 */
export const compressAssets = (folder: string): void => {
  const assets = path.join(folder, 'assets');
  for (const name of readdirSync(assets)) {
    const file = path.join(assets, name);
    const bytes = readFileSync(file);
    if (bytes.length < minBytes || !/\.(?:js|css|svg)$/.test(name)) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    rmSync(file);
  }
};

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Smaller files gain nothing from compression. */
const minBytes = 1024;

/**
 * Replaces each large hashed file of the console by its compressed forms, so that no request waits for compression and the
 * package is small. For clients that accept neither, the server decompresses the `.gz` file.
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

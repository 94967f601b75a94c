import { copyFileSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleSources, root } from '../support/build-package.ts';

/**
 * Builds the gateway of this checkout into a folder of its own, laid out as the package is, and returns its `gw.js`; the caller
 * removes the folder. What starts processes starts them as users do: from a checkout, each would first strip the
 * types of every module.
 */
export const buildGateway = async (): Promise<string> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-built-'));
  await bundleSources(path.join(folder, 'dist'));
  for (const file of ['gw.js', 'package.json']) copyFileSync(path.join(root, file), path.join(folder, file));
  for (const name of ['node_modules', 'schema']) symlinkSync(path.join(root, name), path.join(folder, name));
  return path.join(folder, 'gw.js');
};

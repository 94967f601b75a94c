/** Writes the gateway and its packages into a folder, from which the Dockerfile copies them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packPackage } from '../support/pack-package.ts';
import { packageEntries, treeEntries } from './layers/package-layer.ts';

const [into] = process.argv.slice(2);
if (into === undefined) throw new Error('Name the folder: node deploy/image/stage-image.ts FOLDER');
const folder = mkdtempSync(path.join(tmpdir(), 'gw-stage-'));
try {
  for (const entry of [...treeEntries(), ...packageEntries(packPackage(folder))]) {
    const place = path.join(into, entry.path);
    mkdirSync(entry.kind === 'folder' ? place : path.dirname(place), { recursive: true });
    if (entry.kind === 'file') writeFileSync(place, entry.data, { mode: entry.isProgram === true ? 0o755 : 0o644 });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

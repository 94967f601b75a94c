import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { layOutPackage } from '../support/build-package.ts';

/**
 * Builds the gateway of this checkout into a new folder below another, and returns its `gw.js`; the caller removes the folder.
 * It starts as users start it: from a checkout, a process would first find every module and strip its types.
 */
export const buildGateway = (parent: string = tmpdir()): Promise<string> =>
  layOutPackage(mkdtempSync(path.join(parent, 'gw-bench-built-')));

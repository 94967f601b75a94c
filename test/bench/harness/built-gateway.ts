import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { layOutPackage } from '../../../tools/build/build-package.ts';

/**
 * Builds the gateway of this checkout into a new folder below another, and returns its `gw.js`; the caller removes the folder.
 * The built gateway starts as it does for users. From a checkout, a process would first have to resolve every module and strip
 * its types.
 */
export const buildGateway = (parent: string = tmpdir()): Promise<string> =>
  layOutPackage(mkdtempSync(path.join(parent, 'gw-bench-built-')));

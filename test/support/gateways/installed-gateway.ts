import path from 'node:path';
import { root } from '../../../tools/build/package-modules.ts';

/** The folder of the gateway that tests start, laid out like the package. */
export const installedFolder: string = path.join(root, 'node_modules/.cache/gatewright-tests/package');

/** The path of its `gw.js`. */
export const installedGw: string = path.join(installedFolder, 'gw.js');

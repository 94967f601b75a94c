import path from 'node:path';
import { root } from './package-modules.ts';

/** Where the gateway is that tests start, laid out as the package is. */
export const installedFolder: string = path.join(root, 'node_modules/.cache/gatewright-tests/package');

/** Its `gw.js`. */
export const installedGw: string = path.join(installedFolder, 'gw.js');

/** Writes the console's files into a folder, `dist/console` by default: `node plugins/console/build.ts [folder]`. */
import path from 'node:path';
import { build } from 'vite';
import { compressAssets } from './compress.ts';

const app: string = path.join(import.meta.dirname, 'app');

/** The folder in which the gateway finds the console's files, beside the rest of the package's code. */
export const consoleFolder: string = path.join(import.meta.dirname, '../../dist/console');

/** Turns off the warning about slow builds, which also appears if the machine is busy. */
export const bundlerChecks = { bundlerTimings: false } as const;

/**
 * Builds `index.html`, the hashed files in `assets/`, large ones in compressed forms, and `.vite/manifest.json`. The same
 * sources produce the same files. The page contains nothing inline, so that the policy of the server can forbid it.
 */
export const buildConsole = async (folder: string = consoleFolder): Promise<void> => {
  await build({
    configFile: false,
    root: app,
    base: '/console/',
    publicDir: false,
    logLevel: 'warn',
    // Independent of NODE_ENV, because a development build contains the paths of this machine.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    worker: { format: 'es', rolldownOptions: { checks: bundlerChecks } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      manifest: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { checks: bundlerChecks },
    },
  });
  compressAssets(folder);
};

if (import.meta.main) await buildConsole(process.argv[2] === undefined ? consoleFolder : path.resolve(process.argv[2]));

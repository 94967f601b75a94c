import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { buildConsole, bundlerChecks as checks } from '../../plugins/console/build.ts';
import { latin1Source } from './latin1-source.ts';
import { editorModule, lateModules, publicModules, root, startedModules, threadModules } from './package-modules.ts';

/** Packages that become part of the code. To find the 255 modules of kysely takes a quarter of the start with a store. */
export const bundledPackages: readonly string[] = ['kysely'];

/** Packages of which the console in the package has parts, with all that they need. */
export const consolePackages: readonly string[] = [
  ...['preact', '@preact/signals', 'uplot'],
  ...['autocomplete', 'commands', 'lang-json', 'language', 'lint', 'search', 'state', 'view'].map(
    (name) => `@codemirror/${name}`,
  ),
];

/** It finds modules by its own place, which is the same for that of threads: beside it, since bundles name their exports apart. */
const placed = 'plugins/sdk/modules/own-module';

/**
 * Of these a start needs nearly all. Each is one chunk: by the parts of the gateway that use a module, which are the more the
 * more of it is loaded late, they would be a hundred.
 */
const sharedFolders = [
  ...(['schema', 'plugins/sdk', 'plugins/providers/shared', 'runtime/async', 'runtime/json-bodies'] as const),
  ...([
    'runtime/engine/call',
    'runtime/engine/headers',
    'runtime/engine/plugins',
    'runtime/engine/error-responses',
  ] as const),
  ...(['runtime/engine/target', 'runtime/cli/settings', 'runtime/files', 'runtime/memory'] as const),
] as const;

/** Validators are long, and only the compiler needs them. */
const isShared = (id: string, folder: (typeof sharedFolders)[number]): boolean =>
  id.startsWith(path.join(root, folder, path.sep)) && path.basename(path.dirname(id)) !== 'generated';

/** A start reads all declarations of dialects, and nothing else of them. */
const isDeclaration = (id: string): boolean => /\/plugins\/dialects\/[^/]+\/(?:provider-)?declarations?\.ts$/.test(id);

/** Doc comments are in the types, and code that runs is smaller without them by a seventh. */
const comments = { legal: true, annotation: true, jsdoc: false } as const;

const toSource = (module: string): string => path.join(root, `${module}.ts`);

const isBundled = (id: string): boolean => bundledPackages.some((name) => id === name || id.startsWith(`${name}/`));

const isSource = (id: string): boolean => id.startsWith('.') || path.isAbsolute(id);

/**
 * Writes the editor into a folder: one module with all that it needs, which a page can serve as it is. It shares no chunk with
 * the gateway, whose chunks import modules of Node. Pages load it whole, so it is minified.
 */
export const bundleEditor = async (folder: string): Promise<void> => {
  const bundle = await rolldown({
    cwd: root,
    input: { [editorModule]: toSource(editorModule) },
    platform: 'browser',
    checks,
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    codeSplitting: false,
    comments,
    minify: true,
  });
  await bundle.close();
};

/** As the last step: the bundler writes characters for escapes. */
const latin1Sources: Plugin = {
  name: 'latin1-sources',
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = latin1Source(file.code);
  },
};

interface BundleOptions {
  readonly folder: string;
  /** The folder of chunks in it. */
  readonly chunks: string;
  /** The place of what finds modules. */
  readonly own: string;
  readonly shared: typeof sharedFolders | readonly [];
}

/** Writes modules to their places in a folder, and what they share into chunks beside them. */
const bundleModules = async (
  modules: readonly string[],
  { folder, chunks, own, shared }: BundleOptions,
): Promise<void> => {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(modules.map((module) => [module, toSource(module)])),
    platform: 'node',
    external: (id) => !isSource(id) && !isBundled(id),
    checks,
    plugins: [latin1Sources],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    comments,
    entryFileNames: '[name].js',
    codeSplitting: {
      groups: [
        { name: own, test: (id) => id === toSource(placed), priority: 1 },
        { name: 'declarations', test: isDeclaration },
        ...shared.map((each) => ({ name: path.basename(each), test: (id: string) => isShared(id, each) })),
      ],
    },
    chunkFileNames: ({ name }) => (name === own ? '[name].js' : `${chunks}/[name]-[hash].js`),
  });
  await bundle.close();
};

/**
 * Writes the gateway's code into a folder: what is public or started at its place, and all else in chunks, because most of
 * what a start takes is to find modules, of which there are two thousand. Threads have chunks of their own: of those of the
 * gateway they would load four hundred kilobytes for some functions.
 */
export const bundleSources = async (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  const apart = new Set([editorModule, ...threadModules]);
  const modules = [...publicModules, ...startedModules, ...lateModules].filter((module) => !apart.has(module));
  await bundleModules(threadModules, { folder, chunks: 'chunks/threads', own: `${placed}-of-threads`, shared: [] });
  await bundleModules(modules, { folder, chunks: 'chunks', own: placed, shared: sharedFolders });
  await bundleEditor(folder);
  await buildConsole(path.join(folder, 'console'));
  for (const name of bundledPackages)
    copyFileSync(path.join(root, 'node_modules', name, 'LICENSE'), path.join(folder, 'chunks', `${name}.LICENSE`));
};

/** Writes the types of what is public; gives what the compiler printed, which is nothing where all is well. */
export const declareTypes = (folder: string): string => {
  const { status, stdout, stderr, error } = spawnSync('tsc', ['-p', 'tsconfig.build.json', '--outDir', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return '';
  return `${stdout ?? ''}${stderr ?? ''}` || String(error ?? `tsc ended with ${status}`);
};

/** Lays the gateway out in a folder as the package is, without types; gives its `gw.js`. */
export const layOutPackage = async (folder: string): Promise<string> => {
  await bundleSources(path.join(folder, 'dist'));
  for (const file of ['gw.js', 'package.json']) copyFileSync(path.join(root, file), path.join(folder, file));
  for (const name of ['node_modules', 'schema'])
    symlinkSync(path.join(root, name), path.join(folder, name), 'junction');
  return path.join(folder, 'gw.js');
};

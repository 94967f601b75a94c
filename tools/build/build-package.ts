import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { buildConsole, bundlerChecks as checks } from '../../plugins/console/build.ts';
import { latin1Source } from './latin1-source.ts';
import { editorModule, lateModules, publicModules, root, startedModules, threadModules } from './package-modules.ts';

/**
 * Packages that are bundled into the code. Finding the 255 modules of kysely would take a quarter of the start with a store, and
 * lru-cache has many builds, of which one is needed.
 */
export const bundledPackages: readonly string[] = ['kysely', 'lru-cache'];

/** Packages that the packaged console contains in part, with everything that they need. */
export const consolePackages: readonly string[] = [
  ...['preact', '@preact/signals', 'uplot'],
  ...['autocomplete', 'commands', 'lang-json', 'language', 'lint', 'search', 'state', 'view'].map(
    (name) => `@codemirror/${name}`,
  ),
];

/**
 * It finds modules relative to its own place, which is the same for threads. It is a separate module, because bundles rename
 * exports.
 */
const placed = 'plugins/sdk/loading/own-module';

/**
 * Folders of which a start needs nearly everything. Each becomes one chunk. If they were split by the parts of the gateway that
 * use each module, there would be a hundred chunks, and more with each module that is loaded lazily.
 */
const sharedFolders = [
  ...(['schema', 'plugins/sdk', 'plugins/providers/shared', 'runtime/async', 'runtime/json-bodies'] as const),
  ...([
    'runtime/engine/call',
    'runtime/engine/forwarded-headers',
    'runtime/engine/plugins',
    'runtime/engine/error-responses',
  ] as const),
  ...(['runtime/engine/target', 'runtime/cli/settings', 'runtime/watched-files', 'runtime/in-memory'] as const),
] as const;

/** Validators are long, and only the compiler needs them. */
const isShared = (id: string, folder: (typeof sharedFolders)[number]): boolean =>
  id.startsWith(path.join(root, folder, path.sep)) && path.basename(path.dirname(id)) !== 'generated';

/** A start reads all declarations of dialects, but nothing else in them. */
const isDeclaration = (id: string): boolean => /\/plugins\/dialects\/[^/]+\/(?:provider-)?declarations?\.ts$/.test(id);

/** Doc comments are in the types, and the code is a seventh smaller without them. */
const comments = { legal: true, annotation: true, jsdoc: false } as const;

const toSource = (module: string): string => path.join(root, `${module}.ts`);

const isBundled = (id: string): boolean => bundledPackages.some((name) => id === name || id.startsWith(`${name}/`));

const licenceOf = (name: string): string => {
  const [file] = globSync(path.join(root, 'node_modules', name, 'LICENSE{,.md}'));
  if (file === undefined) throw new Error(`The package ${name} has no file LICENSE or LICENSE.md.`);
  return file;
};

const isSource = (id: string): boolean => id.startsWith('.') || path.isAbsolute(id);

/**
 * Writes the editor into a folder, as one module with everything that it needs, which a page can serve unchanged. It shares no
 * chunk with the gateway, whose chunks import Node modules. It is minified, because pages load all of it.
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

/** Runs last, because the bundler replaces escapes by characters. */
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
  /** The path of the module that finds modules. */
  readonly own: string;
  readonly shared: typeof sharedFolders | readonly [];
}

/** Writes modules to their places in a folder, and shared code into chunks next to them. */
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
 * Writes the gateway's code into a folder: public modules and those that are started at their places, and the rest in chunks,
 * because a start spends most of its time finding modules, and there are two thousand. Threads have separate chunks, because
 * they would load four hundred kilobytes of the gateway's chunks for a few functions.
 */
export const bundleSources = async (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  const apart = new Set([editorModule, ...threadModules]);
  const modules = [...publicModules, ...startedModules, ...lateModules].filter((module) => !apart.has(module));
  await bundleModules(threadModules, { folder, chunks: 'chunks/threads', own: `${placed}-of-threads`, shared: [] });
  await bundleModules(modules, { folder, chunks: 'chunks', own: placed, shared: sharedFolders });
  await bundleEditor(folder);
  await buildConsole(path.join(folder, 'console'));
  for (const name of bundledPackages) copyFileSync(licenceOf(name), path.join(folder, 'chunks', `${name}.LICENSE`));
};

/** Writes the types of the public modules. Returns the compiler's output, which is empty if there are no errors. */
export const declareTypes = (folder: string): string => {
  const { status, stdout, stderr, error } = spawnSync('tsc', ['-p', 'tsconfig.build.json', '--outDir', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return '';
  return `${stdout ?? ''}${stderr ?? ''}` || String(error ?? `tsc ended with ${status}`);
};

/** Lays the gateway out in a folder like the package, without types. Returns its `gw.js`. */
export const layOutPackage = async (folder: string): Promise<string> => {
  await bundleSources(path.join(folder, 'dist'));
  for (const file of ['gw.js', 'package.json']) copyFileSync(path.join(root, file), path.join(folder, file));
  for (const name of ['node_modules', 'schema'])
    symlinkSync(path.join(root, name), path.join(folder, name), 'junction');
  return path.join(folder, 'gw.js');
};

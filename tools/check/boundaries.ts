/** The table of allowed imports. Run as a program, it prints each forbidden import and exits with 1. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Import {
  /** Both paths are relative to the repository, with `/`. */
  readonly file: string;
  readonly target: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Code that is bundled for browsers. */
const browserApp = 'plugins/console/app/';

/** The layers, most specific first, and the layers that each may import in addition to itself. */
const layers = [
  { prefix: 'schema/', may: [] },
  { prefix: 'plugins/sdk/', may: ['schema/'] },
  { prefix: 'plugins/testkit/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'plugins/dialects/', may: ['schema/', 'plugins/sdk/'] },
  // Cloud services require the same signatures from checks as from providers, and some check tool calls in every dialect.
  {
    prefix: 'plugins/guardrails/partners/',
    may: ['schema/', 'plugins/sdk/', 'plugins/providers/auth/', 'plugins/dialects/'],
  },
  { prefix: 'plugins/guardrails/', may: ['schema/', 'plugins/sdk/', 'plugins/guardrails/partners/'] },
  { prefix: 'plugins/providers/shared/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'plugins/providers/auth/', may: ['schema/', 'plugins/sdk/', 'plugins/providers/shared/'] },
  {
    prefix: 'plugins/providers/',
    may: ['schema/', 'plugins/sdk/', 'plugins/providers/shared/', 'plugins/providers/auth/'],
  },
  { prefix: 'plugins/redis/', may: [] },
  { prefix: 'plugins/caches/', may: ['schema/', 'plugins/sdk/', 'plugins/redis/'] },
  // S3-compatible services require the same signatures as other clouds.
  {
    prefix: 'plugins/control/kernel/blobs/s3/',
    may: ['schema/', 'plugins/sdk/', 'plugins/control/', 'plugins/providers/auth/'],
  },
  {
    prefix: 'plugins/control/',
    may: ['schema/', 'plugins/sdk/', 'plugins/redis/', 'plugins/control/kernel/blobs/s3/'],
  },
  // A bucket requires the same signatures as other clouds.
  { prefix: 'plugins/sinks/', may: ['schema/', 'plugins/sdk/', 'plugins/providers/auth/'] },
  { prefix: 'plugins/alerts/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'plugins/overload/', may: ['schema/', 'plugins/sdk/'] },
  // Its thread reads answers in the built-in dialects.
  { prefix: 'plugins/telemetry/', may: ['schema/', 'plugins/sdk/', 'plugins/dialects/'] },
  { prefix: 'plugins/host/loading/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'plugins/host/isolation/', may: ['schema/', 'plugins/sdk/', 'plugins/host/loading/'] },
  {
    prefix: 'plugins/host/verifying/',
    may: ['schema/', 'plugins/sdk/', 'plugins/host/loading/', 'plugins/host/isolation/', 'plugins/testkit/'],
  },
  {
    prefix: 'plugins/host/',
    may: ['schema/', 'plugins/sdk/', 'plugins/host/loading/', 'plugins/host/isolation/', 'plugins/'],
  },
  // Its pages run in a browser, where the compiler is in a worker. No other layer may import it.
  { prefix: browserApp, may: ['schema/', 'compiler/editor/', 'compiler/'] },
  {
    prefix: 'plugins/',
    may: [
      'schema/',
      'plugins/sdk/',
      'plugins/dialects/',
      'plugins/guardrails/',
      'plugins/providers/',
      'plugins/caches/',
      'plugins/sinks/',
    ],
  },
  // It runs in an editor, and uses the gateway only through its command.
  { prefix: 'editors/', may: ['schema/'] },
  // Also runs in an editor or a browser. Nothing else in the compiler may import it.
  { prefix: 'compiler/editor/', may: ['schema/', 'plugins/sdk/', 'compiler/'] },
  { prefix: 'compiler/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'runtime/', may: ['schema/', 'plugins/sdk/'] },
] as const;

/** Returns the subfolders of a folder as prefixes, without the named ones. */
const foldersIn = (folder: string, named: readonly string[] = []): readonly string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !named.includes(entry.name))
    .map(({ name }) => `${folder}/${name}/`);

/** Each dialect has folders with the same names. */
const dialectOrders = foldersIn('plugins/dialects', ['shared']).map((dialect) => [
  `${dialect}parts/`,
  `${dialect}checked-texts/`,
  `${dialect}request/`,
  `${dialect}answer/`,
  dialect,
]);

/** Only the list of providers may import them, so each of their folders has a separate order. */
const providerOrders = foldersIn('plugins/providers').map((provider) => [provider, 'plugins/providers/']);

/**
 * The folders and files inside a layer, from the bottom up: each may import those listed before it. A file next to the folders
 * that is not listed is above all of them.
 */
const orders: readonly (readonly string[])[] = [
  [
    'schema/command-help/',
    'schema/modules/',
    'schema/text/',
    'schema/json/',
    'schema/portkey/',
    'schema/json-schema/',
    'schema/generated/',
    'schema/http/',
    'schema/errors/',
    'schema/credentials/',
    'schema/conversation/',
    'schema/usage/',
    'schema/model-facts/',
    'schema/trail/',
    'schema/config/',
    'schema/plan/',
    'schema/forecast/',
    'schema/',
  ],
  [
    'plugins/sdk/http/',
    'plugins/sdk/files/',
    'plugins/sdk/loading/',
    'plugins/sdk/multipart/',
    'plugins/sdk/parameters/',
    'plugins/sdk/binary/',
    'plugins/sdk/fairness/',
    'plugins/sdk/time/',
    'plugins/sdk/delivery/',
    'plugins/sdk/sink/',
    'plugins/sdk/exchange/',
    'plugins/sdk/overload/',
    'plugins/sdk/control-plane/',
    'plugins/sdk/route/',
    'plugins/sdk/dialect/',
    'plugins/sdk/framings/',
    'plugins/sdk/provider/',
    'plugins/sdk/guardrail/',
    'plugins/sdk/cache/',
    'plugins/sdk/chooser/',
    'plugins/sdk/models/',
    'plugins/sdk/texts/',
    'plugins/sdk/hooks/',
    'plugins/sdk/logs/',
    'plugins/sdk/plugin/',
    'plugins/sdk/',
  ],
  [
    'plugins/dialects/shared/json/',
    'plugins/dialects/shared/parts/',
    'plugins/dialects/shared/request/',
    'plugins/dialects/shared/claude/',
    'plugins/dialects/shared/answer/',
    'plugins/dialects/shared/split-lists/',
    'plugins/dialects/shared/checked-texts/',
    'plugins/dialects/chat/',
    'plugins/dialects/',
  ],
  ...dialectOrders,
  ...providerOrders,
  [
    'plugins/console/app/texts/',
    'plugins/console/app/api/',
    'plugins/console/app/components/',
    'plugins/console/app/router/',
    'plugins/console/app/plan-picture/',
    'plugins/console/app/pages/',
    'plugins/console/app/shell/',
    'plugins/console/app/',
  ],
  ['plugins/alerts/messages/', 'plugins/alerts/forms/', 'plugins/alerts/sources/', 'plugins/alerts/'],
  [
    'compiler/diagnostics/',
    'compiler/parse/',
    'compiler/schema-errors/',
    'compiler/resolve/',
    'compiler/capability-gaps/',
    'compiler/optimise/',
    'compiler/semantics/',
    'compiler/reliability/',
    'compiler/lower/',
    'compiler/check/',
    'compiler/compare/',
    'compiler/emit/',
    'compiler/fix/',
    'compiler/format/',
    'compiler/diagnostic-text/',
    'compiler/cli/',
    'compiler/',
  ],
  [
    'runtime/ports/',
    'runtime/async/',
    'runtime/in-memory/',
    'runtime/watched-files/',
    'runtime/json-bodies/',
    'runtime/usage/',
    'runtime/upstream/',
    'runtime/streams/',
    'runtime/engine/',
    'runtime/model-catalogue/',
    'runtime/file-plans/',
    'runtime/route-matching/',
    'runtime/http/',
    'runtime/access/',
    'runtime/tenant-plans/',
    'runtime/model-list/',
    'runtime/plan-choice/',
    'runtime/status-pages/',
    'runtime/control-routes/',
    'runtime/server/',
    'runtime/simulation/',
    'runtime/cli/',
    'runtime/workers/',
    'runtime/embedded/',
    'runtime/',
  ],
  [
    'runtime/engine/forwarded-headers/',
    'runtime/engine/error-responses/',
    'runtime/engine/plugins/',
    'runtime/engine/guardrail-verdicts/',
    'runtime/engine/target/',
    'runtime/engine/plugin-caches/',
    'runtime/engine/call/',
    'runtime/engine/attempt-usage/',
    'runtime/engine/guardrail-checks/',
    'runtime/engine/stream-stages/',
    'runtime/engine/attempt/',
    'runtime/engine/capabilities/',
    'runtime/engine/load-balancing/',
    'runtime/engine/continued-streams/',
    'runtime/engine/hedge/',
    'runtime/engine/mirrors/',
    'runtime/engine/stages/',
    'runtime/engine/nodes/',
    'runtime/engine/',
  ],
  [
    'plugins/control/kernel/',
    'plugins/control/access/',
    'plugins/control/catalog/',
    'plugins/control/metering/',
    'plugins/control/work/',
    'plugins/control/logs/',
    'plugins/control/resources.ts',
    'plugins/control/cli/',
    'plugins/control/',
  ],
];

const findLayer = (file: string): (typeof layers)[number] | undefined =>
  layers.find(({ prefix }) => file.startsWith(prefix));

/** Whether the order inside a layer allows one file to import the other. It does not apply to files of two layers. */
const isInOrder = ({ file, target }: Import): boolean =>
  orders.every((order) => {
    const from = order.findIndex((prefix) => file.startsWith(prefix));
    const to = order.findIndex((prefix) => target.startsWith(prefix));
    return from < 0 || to < 0 || to <= from;
  });

/** Files in the root and in `gw/` connect the phases and may import anything. Nothing may import a test. */
export const mayImport = (each: Import): boolean => {
  const { file, target } = each;
  if (target.startsWith('test/')) return file.startsWith('test/');
  const from = findLayer(file);
  if (from === undefined) return true;
  const to = findLayer(target);
  return to !== undefined && to === from ? isInOrder(each) : from.may.some((prefix) => prefix === to?.prefix);
};

/** Writes imports into the files that it generates. */
const generator = 'schema/generate.ts';

const sourceFiles = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder)).flatMap((name) => {
    const file = path.join(folder, name);
    if (name === 'node_modules') return [];
    if (statSync(path.join(root, file)).isDirectory()) return sourceFiles(file);
    return /\.tsx?$/.test(file) && file !== generator ? [file.split(path.sep).join('/')] : [];
  });

const importPattern = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const toImports = (file: string): readonly Import[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(importPattern)].map(([, specifier]) => ({
    file,
    target: path.posix.join(path.posix.dirname(file), specifier ?? ''),
  }));

/** Returns the source files, relative to the repository. */
export const sources = (): readonly string[] => [
  ...['schema', 'plugins', 'compiler', 'runtime', 'gw', 'editors'].flatMap(sourceFiles),
  'gw.ts',
  'index.ts',
  'testing.ts',
];

/** Returns the files that the package does not contain: tests, tools and what is deployed. */
export const otherFiles = (): readonly string[] => ['deploy', 'test', 'tools'].flatMap(sourceFiles);

/** Returns every relative import in the sources, including type imports. */
export const relativeImports = (): readonly Import[] => sources().flatMap(toImports);

/** Returns the files or folders that import each other in a circle, each circle sorted. Type imports count as well. */
export const importCircles = (imports: readonly Import[]): readonly (readonly string[])[] => {
  const targets = Map.groupBy(imports, ({ file }) => file);
  const reachable = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const waiting = [start];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
      for (const { target } of targets.get(file) ?? [])
        if (!seen.has(target)) {
          seen.add(target);
          waiting.push(target);
        }
    return seen;
  };
  const reached = new Map([...targets.keys()].map((file) => [file, reachable(file)]));
  const circles = [...reached].flatMap(([file, others]) =>
    others.has(file) ? [[...others].filter((other) => reached.get(other)?.has(file)).sort()] : [],
  );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
};

/** Returns the subfolder of `folder` that contains a file at any depth, or `folder/.` for a file directly in the folder. */
const toChild = (folder: string, file: string): string =>
  file.slice(0, file.indexOf('/', folder.length) + 1) || `${folder}.`;

/**
 * Returns the folders that import each other in a circle, each with everything in it. Files next to folders count as one more
 * folder, called `.`.
 */
export const folderCircles = (imports: readonly Import[]): readonly (readonly string[])[] =>
  importCircles(
    imports.flatMap(({ file, target }) => {
      // It is above all folders, although it is among the plugins.
      if (file.startsWith(browserApp) && !target.startsWith(browserApp)) return [];
      const parts = file.split('/');
      const others = target.split('/');
      const shared = parts.findIndex((part, at) => part !== others[at]);
      const folder = parts
        .slice(0, shared)
        .map((part) => `${part}/`)
        .join('');
      const [from, to] = [toChild(folder, file), toChild(folder, target)];
      return from === to ? [] : [{ file: from, target: to }];
    }),
  );

/** Folders with one file per row of a table may have any number of files. */
const tables: readonly string[] = [
  'plugins/guardrails/privacy/national-ids/',
  'plugins/providers/openai-like/',
  'test/fuzz/',
  'test/plugins/guardrails/partners/',
  'test/support/partners/',
];

/** With more files side by side, readers do not find them by name. */
const maxFiles = 25;

/** Returns the folders with too many files. */
export const crowdedFolders = (files: readonly string[]): readonly string[] =>
  [...Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf('/') + 1))]
    .filter(([folder, inside]) => inside.length > maxFiles && !tables.includes(folder))
    .map(([folder]) => folder);

if (import.meta.main) {
  const imports = relativeImports();
  const problems = [
    ...imports.filter((each) => !mayImport(each)).map(({ file, target }) => `${file} may not import ${target}`),
    ...importCircles(imports).map((circle) => `These files import each other: ${circle.join(', ')}`),
    ...folderCircles(imports).map((circle) => `These folders import each other: ${circle.join(', ')}`),
    ...crowdedFolders(sources()).map((folder) => `${folder} has more than ${maxFiles} files side by side`),
  ];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

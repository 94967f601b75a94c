/** Holds the table of who may import whom. Run alone it prints each import that breaks it, and exits 1. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Import {
  /** Both relative to the repository, with `/`. */
  readonly file: string;
  readonly target: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Code that is bundled for browsers. */
const browserApp = 'plugins/console/app/';

/** The layers, most specific first, and the layers each may import beside itself. */
const layers = [
  { prefix: 'schema/', may: [] },
  { prefix: 'plugins/sdk/', may: ['schema/'] },
  { prefix: 'plugins/testkit/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'plugins/dialects/', may: ['schema/', 'plugins/sdk/'] },
  // The services of clouds want the same signatures from checks as from providers, and some judge calls of tools in every dialect.
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
  // Services that are compatible with S3 want the same signatures as other clouds.
  {
    prefix: 'plugins/control/work/blobs/s3/',
    may: ['schema/', 'plugins/sdk/', 'plugins/control/', 'plugins/providers/auth/'],
  },
  {
    prefix: 'plugins/control/',
    may: ['schema/', 'plugins/sdk/', 'plugins/redis/', 'plugins/control/work/blobs/s3/'],
  },
  // A bucket wants the same signatures as other clouds.
  { prefix: 'plugins/sinks/', may: ['schema/', 'plugins/sdk/', 'plugins/providers/auth/'] },
  { prefix: 'plugins/alerts/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'plugins/overload/', may: ['schema/', 'plugins/sdk/'] },
  // Its thread reads answers in the dialects that come with the gateway.
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
  // Its pages run in a browser, where the compiler is in a worker. No other layer imports it.
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
  // It runs in an editor, and reaches the gateway by its command alone.
  { prefix: 'editors/', may: ['schema/'] },
  // What runs in an editor or a browser too; nothing else of the compiler imports it.
  { prefix: 'compiler/editor/', may: ['schema/', 'plugins/sdk/', 'compiler/'] },
  { prefix: 'compiler/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'runtime/', may: ['schema/', 'plugins/sdk/'] },
] as const;

/** The folders in a folder, as prefixes, without those named. */
const foldersIn = (folder: string, named: readonly string[] = []): readonly string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !named.includes(entry.name))
    .map(({ name }) => `${folder}/${name}/`);

/** Each dialect has folders of the same names. */
const dialectOrders = foldersIn('plugins/dialects', ['wire']).map((dialect) => [
  `${dialect}parts/`,
  `${dialect}checked-texts/`,
  `${dialect}request/`,
  `${dialect}answer/`,
  dialect,
]);

/** Only the list of providers imports them, so that each of their folders is an order of its own. */
const providerOrders = foldersIn('plugins/providers').map((provider) => [provider, 'plugins/providers/']);

/**
 * Inside a layer, its folders and the files beside them, from the bottom up: each may import what is listed before it. A
 * file beside the folders that is not listed is above all of them.
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
    'plugins/sdk/modules/',
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
    'plugins/dialects/wire/json/',
    'plugins/dialects/wire/parts/',
    'plugins/dialects/wire/request/',
    'plugins/dialects/wire/claude/',
    'plugins/dialects/wire/answer/',
    'plugins/dialects/wire/lists/',
    'plugins/dialects/wire/checked-texts/',
    'plugins/dialects/chat/',
    'plugins/dialects/',
  ],
  ...dialectOrders,
  ...providerOrders,
  [
    'plugins/console/app/texts/',
    'plugins/console/app/api/',
    'plugins/console/app/parts/',
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
    'compiler/validate/',
    'compiler/resolve/',
    'compiler/gaps/',
    'compiler/optimise/',
    'compiler/meaning/',
    'compiler/odds/',
    'compiler/lower/',
    'compiler/check/',
    'compiler/compare/',
    'compiler/emit/',
    'compiler/fix/',
    'compiler/format/',
    'compiler/excerpts/',
    'compiler/cli/',
    'compiler/',
  ],
  [
    'runtime/ports/',
    'runtime/async/',
    'runtime/memory/',
    'runtime/files/',
    'runtime/json-bodies/',
    'runtime/usage/',
    'runtime/upstream/',
    'runtime/streams/',
    'runtime/engine/',
    'runtime/model-facts/',
    'runtime/plan-generations/',
    'runtime/routes/',
    'runtime/http/',
    'runtime/access/',
    'runtime/plans/',
    'runtime/status-pages/',
    'runtime/control-routes/',
    'runtime/server/',
    'runtime/replay/',
    'runtime/simulate/',
    'runtime/cli/',
    'runtime/workers/',
    'runtime/embedded/',
    'runtime/',
  ],
  [
    'runtime/engine/headers/',
    'runtime/engine/error-responses/',
    'runtime/engine/plugins/',
    'runtime/engine/verdicts/',
    'runtime/engine/target/',
    'runtime/engine/cache/',
    'runtime/engine/call/',
    'runtime/engine/times/',
    'runtime/engine/usage/',
    'runtime/engine/checks/',
    'runtime/engine/stream-stages/',
    'runtime/engine/attempt/',
    'runtime/engine/abilities/',
    'runtime/engine/balance/',
    'runtime/engine/continuing/',
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

/** Whether the order inside a layer lets one file import the other; it says nothing of files of two layers. */
const isInOrder = ({ file, target }: Import): boolean =>
  orders.every((order) => {
    const from = order.findIndex((prefix) => file.startsWith(prefix));
    const to = order.findIndex((prefix) => target.startsWith(prefix));
    return from < 0 || to < 0 || to <= from;
  });

/** Root files and those of `gw/` join the phases and may import anything; nothing imports a test. */
export const mayImport = (each: Import): boolean => {
  const { file, target } = each;
  if (target.startsWith('test/')) return file.startsWith('test/');
  const from = findLayer(file);
  if (from === undefined) return true;
  const to = findLayer(target);
  return to !== undefined && to === from ? isInOrder(each) : from.may.some((prefix) => prefix === to?.prefix);
};

/** Writes imports into the files it makes. */
const generator = 'schema/generate.ts';

const sourceFiles = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder)).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(path.join(root, file)).isDirectory()) return sourceFiles(file);
    return /\.tsx?$/.test(file) && file !== generator ? [file.split(path.sep).join('/')] : [];
  });

const importPattern = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const toImports = (file: string): readonly Import[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(importPattern)].map(([, specifier]) => ({
    file,
    target: path.posix.join(path.posix.dirname(file), specifier ?? ''),
  }));

/** The files of the sources, relative to the repository. */
export const sources = (): readonly string[] => [
  ...['schema', 'plugins', 'compiler', 'runtime', 'gw', 'editors'].flatMap(sourceFiles),
  'gw.ts',
  'index.ts',
  'testing.ts',
];

/** Every relative import of the sources, type imports too. */
export const relativeImports = (): readonly Import[] => sources().flatMap(toImports);

/** What imports each other in a circle, files or folders, each circle sorted; type imports make one too. */
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

/** The sub-folder of `folder` that a file is in, at any depth, or `folder/.` for a file that lies in the folder itself. */
const toChild = (folder: string, file: string): string =>
  file.slice(0, file.indexOf('/', folder.length) + 1) || `${folder}.`;

/**
 * The folders that import each other in a circle, each with everything in it. Files that lie beside folders count as one more
 * folder, called `.`.
 */
export const folderCircles = (imports: readonly Import[]): readonly (readonly string[])[] =>
  importCircles(
    imports.flatMap(({ file, target }) => {
      // It is on top of all folders, though it lies among plugins.
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

/** Folders with a file for each row of a table may have any number of them. */
const tables: readonly string[] = ['plugins/guardrails/privacy/national-ids/', 'plugins/providers/openai-like/'];

/** More files side by side are not found by their names. */
const maxFiles = 25;

/** The folders with more files than a reader looks through. */
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

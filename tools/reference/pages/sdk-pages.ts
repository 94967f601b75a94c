import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { root } from '../../build/package-modules.ts';
import { type Declaration, readDeclarations, readMembers } from '../declarations.ts';
import { linkErrors } from '../error-links.ts';
import { code, described, fence, prose, type ReferencePage, table, toPage } from '../markdown.ts';

const barrel = 'plugins/sdk/sdk.ts';

interface Public extends Declaration {
  readonly heading: string;
  /** The folder of its source, which determines its page. */
  readonly group: string;
}

/** Returns the names that a module re-exports, each with the source and its name there. */
const reexports = (file: string): readonly (readonly [name: string, source: string, own: string])[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(
    ([, names = '', source = '']) =>
      names
        .split(',')
        .map((name) => name.replace(/^\s*type\s/, '').trim())
        .filter((name) => name !== '')
        .map((name) => {
          const [own = name, given = own] = name.split(' as ');
          return [given, path.posix.join(path.posix.dirname(file), source), own] as const;
        }),
  );

/** Finds a declaration in the module that has or re-exports it. */
const findDeclaration = (file: string, name: string): Declaration => {
  const found = readDeclarations(file).get(name);
  if (found !== undefined) return found;
  const from = reexports(file).find(([given]) => given === name);
  if (from === undefined) throw new Error(`${file} does not export ${name}.`);
  return findDeclaration(from[1], from[2]);
};

/**
 * Returns the group of a source: `guardrail` for `plugins/sdk/guardrail/guardrail.ts`, and `conversation` for
 * `schema/conversation/answer.ts`.
 */
const groupOf = (file: string): string =>
  path.posix
    .dirname(file)
    .split('/')
    .slice(file.startsWith('schema/') ? 1 : 2)[0] ?? 'sdk';

const ofValues = new Set([
  'json',
  'errors',
  'text',
  'trail',
  'usage',
  'plan',
  'model-facts',
  'texts',
  'time',
  'parameters',
  'sdk',
]);

/** Small groups share a page. */
const pageOf = (group: string): string => (ofValues.has(group) ? 'values' : group);

const listPublic = (): readonly Public[] => {
  const all = reexports(barrel);
  return all.map(([name, source, own]) => {
    // The names of a type and of the function that creates it may differ only in the case of a letter, which fragments ignore.
    const isDoubled = all.some(([other]) => other !== name && other.toLowerCase() === name.toLowerCase());
    const heading = isDoubled && /^[a-z]/.test(name) ? `${code(name)}, the function` : code(name);
    return { ...findDeclaration(source, own), name, heading, group: pageOf(groupOf(source)) };
  });
};

const titles: Readonly<Record<string, string>> = {
  values: 'Errors, JSON and other values',
};

const titleOf = (group: string): string =>
  titles[group] ?? `${group.charAt(0).toUpperCase()}${group.slice(1).replaceAll('-', ' ')}`;

const toEntry = ({ name, heading, doc, text }: Public): string =>
  [`## ${heading}`, linkErrors(prose(described(doc, `${name} of ${barrel}`)), '../errors/'), fence('ts', text)].join(
    '\n\n',
  );

/** Returns the hooks, each with its doc comment, from their interface. */
const hookRows = (): readonly (readonly string[])[] =>
  readMembers(findDeclaration('plugins/sdk/hooks/hooks.ts', 'Hooks')).map(({ name, doc, text }) => [
    code(name),
    code(text.replaceAll(/\s+/g, ' ')),
    prose(described(doc, `The hook ${name}`)),
  ]);

/** Creates a page for each part of `gatewright/sdk`, one for the hooks, and their index. */
export const sdkPages = (): readonly ReferencePage[] => {
  const all = listPublic();
  const groups = [...Map.groupBy(all, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    toPage('sdk/README.md', {
      title: 'SDK',
      from: barrel,
      parts: [
        'Everything that `gatewright/sdk` exports, for [plugins](../../../plugins/README.md): checks, providers, dialects, caches, choosers, sinks, routes and hooks. `gw plugin new` creates a package with one.',
        '## Hooks',
        'A plugin taps hooks in `apply(hooks)`. Their signatures are in [`Hooks`](hooks.md#hooks).',
        table(['hook', 'type', 'description'], hookRows()),
        ...groups.flatMap(([group, names]) => [
          `## ${titleOf(group)}${group === 'hooks' ? ' and their types' : ''}`,
          table(
            ['name', 'description'],
            names.map(({ name, heading, doc }) => [
              `[${code(name)}](${group}.md#${toSlug(heading)})`,
              linkErrors(prose(described(doc, name)).split(/(?<=[.;]) /)[0] ?? '', '../errors/'),
            ]),
          ),
        ]),
      ],
    }),
    ...groups.map(([group, names]) =>
      toPage(`sdk/${group}.md`, {
        title: `SDK: ${titleOf(group)}`,
        from: barrel,
        parts: ['[Everything](README.md)', ...names.map(toEntry)],
      }),
    ),
  ];
};

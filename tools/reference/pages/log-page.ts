import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../build/package-modules.ts';
import { type Declaration, readDeclarations, readMembers } from '../declarations.ts';
import { code, described, prose, type ReferencePage, table, toPage } from '../markdown.ts';

const find = (file: string, name: string): Declaration => {
  const found = readDeclarations(file).get(name);
  if (found === undefined) throw new Error(`${file} has no ${name}.`);
  return found;
};

const entry = (owner: string, { name, doc, text }: Declaration): readonly string[] => [
  `## ${code(name)}`,
  prose(described(doc, `${owner}.${name}`)),
  `Type: ${code(text.replaceAll(/\s+/g, ' '))}`,
];

const row =
  (owner: string) =>
  ({ name, doc, text }: Declaration): readonly string[] => [
    code(name),
    code(text.replaceAll(/\s+/g, ' ')),
    prose(described(doc, `${owner}.${name}`)),
  ];

const lines = 'plugins/sdk/logs/request-line.ts';
const problems = 'plugins/sdk/logs/request-problem.ts';
const trails = 'schema/trail/trail.ts';

/** Returns the kinds of trail events, each with its doc comment. */
const trailKinds = (): readonly (readonly [kind: string, doc: string])[] => {
  const { text } = find(trails, 'TrailEvent');
  const pattern = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\| \{\s*readonly kind: '(\w+)'/g;
  return [...text.matchAll(pattern)].map(([, doc = '', kind = '']) => [
    kind,
    doc
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, '').trim())
      .join(' ')
      .trim(),
  ]);
};

const source = (): string => readFileSync(path.join(root, trails), 'utf8');

/** Creates the page of the fields in the log entry of a request. */
export const logPage = (): ReferencePage => {
  const members = [
    ...readMembers(find(lines, 'RequestLine')).filter(({ name }) => name === 'time'),
    ...readMembers(find(lines, 'RequestFacts')),
    ...readMembers(find(lines, 'RequestLine')).filter(({ name }) => name !== 'time'),
  ];
  const kinds = trailKinds();
  const all = [...source().matchAll(/\{\s*readonly kind: '(\w+)'/g)].map(([, kind]) => kind);
  const [missing] = all.filter((kind) => !kinds.some(([each]) => each === kind));
  if (missing !== undefined) throw new Error(`The event "${missing}" of a trail has no doc comment in ${trails}.`);
  return toPage('log-fields.md', {
    title: 'Log fields',
    from: `${lines}, ${problems} and ${trails}`,
    parts: [
      '`GW_LOG=requests gw serve` prints a JSON line for each request when its response has ended, without bodies and without secrets. `gw explain CONFIG --request FILE` replays a line. The log of a store has the same fields in [its records](api/logs.md).',
      'A field that does not apply is absent.',
      ...members.flatMap((member) => entry('RequestLine', member)),
      '## The members of `problem`',
      table(
        ['member', 'type', 'description'],
        readMembers(find(problems, 'RequestProblem')).map(row('RequestProblem')),
      ),
      '## The events of `trail`',
      'Each event has a `kind`, and most have a `path`, the place of the node in the plan.',
      'The reason for each further attempt is a separate event: `retried`, `fellBack`, `hedged` or `continued`. The first attempt has none.',
      'A record in a store also lists its attempts as `attempts`. A failed attempt has a `cause` there, with the values of `problem.cause`: `upstream-500` for the status of a provider, or the code of an error of the gateway.',
      table(
        ['kind', 'description'],
        kinds.map(([kind, doc]) => [code(kind), prose(described(doc, kind))]),
      ),
      '## The members of `usage`',
      'The event `settled` has them, if `"usage": true` or another member of the gateway file asks for usage.',
      table(
        ['member', 'type', 'description'],
        readMembers(find('schema/usage/usage-record.ts', 'UsageRecord')).map(row('UsageRecord')),
      ),
    ],
  });
};

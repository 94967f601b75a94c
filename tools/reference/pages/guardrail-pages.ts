import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';
import type { Guardrail } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { wholeParameters } from '../../../plugins/sdk/guardrail/guardrail-parameters.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { root } from '../../build/package-modules.ts';
import { code, codes, described, points, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import { schemaType } from '../schema-members.ts';

const files = globSync('plugins/guardrails/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll(path.sep, '/'))
  .sort();

/** Returns the last doc comment of an exported constant before a place in a source. */
const commentBefore = (source: string, at: number): string => {
  const found = [...source.slice(0, at).matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:export )?const /g)].at(-1);
  return (found?.[1] ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .trim();
};

/** Returns what a check does, from the comment before its definition. */
const docOf = ({ id }: Guardrail): string => {
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8');
    const at = source.search(new RegExp(`id: '${id.replaceAll('.', '\\.')}'`));
    if (at >= 0) return vendorsWords(commentBefore(source, at));
  }
  return '';
};

const phases = { input: 'requests', output: 'responses' } as const;

/** Returns the parameters of an object, and those of the objects in it. */
const rowsOf = (
  id: string,
  { properties = {}, required = [] }: ParameterSchema,
  before = '',
): readonly (readonly string[])[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${before}${name}`;
    // If its parts are not described, the description of the object itself covers them.
    const parts = Object.values(schema.properties ?? {});
    const isOpen = schema.description === undefined || parts.every((part) => part.description !== undefined);
    const inner = parts.length > 0 && isOpen ? rowsOf(id, schema, `${path}.`) : [];
    const text = schema.description ?? (inner.length > 0 ? 'An object:' : undefined);
    return [
      [
        code(path),
        schemaType(schema as JsonObject),
        required.includes(name) ? 'yes' : '',
        schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
        prose(described(text, `The parameter ${path} of ${id}`)),
      ],
      ...inner,
    ];
  });

const vendorsWords = (doc: string): string =>
  /^https:/.test(doc) ? `Calls the vendor's service, as its documentation describes: ${doc}` : doc;

const entry = (guardrail: Guardrail): string => {
  const { id, aliases = [] } = guardrail;
  return [
    `## ${code(id)}`,
    prose(described(docOf(guardrail), `The check ${id}`)),
    points([
      `Judges: ${(guardrail.phases ?? (['input', 'output'] as const)).map((phase) => phases[phase]).join(' and ')}`,
      ...(aliases.length === 0 ? [] : [`Other ids: ${codes(aliases)}`]),
    ]),
    table(
      ['parameter', 'type', 'required', 'default', 'description'],
      rowsOf(id, wholeParameters(guardrail.parameters)),
    ),
  ].join('\n\n');
};

const groupOf = ({ id }: Guardrail): string => id.split('.')[0] ?? '';

/** Creates a page for the gateway's own checks and one for each partner, and their index. */
export const guardrailPages = (): readonly ReferencePage[] => {
  const groups = [...Map.groupBy(builtinGuardrails, groupOf)];
  const from = 'plugins/guardrails';
  return [
    toPage('guardrails/README.md', {
      title: 'Guardrails',
      from,
      parts: [
        'The checks that come with the gateway, as configs name them under [`input_guardrails`, `output_guardrails`](../config/guardrails.md) and in saved guardrails: `{ "default.contains": { "words": ["password"], "operator": "none" }, "deny": true }`. [Guardrails](../../how-it-works/guardrails.md) explains what they judge and what happens then, [what the checks look at](../../how-it-works/checks.md) what each kind finds, and [a recipe](../../recipes/check-requests-and-answers.md) shows one in use. [GUARDRAILS.md](../../../test/GUARDRAILS.md) shows each check on every dialect, and [the folder](../../../plugins/guardrails/README.md) explains how to write one.',
        ...groups.flatMap(([group, all]) => [
          `## ${group}`,
          table(
            ['check', 'description'],
            all.map((each) => [
              `[${code(each.id)}](${group}.md#${toSlug(each.id)})`,
              prose(described(docOf(each), `The check ${each.id}`).split(/(?<=[.]) /)[0] ?? ''),
            ]),
          ),
        ]),
      ],
    }),
    ...groups.map(([group, all]) =>
      toPage(`guardrails/${group}.md`, {
        title: `Guardrails: ${group}`,
        from,
        parts: ['[All checks](README.md)', ...all.map(entry)],
      }),
    ),
  ];
};

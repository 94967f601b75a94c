import { readFileSync } from 'node:fs';
import path from 'node:path';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import {
  answerHeaderDescriptions,
  type DescribedHeader,
  requestHeaderDescriptions,
} from '../../../runtime/control-routes/open-api/header-descriptions.ts';
import { CallerHeaders } from '../../../runtime/http/headers/caller-headers.ts';
import { type HeaderRow, headerTable, unservedRows } from '../../../runtime/http/headers/header-table.ts';
import { settingDescriptions } from '../../../schema/config/setting-descriptions.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { root } from '../../build/package-modules.ts';
import { code, described, fence, points, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import { listOperations, parametersOf } from '../open-api-document.ts';

const prefix = 'x-gw-';

const repetitions = {
  refused: 'Repeated with different values: refused',
  joined: 'Repeated: the values form one list',
  first: 'Repeated: the first value applies',
} as const satisfies Record<HeaderRow['repeated'], string>;

const types = { boolean: '`true` or `false`, in any case', integer: 'a whole number', number: 'a number' } as const;

const formOf = ({ form, type }: Pick<DescribedHeader, 'form' | 'type'>): string =>
  form ?? (type === undefined ? 'a string' : types[type]);

const ownHeaders = headerTable.filter(
  ({ name }) => requestHeaderDescriptions[name.slice(prefix.length)] !== undefined && name.startsWith(prefix),
);

const requestEntry = ({ name, repeated }: HeaderRow): string => {
  const own = requestHeaderDescriptions[name.slice(prefix.length)];
  if (own === undefined) throw new Error(`The header ${name} has no description.`);
  return [
    `## ${code(name)}`,
    prose(described(own.description, name)),
    points([`Form: ${prose(formOf(own))}`, repetitions[repeated]]),
    fence('http', `${name}: ${own.example}`),
  ].join('\n\n');
};

const answerEntry = ([name, own]: readonly [string, DescribedHeader]): string =>
  [
    // Some are also headers of requests.
    ownHeaders.some((row) => row.name === name) ? `## Answer: ${code(name)}` : `## ${code(name)}`,
    prose(described(own.description, name)),
    points([`Form: ${prose(formOf(own))}`]),
    fence('http', `${name}: ${own.example}`),
  ].join('\n\n');

/** Returns the member of a config, or the setting of a saved provider, that a header sets. */
const settingOf = (row: HeaderRow): string => {
  const caller = new CallerHeaders();
  row.take(caller, row.name.endsWith('-fim-completion') ? 'true' : '{}');
  return Object.keys(caller.settings ?? {})[0] ?? '';
};

const { properties } = JSON.parse(readFileSync(path.join(root, 'schema/config.schema.json'), 'utf8')) as JsonObject;

const memberText = (field: string): string | undefined => {
  const member = isJsonObject(properties) ? properties[field] : undefined;
  return isJsonObject(member) && typeof member.description === 'string' ? member.description : undefined;
};

/** The providers' own settings, with their descriptions. */
const ownTexts: ReadonlyMap<string, string> = new Map(
  builtinProviders
    .flatMap(({ ownSettings }) => Object.entries(ownSettings?.properties ?? {}))
    .flatMap(([name, { description }]) => (description === undefined ? [] : [[name, description]])),
);

const settingRow = (row: HeaderRow): readonly string[] => {
  const field = settingOf(row);
  const text = memberText(field);
  const link = `[${code(field)}](config/provider-settings.md#${field})`;
  return [
    code(row.name),
    text === undefined ? code(field) : link,
    prose(described(text ?? settingDescriptions[field] ?? ownTexts.get(field), row.name)),
  ];
};

/** A setting has one value and cannot be a list of several lines. */
const settingRows = headerTable.filter(
  (row) => row.repeated !== 'joined' && !ownHeaders.includes(row) && settingOf(row) !== '',
);

/** Returns the headers for files and jobs, which some routes of the control plane read. */
const routeHeaders = (): readonly (readonly string[])[] => {
  const known = new Set(headerTable.map(({ name }) => name));
  const found = new Map<string, string>();
  for (const { operation } of listOperations())
    for (const { in: place, name, description } of parametersOf(operation))
      if (place === 'header' && typeof name === 'string' && name.startsWith(prefix) && !known.has(name))
        found.set(name, described(typeof description === 'string' ? description : undefined, name));
  return [...found].sort().map(([name, description]) => [code(name), prose(description)]);
};

/** Creates the page of the headers of requests and answers that are not HTTP's own. */
export const headerPage = (): ReferencePage =>
  toPage('headers.md', {
    title: 'Headers',
    from: 'runtime/http/headers/header-table.ts and runtime/control-routes/open-api/header-descriptions.ts',
    parts: [
      'Headers that begin with `x-gw-` are between a client and the gateway: none of them is sent to a provider. The gateway rejects a header with an unknown name (400, with the nearest name), unless the gateway file has `"unknown_headers": "ignore"`. It also rejects a value that does not have the documented form.',
      '`authorization: Bearer …`, and the headers in which the client libraries of other vendors send their key (`x-api-key`, `x-goog-api-key`, `api-key`), carry the service key of the gateway or your own key for a provider.',
      `${unservedRows.map(({ name }) => code(name)).join(' and ')} are refused because none of their checks would run. Use \`input_guardrails\` and \`output_guardrails\` in a config instead.`,
      ...ownHeaders.map(requestEntry),
      '## Settings of providers',
      'These headers stand for the members of a config, or for the settings of a saved provider. Send them with `x-gw-provider` and your own credential.',
      table(['header', 'stands for', 'description'], settingRows.map(settingRow)),
      '## Headers of files and jobs',
      'These headers apply to the routes of the [control plane](api/README.md) for files, batches and fine-tuning.',
      table(['header', 'description'], routeHeaders()),
      ...Object.entries(answerHeaderDescriptions).map(answerEntry),
    ],
  });

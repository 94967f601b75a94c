/**
 * Writes the names of the lazily loaded rows to where a gateway finds them without loading the rows. `--check` writes nothing
 * and exits with 1 if the file is not up to date.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { lateProtocols } from '../../plugins/providers/late-protocols.ts';
import { openaiLikeProviders } from '../../plugins/providers/openai-like/rows.ts';
import { passedThroughProviders } from '../../plugins/providers/passed-through/rows.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { root } from '../build/package-modules.ts';
import { writeGenerated } from './write-generated.ts';

const lineWidth = 120;

/** Formats a list as the project's formatter does. */
const listText = (name: string, texts: readonly string[] | undefined): string => {
  if (texts === undefined) return '';
  const line = `    ${name}: [${texts.map((text) => `'${text}'`).join(', ')}],\n`;
  return line.length <= lineWidth
    ? line
    : `    ${name}: [\n${texts.map((text) => `      '${text}',\n`).join('')}    ],\n`;
};

const rowText = (
  { id, aliases, models, clientHeaders }: Pick<Provider, 'id' | 'aliases' | 'models' | 'clientHeaders'>,
  file: string,
): string =>
  `  {\n    id: '${id}',\n    file: '${file}',\n${listText('aliases', aliases)}${listText('models', models)}${listText('clientHeaders', clientHeaders)}  },\n`;

/** Throws if there is no file with the name of the row, by which it is loaded. */
const findFile = ({ id }: Provider, files: readonly string[]): string => {
  const found = files.find((file) => existsSync(path.join(root, 'plugins/providers', `${file}.ts`)));
  if (found !== undefined) return found;
  const names = files.map((file) => `plugins/providers/${file}.ts`).join(' or ');
  throw new Error(`The row "${id}" has to be in ${names}, since a row is loaded by its id.`);
};

const rows = [
  // A row with code of its own is in a folder.
  ...lateProtocols.map((row) => rowText(row, findFile(row, [row.id, `${row.id}/${row.id}`]))),
  ...openaiLikeProviders.map((row) => rowText(row, findFile(row, [`openai-like/${row.id}`]))),
  ...passedThroughProviders.map((row) => rowText(row, findFile(row, [`passed-through/${row.id}`]))),
];

writeGenerated(
  'plugins/providers/late-names.ts',
  `// Made from the lists of rows by tools/generate/generate-provider-names.ts (npm run generate); do not edit.
import type { LateProviderDefinition } from '../sdk/provider/late-provider.ts';

/** The names of a row, and its file without its extension, from the folder of providers. */
export interface LateName extends Omit<LateProviderDefinition, 'load'> {
  readonly file: string;
}

/** The members that are known of a row before a config, a plan or a request needs it. */
export const lateNames: readonly LateName[] = [
${rows.join('')}];
`,
);

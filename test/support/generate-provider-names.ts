/**
 * Writes the names of the rows that follow OpenAI to where a gateway finds them without loading the rows. `--check` writes
 * nothing and exits with 1 if the file is not up to date.
 */
import { openaiLikeProviders } from '../../plugins/providers/openai-like/rows.ts';
import { writeGenerated } from './write-generated.ts';

const lineWidth = 120;

/** A list as the formatter of the project writes it. */
const listText = (name: string, texts: readonly string[] | undefined): string => {
  if (texts === undefined) return '';
  const line = `    ${name}: [${texts.map((text) => `'${text}'`).join(', ')}],\n`;
  return line.length <= lineWidth
    ? line
    : `    ${name}: [\n${texts.map((text) => `      '${text}',\n`).join('')}    ],\n`;
};

writeGenerated(
  'plugins/providers/openai-like/names.ts',
  `// Made from plugins/providers/openai-like/rows.ts by test/support/generate-provider-names.ts (npm run generate); do not edit.
import type { LateProviderDefinition } from '../../sdk/provider/late-provider.ts';

/** The members of the rows that follow OpenAI which are known before one of them is needed. */
export const openaiLikeNames: readonly Omit<LateProviderDefinition, 'load'>[] = [
${openaiLikeProviders
  .map(
    ({ id, aliases, models, clientHeaders }) =>
      `  {\n    id: '${id}',\n${listText('aliases', aliases)}${listText('models', models)}${listText('clientHeaders', clientHeaders)}  },\n`,
  )
  .join('')}];
`,
);

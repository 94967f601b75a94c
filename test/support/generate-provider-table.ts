/**
 * Writes the table of providers, `docs/providers.md`, from their rows. `--check` writes nothing and exits with 1 if the file is not
 * up to date.
 */
import { builtinProviders } from '../../plugins/providers/builtin-providers.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { providerFacts } from '../../plugins/sdk/provider/provider-facts.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { toTexts } from '../../schema/json/loose.ts';
import { writeGenerated } from './write-generated.ts';

const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

const addressCell = ({ address, closed }: JsonObject): string => {
  if (typeof closed === 'string') return `closed on ${closed}`;
  return typeof address === 'string' ? address.replace(/^https:\/\//, '') : '`custom_host`';
};

const credentialCell = ({ credential, credential_fields: fields }: JsonObject): string => {
  if (credential === 'none') return 'none';
  return `${code(toTexts(fields))}${credential === 'optional' ? ', if any' : ''}`;
};

/** A file of the project, from the folder of the table. */
const link = (documentation: string): string =>
  documentation.startsWith('https://') ? documentation : `../${documentation}`;

const row = (provider: Provider): string => {
  const { id, aliases = [], documentation, unconfirmed = [] } = provider;
  const facts = providerFacts(provider);
  const cells = [
    `[\`${id}\`](${link(documentation)})${aliases.length === 0 ? '' : ` (${code(aliases)})`}`,
    addressCell(facts),
    credentialCell(facts),
    toTexts(facts.operations).join(', ') || 'passed through',
    facts.drop === null ? 'as its settings say' : code(toTexts(facts.drop)),
    unconfirmed.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
};

writeGenerated(
  'docs/providers.md',
  `<!-- Made from plugins/providers by test/support/generate-provider-table.ts (npm run generate); do not edit. -->

# Providers

What configs name as \`provider\`. \`gw providers kinds NAME\` shows all that is known of one, and \`--format json\` prints it for
programs. Clients of the other formats are translated to the first operation of a row; every other path of a service is passed
through. A service that follows OpenAI's API and is not here is \`openai-compatible\`, with its address as \`custom_host\`.

[PROVIDERS.md](../test/PROVIDERS.md) has what each of them gets, and which library of its vendor was seen to send the same.

The last column says what of a row no documentation confirmed: for these facts it says what other clients of the
service do, or nothing. \`drop\` are parameters that are left out of translated requests.

| id (aliases), documentation | address | credential | operations | \`drop\` | not confirmed |
|---|---|---|---|---|---|
${builtinProviders.map(row).join('\n')}
`,
);

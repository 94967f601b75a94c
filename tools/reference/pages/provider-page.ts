import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { providerFacts } from '../../../plugins/sdk/provider/provider-facts.ts';
import { describeSettings } from '../../../plugins/sdk/provider/provider-settings.ts';
import { settingDescriptions } from '../../../schema/config/setting-descriptions.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { toTexts } from '../../../schema/json/loose.ts';
import { compileCase } from '../../../test/compiler/diagnostics/compile-case.ts';
import { code, codes, fence, points, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import { shownJson } from '../shown-json.ts';

const addressText = ({ address, closed }: JsonObject): string => {
  if (typeof closed === 'string') return `closed on ${closed}`;
  return typeof address === 'string' ? address.replace(/^https:\/\//, '') : '`custom_host`';
};

const credentialText = ({ credential, credential_fields: fields }: JsonObject): string => {
  if (credential === 'none') return 'none';
  return `${codes(toTexts(fields))}${credential === 'optional' ? ', if any' : ''}`;
};

const row = (provider: Provider): readonly string[] => {
  const { id, aliases = [] } = provider;
  const facts = providerFacts(provider);
  return [
    `[${code(id)}](#${toSlug(id)})${aliases.length === 0 ? '' : ` (${codes(aliases)})`}`,
    addressText(facts),
    credentialText(facts),
    toTexts(facts.operations).join(', ') || 'passed through',
  ];
};

/** Members that some providers need in addition to the credential, as in configs. */
const further: readonly JsonObject[] = [
  {},
  { resource_name: 'my-company', deployment_id: 'gpt-4o', api_version: '2024-10-21' },
  { custom_host: 'https://models.example.com/v1' },
  { clouda_deployment_type: 'serverless', clouda_deployment_name: 'llama-3', clouda_region: 'eastus' },
  {
    cloudc_access_key_id: '${env:AWS_ACCESS_KEY_ID}',
    cloudc_secret_access_key: '${env:AWS_SECRET_ACCESS_KEY}',
    cloudc_region: 'us-east-1',
  },
  { cloudb_project_id: 'my-project', cloudb_region: 'europe-west4' },
];

const variable = (id: string): string =>
  `${id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_')}_API_KEY`;

/** Returns a config that calls the provider and compiles, or undefined if only a saved provider can have its settings. */
const example = ({ id, credential }: Provider): JsonObject | undefined => {
  const keys: readonly JsonObject[] = credential === 'none' ? [{}] : [{ api_key: `\${env:${variable(id)}}` }, {}];
  return further
    .flatMap((settings) => keys.map((key): JsonObject => ({ provider: id, ...key, ...settings })))
    .find((config) =>
      compileCase({}, JSON.stringify(config), 'prod.json').diagnostics.every(({ severity }) => severity === 'note'),
    );
};

/** Settings that every provider has. */
const ofAll: readonly string[] = ['custom_host', 'unknown_ids'];

const settingText = (provider: Provider): readonly string[] =>
  Object.entries(describeSettings(provider).properties ?? {})
    .filter(([name]) => !ofAll.includes(name))
    .map(([name, { description = settingDescriptions[name] }]) =>
      description === undefined ? code(name) : `${code(name)}: ${prose(description)}`,
    );

const entry = (provider: Provider): string => {
  const { id, unconfirmed = [], documentation, hasRealtime = false } = provider;
  const facts = providerFacts(provider);
  const config = example(provider);
  const operations = toTexts(facts.operations);
  return [
    `## ${code(id)}`,
    points([
      ...(documentation === undefined ? [] : [`[Documentation](${documentation})`]),
      `Address: ${addressText(facts)}`,
      `Credential: ${credentialText(facts)}`,
      `Operations: ${operations.length === 0 ? 'none; all paths are passed through' : codes(operations)}`,
      ...(hasRealtime ? ['Sessions over WebSocket: `/v1/realtime`'] : []),
      ...(settingText(provider).length === 0
        ? []
        : [`Settings of a saved provider: ${settingText(provider).join(' ')}`]),
      ...(facts.drop === null
        ? ['Left out of translated requests: depends on its settings']
        : toTexts(facts.drop).length === 0
          ? []
          : [`Left out of translated requests: ${codes(toTexts(facts.drop))}`]),
      ...(unconfirmed.length === 0 ? [] : [`Not confirmed by its documentation: ${unconfirmed.join(', ')}`]),
    ]),
    config === undefined
      ? 'Only a saved provider can have its settings: `gw providers create`.'
      : fence('json', shownJson(config)),
  ].join('\n\n');
};

/** Creates the page of every built-in provider. */
export const providerPage = (): ReferencePage =>
  toPage('providers.md', {
    title: 'Providers',
    from: 'plugins/providers',
    parts: [
      "The values of `provider` in configs. `gw providers kinds NAME` shows everything that is known about a provider, and `--format json` prints it for programs: `drop` lists parameters, and `lacks` kinds of content, that the service does not accept and that are left out of translated requests. Requests in other formats are translated to the first operation of a row. Every other path of a service is passed through. For a service that is not listed but follows OpenAI's API, use `openai-compatible` with its address as `custom_host`.",
      "[PROVIDERS.md](../../test/PROVIDERS.md) shows the requests that each of them gets, and which of its vendor's libraries sends the same.",
      table(['id (aliases)', 'address', 'credential', 'operations'], builtinProviders.map(row)),
      'Every saved provider can have the settings `custom_host`, which replaces its base URL, and `unknown_ids` (`allow` or `refuse`), which controls whether requests may name files, batches and jobs that were not created through the gateway.',
      'The first part of a name stands for the vendor: `llmv_…` for OpenAI (organization and project), `clouda_…` for Azure, `cloudb_…` for Google Cloud and `cloudc_…` for AWS.',
      'If something is not confirmed, a row follows what other clients of the service do, or says nothing.',
      ...builtinProviders.map(entry),
    ],
  });

import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { gatewayPrefix } from '../../engine/headers/header-class.ts';
import { headerTable } from '../../http/headers/header-table.ts';
import { toPascalCase } from './to-pascal-case.ts';

interface Described {
  readonly description: string;
  readonly type?: 'boolean' | 'integer' | 'number';
}

/** Descriptions of the headers of a request; the settings of clouds are described by their names. */
const descriptions: Readonly<Record<string, Described>> = {
  workspace: { description: 'The id or slug of the workspace to act in, with a key that reaches several.' },
  config: { description: "The name of a config, or a config as JSON; the gateway's default where absent." },
  'virtual-key': { description: 'The slug of a virtual key: a saved credential.' },
  provider: { description: 'The id of a provider, or `@` and the slug of a saved one.' },
  'custom-host': { description: 'Another base URL for the credential that the same request brings.' },
  'forward-headers': { description: 'The names of headers that go upstream as they are, separated by commas.' },
  'request-timeout': { description: 'For how long one attempt may take, in milliseconds.', type: 'integer' },
  deadline: { description: 'For how long the whole request may take, in milliseconds.', type: 'integer' },
  'max-cost': { description: 'What the whole request may cost at most, in US dollars.', type: 'number' },
  'strict-llmv-compliance': {
    description: 'Whether an answer has only what the API of the client documents. True where absent.',
    type: 'boolean',
  },
  usage: { description: 'Whether the answer says what it used and cost. False where absent.', type: 'boolean' },
  'trace-id': { description: 'Your id for the request; one is made where absent.' },
  metadata: { description: 'Labels as a JSON object of texts, numbers and booleans, which conditions can read.' },
  'cache-force-refresh': {
    description: 'Whether a cache is not read, and gets the new answer. False where absent.',
    type: 'boolean',
  },
  'cache-namespace': { description: 'Separates cached answers by this text, in place of the metadata.' },
  debug: { description: 'False keeps the request out of caches, and bodies out of logs.', type: 'boolean' },
  'sensitive-headers': { description: 'The names of headers whose values no log keeps, separated by commas.' },
};

const vendors: Readonly<Record<string, string>> = {
  llmv: 'OpenAI',
  clouda: 'Azure',
  cloudb: 'Vertex AI',
  cloudc: 'Bedrock',
};

const describe = (name: string): Described => {
  const short = name.slice(gatewayPrefix.length);
  const [vendor = '', ...words] = short.split('-');
  const owner = vendors[vendor];
  return (
    descriptions[short] ?? { description: owner === undefined ? '' : `A setting of ${owner}: ${words.join(' ')}.` }
  );
};

// The service key is a scheme of security.
const names: readonly string[] = headerTable
  .map(({ name }) => name)
  .filter((name) => name.startsWith(gatewayPrefix) && name !== 'x-gw-api-key');

const componentName = (name: string): string => toPascalCase(name.slice(gatewayPrefix.length));

/** The parameters of every header of a request to a model that the gateway reads for itself, by name. */
export const callerHeaders = (): JsonObject =>
  Object.fromEntries(
    names.map((name): [string, Json] => {
      const { description, type = 'string' } = describe(name);
      const schema = type === 'integer' ? { type, minimum: 1 } : { type };
      return [componentName(name), { name, in: 'header', required: false, description, schema }];
    }),
  );

/** References to them. */
export const callerHeaderReferences: readonly JsonObject[] = names.map((name) => ({
  $ref: `#/components/parameters/${componentName(name)}`,
}));

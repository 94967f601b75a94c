import { settingDescriptions } from '../../../schema/config/setting-descriptions.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { gatewayPrefix } from '../../engine/forwarded-headers/header-class.ts';
import { headerTable } from '../../http/headers/header-table.ts';
import { type DescribedHeader, requestHeaderDescriptions } from './header-descriptions.ts';
import { toPascalCase } from './to-pascal-case.ts';

const vendors: Readonly<Record<string, string>> = {
  llmv: 'OpenAI',
  clouda: 'Azure',
  cloudb: 'Vertex AI',
  cloudc: 'Bedrock',
  'workers-ai': 'Workers AI',
  fireworks: 'Fireworks AI',
  snowflake: 'Snowflake',
  oracle: 'Oracle Cloud',
  huggingface: 'Hugging Face',
  mistral: 'Mistral',
  stability: 'Stability AI',
  'amzn-sagemaker': 'SageMaker',
};

/** Returns the provider whose setting a header has, and the words that follow it in the name. */
const settingOf = (short: string): readonly [owner: string, words: string] | undefined => {
  for (const [vendor, owner] of Object.entries(vendors))
    if (short.startsWith(`${vendor}-`)) return [owner, short.slice(vendor.length + 1).replaceAll('-', ' ')];
  return undefined;
};

/** Describes a request header by its whole name. */
const describeRequestHeader = (name: string): Omit<DescribedHeader, 'example'> => {
  const short = name.slice(gatewayPrefix.length);
  const setting = settingOf(short);
  const ofName = setting === undefined ? '' : `A setting of ${setting[0]}: ${setting[1]}.`;
  return requestHeaderDescriptions[short] ?? { description: settingDescriptions[short.replaceAll('-', '_')] ?? ofName };
};

// The service key is described as a security scheme.
const names: readonly string[] = headerTable
  .map(({ name }) => name)
  .filter((name) => name.startsWith(gatewayPrefix) && name !== 'x-gw-api-key');

const componentName = (name: string): string => toPascalCase(name.slice(gatewayPrefix.length));

/** Returns the parameters for every header of a model request that the gateway itself reads, by name. */
export const callerHeaders = (): JsonObject =>
  Object.fromEntries(
    names.map((name): [string, Json] => {
      const { description, type = 'string' } = describeRequestHeader(name);
      const schema = type === 'integer' ? { type, minimum: 1 } : { type };
      return [componentName(name), { name, in: 'header', required: false, description, schema }];
    }),
  );

/** References to them. */
export const callerHeaderReferences: readonly JsonObject[] = names.map((name) => ({
  $ref: `#/components/parameters/${componentName(name)}`,
}));

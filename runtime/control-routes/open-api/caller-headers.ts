import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { gatewayPrefix } from '../../engine/headers/header-class.ts';
import { headerTable } from '../../http/headers/header-table.ts';
import { type DescribedHeader, requestHeaderDescriptions } from './header-descriptions.ts';
import { toPascalCase } from './to-pascal-case.ts';

const vendors: Readonly<Record<string, string>> = {
  llmv: 'OpenAI',
  clouda: 'Azure',
  cloudb: 'Vertex AI',
  cloudc: 'Bedrock',
};

/** Describes a header of requests by its whole name. */
export const describeRequestHeader = (name: string): Omit<DescribedHeader, 'example'> => {
  const short = name.slice(gatewayPrefix.length);
  const [vendor = '', ...words] = short.split('-');
  const owner = vendors[vendor];
  return (
    requestHeaderDescriptions[short] ?? {
      description: owner === undefined ? '' : `A setting of ${owner}: ${words.join(' ')}.`,
    }
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
      const { description, type = 'string' } = describeRequestHeader(name);
      const schema = type === 'integer' ? { type, minimum: 1 } : { type };
      return [componentName(name), { name, in: 'header', required: false, description, schema }];
    }),
  );

/** References to them. */
export const callerHeaderReferences: readonly JsonObject[] = names.map((name) => ({
  $ref: `#/components/parameters/${componentName(name)}`,
}));

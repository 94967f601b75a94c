import { isJsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';

type Headers = { readonly [name: string]: string };

/** Headers as in a config: an object, or its JSON text. */
type Written = Headers | string;

/** The parameters for the headers of a service. */
export const headerParameters = {
  headers: {
    anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'string' }],
    description: 'Additional headers: an object, or its JSON text. They are part of the plan.',
  },
  secretHeaders: {
    type: 'object',
    additionalProperties: { type: 'string', format: 'secret' },
    description: 'Headers whose values are secret: {"authorization":"${env:WEBHOOK_KEY}"}.',
  },
} as const;

/** Matches names of headers whose values are secrets. */
export const secretName: RegExp = /^(?:authorization|proxy-authorization|cookie)$|key|token|secret|password/i;

const isHeaders = (value: unknown): value is Headers =>
  isJsonObject(value) && Object.values(value).every((header) => typeof header === 'string');

const read = (written: Written): Headers | undefined => {
  const value = typeof written === 'string' ? parseJson(written) : written;
  return isHeaders(value) ? value : undefined;
};

const nameErrors = (names: readonly string[]): readonly string[] =>
  names
    .filter((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    .map((name) => `"${name}" cannot be the name of a header. Use letters, digits and hyphens.`);

/** Returns the errors in the headers of a service. */
export const headerErrors = (headers: Written = {}, secretHeaders: Headers = {}): readonly string[] => {
  const plain = read(headers);
  if (plain === undefined) return ['"headers" is not a JSON object of strings. Write {"name":"value"}.'];
  const names = Object.keys(plain);
  return [
    ...nameErrors([...names, ...Object.keys(secretHeaders)]),
    ...names
      .filter((name) => secretName.test(name))
      .map(
        (name) =>
          `The header "${name}" may contain a secret, and "headers" is part of the plan. Move it to "secretHeaders".`,
      ),
  ];
};

/** Returns the headers that are sent to a service. */
export const serviceHeaders = (headers: Written = {}, secretHeaders: Headers = {}): Headers => ({
  'content-type': 'application/json',
  ...Object.fromEntries(
    Object.entries({ ...read(headers), ...secretHeaders }).map(([name, value]) => [name.toLowerCase(), value]),
  ),
});

import { errorText } from '../../schema/error-text.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Dialect } from '../sdk/dialect.ts';
import { dropOf } from '../sdk/drop-of.ts';
import { pathOf } from '../sdk/fill-model.ts';
import type { RawHeaders, UpstreamRequest } from '../sdk/http.ts';
import type { Credential, Provider } from '../sdk/provider.ts';
import { neverCancelled } from './cancellation.ts';
import { refuseFaults } from './faults.ts';
import { inProcessFaults } from './in-process-faults.ts';

/** What a provider is tested with. */
export interface ProviderSample {
  /** Settings with which it must have a base URL; none if absent. */
  readonly settings?: JsonObject;
  /** By config field; made up from `credentialFields` if absent. */
  readonly credential?: Credential;
  readonly model?: string;
  /** The dialects in which to test a provider that answers in process. */
  readonly dialects?: readonly Dialect[];
}

const attempt = (what: string, run: () => readonly string[]): readonly string[] => {
  try {
    return run();
  } catch (error) {
    return [`${what} throws: ${errorText(error)}`];
  }
};

const nameFaults = ({ id, aliases = [], documentation }: Provider): readonly string[] => [
  ...[id, ...aliases]
    .filter((name) => !/^[a-z0-9][a-z0-9._-]*$/.test(name))
    .map((name) => `"${name}" is not a valid provider name`),
  ...(documentation === '' ? ['documentation is empty'] : []),
];

const addressFaults = ({ baseUrl }: Provider, settings: JsonObject): readonly string[] =>
  attempt('baseUrl', () => {
    const url = typeof baseUrl === 'function' ? baseUrl(settings) : baseUrl;
    if (url === undefined) return [];
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return [`baseUrl is not an HTTP URL: ${url}`];
    return /[/?#]$|[?#]/.test(url) ? [`baseUrl must not end with a slash or have a query or a fragment: ${url}`] : [];
  });

const endpointFaults = ({ id, speaks }: Provider, settings: JsonObject, model: string): readonly string[] =>
  Object.entries(speaks).flatMap(([dialect, endpoint]) =>
    [false, true].flatMap((stream) =>
      attempt(`speaks.${dialect}`, () => {
        const path = pathOf(endpoint, { call: { settings, model, stream }, provider: id });
        return path.startsWith('/') ? [] : [`speaks.${dialect} must begin with a slash: ${path}`];
      }),
    ),
  );

const notItsOwn = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'te', 'upgrade']);

const lineFaults = (headers: RawHeaders, when: string): readonly string[] => {
  const faults: string[] = [];
  if (headers.length % 2 !== 0) faults.push(`headers ${when} must alternate names and values`);
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) faults.push(`"${name}" is not a valid header name`);
    if (notItsOwn.has(name.toLowerCase())) faults.push(`the header "${name}" belongs to the connection`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value) || /undefined|null|\[object/.test(value))
      faults.push(`the header "${name}" ${when} has a value that cannot be sent: ${JSON.stringify(value)}`);
  }
  return faults;
};

const headerFaults = (provider: Provider, credential: Credential, settings: JsonObject): readonly string[] =>
  attempt('headers', () => {
    const headers = provider.headers(credential, settings);
    const secrets = Object.values(credential).filter((secret) => secret !== undefined);
    const isUsed = secrets.some((secret) => headers.some((text) => text.includes(secret)));
    return [
      ...lineFaults(headers, 'with a credential'),
      ...lineFaults(provider.headers({}, settings), 'without a credential'),
      ...(provider.credential !== 'none' && provider.authorize === undefined && !isUsed
        ? ['its headers do not carry the credential, and it has no authorize']
        : []),
    ];
  });

const authorizeFaults = async (
  provider: Provider,
  credential: Credential,
  settings: JsonObject,
): Promise<readonly string[]> => {
  const request: UpstreamRequest = {
    method: 'POST',
    origin: 'https://api.example.com',
    path: '/v1/things?limit=1',
    headers: ['content-type', 'application/json'],
    body: { kind: 'bytes', bytes: Buffer.from('{}') },
  };
  try {
    const signed = await provider.authorize?.(request, {
      credential,
      settings,
      scope: { cancellation: neverCancelled, attempt: 1 },
      isOperators: true,
      now: () => Date.UTC(2026, 0, 1),
      send: () => Promise.reject(new Error('the test has no token service')),
      cached: async (_key, make) => (await make()).value,
    });
    return signed === undefined ? [] : lineFaults(signed.headers, 'after authorize');
  } catch (error) {
    return [`authorize rejects: ${errorText(error)}`];
  }
};

const listFaults = (provider: Provider, settings: JsonObject): readonly string[] => {
  const { clientHeaders = [], passThrough } = provider;
  const emptyNames = attempt('drop', () =>
    dropOf(provider, settings).flatMap((name) => (name === '' ? ['drop has an empty name'] : [])),
  );
  return [
    ...emptyNames,
    ...clientHeaders
      .filter((name) => name !== name.toLowerCase())
      .map((name) => `the client header "${name}" is not in lower case`),
    ...attempt('passThrough', () => {
      const path = passThrough?.('/files/1?limit=2', settings) ?? '/';
      return path.startsWith('/') ? [] : [`passThrough must give a path that begins with a slash: ${path}`];
    }),
  ];
};

/** Tests a provider's row and, if it answers in process, its answers. Throws a `ContractError` that lists every fault. */
export const testProvider = async (provider: Provider, sample: ProviderSample = {}): Promise<void> => {
  const { settings = {}, model = 'a-model', dialects = [] } = sample;
  const fields = provider.credentialFields ?? ['api_key'];
  const credential = sample.credential ?? Object.fromEntries(fields.map((field) => [field, `test-${field}`]));
  refuseFaults(`The provider "${provider.id}"`, [
    ...nameFaults(provider),
    ...addressFaults(provider, settings),
    ...(Object.keys(provider.speaks).length === 0 ? ['it speaks no dialect'] : []),
    ...endpointFaults(provider, settings, model),
    ...headerFaults(provider, credential, settings),
    ...listFaults(provider, settings),
    ...(await authorizeFaults(provider, credential, settings)),
    ...(await inProcessFaults(provider, dialects)),
  ]);
};

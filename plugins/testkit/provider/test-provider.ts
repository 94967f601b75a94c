import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { Credential, Provider } from '../../sdk/provider/provider.ts';
import { areHeaders, filledSettings } from '../../sdk/provider/provider-settings.ts';
import { readDrop } from '../../sdk/provider/read-drop.ts';
import { attempt } from '../errors/attempt.ts';
import { lossErrors } from '../errors/loss-errors.ts';
import { refuseErrors } from '../errors/reasons.ts';
import { authorizeErrors, type TokenService } from './authorize-errors.ts';
import { dialectErrors } from './dialect-errors.ts';
import { endpointErrors } from './endpoint-errors.ts';
import { inProcessErrors } from './in-process-errors.ts';
import { lineErrors } from './line-errors.ts';
import { settingsErrors } from './settings-errors.ts';

/** A sample for testing a provider. */
export interface ProviderSample {
  /** Settings with which the provider must have a base URL. None if absent. */
  readonly settings?: JsonObject;
  /** The credential by config field. Made up from `credentialFields` if absent. */
  readonly credential?: Credential;
  readonly model?: string;
  /** Answers the requests of `authorize`, for example for a token. If absent, `authorize` must not send any. */
  readonly send?: TokenService;
  /** The time at which `authorize` signs, in milliseconds since the epoch. */
  readonly now?: number;
  /** The dialects in which to test a provider that answers in process. */
  readonly dialects?: readonly Dialect[];
}

const nameErrors = ({ id, aliases = [], documentation }: Provider): readonly string[] => [
  ...[id, ...aliases]
    .filter((name) => !/^[a-z0-9][a-z0-9._-]*$/.test(name))
    .map((name) => `"${name}" is not a valid provider name`),
  ...(documentation === '' ? ['documentation is empty'] : []),
];

/** A service whose paths are all passed through must declare which of them are allowed. */
const speaksNothing = ({ speaks, changesAccount }: Provider): boolean =>
  Object.keys(speaks).length === 0 && changesAccount === undefined;

const addressErrors = ({ baseUrl }: Provider, settings: JsonObject): readonly string[] =>
  attempt('baseUrl throws', () => {
    const url = typeof baseUrl === 'function' ? baseUrl(settings) : baseUrl;
    if (url === undefined) return [];
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return [`baseUrl is not an HTTP URL: ${url}`];
    return /[/?#]$|[?#]/.test(url) ? [`baseUrl must not end with a slash or have a query or a fragment: ${url}`] : [];
  });

const headerErrors = (provider: Provider, credential: Credential, settings: JsonObject): readonly string[] =>
  attempt('headers throws', () => {
    const headers = provider.headers(credential, settings);
    const secrets = Object.values(credential).filter((secret) => secret !== undefined);
    const errors = lineErrors(headers, 'with a credential');
    if (!areHeaders(headers)) return errors;
    const isUsed = secrets.some((secret) => headers.some((text) => text.includes(secret)));
    return [
      ...errors,
      ...lineErrors(provider.headers({}, settings), 'without a credential'),
      ...(provider.credential !== 'none' && provider.authorize === undefined && !isUsed
        ? ['its headers do not carry the credential, and it has no authorize']
        : []),
    ];
  });

const listErrors = (provider: Provider, settings: JsonObject): readonly string[] => {
  const { clientHeaders = [], passThrough } = provider;
  const emptyNames = attempt('drop throws', () =>
    readDrop(provider, settings).flatMap((name) => (name === '' ? ['drop has an empty name'] : [])),
  );
  return [
    ...emptyNames,
    ...clientHeaders
      .filter((name) => name !== name.toLowerCase())
      .map((name) => `the client header "${name}" is not in lower case`),
    ...attempt('passThrough throws', () => {
      const path = passThrough?.('/files/1?limit=2', settings) ?? '/';
      return path.startsWith('/') ? [] : [`passThrough must return a path that starts with a slash: ${path}`];
    }),
  ];
};

/**
 * Tests the description of a provider and, if it answers in process, its answers. Throws a `ContractError` that lists every
 * error.
 */
export const testProvider = async (provider: Provider, sample: ProviderSample = {}): Promise<void> => {
  const { settings: given = {}, model = 'a-model', dialects = [] } = sample;
  const fields = provider.credentialFields ?? ['api_key'];
  const credential = sample.credential ?? Object.fromEntries(fields.map((field) => [field, `test-${field}`]));
  const subject = `The provider "${provider.id}"`;
  refuseErrors(subject, settingsErrors(provider, given));
  const settings = filledSettings(provider, given);
  refuseErrors(subject, [
    ...nameErrors(provider),
    ...addressErrors(provider, settings),
    ...(speaksNothing(provider) ? ['it speaks no dialect, and has no changesAccount'] : []),
    ...endpointErrors({ provider, settings, model }),
    ...dialectErrors(provider),
    ...headerErrors(provider, credential, settings),
    ...lossErrors(provider.losses ?? []),
    ...listErrors(provider, settings),
    ...(await authorizeErrors(provider, { credential, settings, send: sample.send, now: sample.now })),
    ...(await inProcessErrors(provider, dialects)),
  ]);
};

import { Readable } from 'node:stream';
import type { JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { UpstreamRequest } from '../../sdk/http/http.ts';
import type { AuthorizeContext, Credential, Provider, WholeAnswer } from '../../sdk/provider/provider.ts';
import { neverCancelled } from '../route/cancellation.ts';
import { lineErrors } from './line-errors.ts';

/** Answers the requests that a provider's `authorize` sends for a token. */
export type TokenService = (request: UpstreamRequest) => WholeAnswer | Promise<WholeAnswer>;

/** A sample for testing a provider's `authorize`. */
export interface AuthorizeSample {
  readonly credential: Credential;
  readonly settings: JsonObject;
  readonly send?: TokenService | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined;
}

const noService: TokenService = () => {
  throw new Error('the test has no token service: give the sample a "send"');
};

const toContext = ({
  credential,
  settings,
  send = noService,
  now = Date.UTC(2026, 0, 1),
}: AuthorizeSample): AuthorizeContext => {
  const values = new Map<string, { readonly value: unknown; readonly expiresAt: number }>();
  return {
    credential,
    settings,
    scope: { cancellation: neverCancelled, attempt: 1 },
    isOperators: true,
    now: () => now,
    async send(request, isTemporary) {
      const answer = await send(request);
      if (isTemporary?.(answer) === true) throw new Error(`the token service failed with ${answer.status}`);
      return answer;
    },
    cached: async (key, make) => {
      const made = values.get(key) ?? (await make());
      values.set(key, made);
      if (made.expiresAt <= now) throw new Error(`the value "${key}" expires immediately`);
      return made.value as Awaited<ReturnType<typeof make>>['value'];
    },
  };
};

const plain: UpstreamRequest = {
  method: 'POST',
  origin: 'https://api.example.com',
  path: '/v1/things?limit=1',
  headers: ['content-type', 'application/json'],
  body: { kind: 'bytes', bytes: Buffer.from('{}') },
};

const requestErrors = ({ method, origin, path, headers, body }: UpstreamRequest): readonly string[] => [
  ...lineErrors(headers, 'after authorize'),
  ...(method === plain.method ? [] : [`authorize must keep the method, but returns ${method}`]),
  ...(path.startsWith('/') ? [] : [`authorize must return a path that starts with a slash: ${path}`]),
  ...(URL.canParse(origin) && new URL(origin).origin === origin ? [] : [`authorize must return an origin: ${origin}`]),
  ...(body.kind === 'none' ? ['authorize must keep the body'] : []),
];

/** A passed-through body is a stream. If `authorize` reads it, it must send what it read. */
const streamErrors = ({ body }: UpstreamRequest, sent: Readable): readonly string[] => {
  if (body.kind === 'stream' && body.stream === sent && sent.readableDidRead)
    return ['authorize reads the body but sends none: read it with wholeBody'];
  return body.kind === 'bytes' && Buffer.from(body.bytes).toString() !== '{}' ? ['authorize must keep the body'] : [];
};

/** Returns the errors of a provider's `authorize`. It must sign two requests, as for two attempts, and only add to them. */
export const authorizeErrors = async (provider: Provider, sample: AuthorizeSample): Promise<readonly string[]> => {
  if (provider.authorize === undefined) return [];
  const context = toContext(sample);
  const copy = structuredClone(plain.headers);
  try {
    const first = await provider.authorize(plain, context);
    const second = await provider.authorize(plain, context);
    const stream = Readable.from([Buffer.from('{}')]);
    const third = await provider.authorize({ ...plain, body: { kind: 'stream', stream } }, context);
    const isChanged = plain.headers.some((text, at) => text !== copy[at]) || plain.headers.length !== copy.length;
    return [
      ...new Set([...requestErrors(first), ...requestErrors(second), ...streamErrors(third, stream)]),
      ...(isChanged ? ['authorize must not change the request that it receives'] : []),
    ];
  } catch (error) {
    return [`authorize rejects: ${errorText(error)}`];
  }
};

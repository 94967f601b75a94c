import type { UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { AuthorizeContext, Credential, Provider } from '../../../plugins/sdk/provider/provider.ts';
import { neverCancelled } from '../../../plugins/testkit/route/cancellation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** The answer of a scripted token service. */
export interface TokenAnswer {
  readonly status?: number;
  readonly body: string | object;
}

export interface AuthorizeScript {
  readonly credential?: Credential;
  readonly settings?: JsonObject;
  readonly isOperators?: boolean;
  /** Answers the requests of `authorize`. There is no token service if absent. */
  readonly tokenService?: (request: UpstreamRequest) => TokenAnswer;
}

export interface Authorizing {
  readonly context: AuthorizeContext;
  /** The requests that `authorize` has sent. */
  readonly sent: readonly UpstreamRequest[];
  /** Advances the clock by the given milliseconds. */
  pass(ms: number): void;
}

export const aPost: UpstreamRequest = {
  method: 'POST',
  origin: 'https://provider.example',
  path: '/v1/things?limit=1',
  headers: ['content-type', 'application/json'],
  body: { kind: 'bytes', bytes: Buffer.from('{"a":1}') },
};

/** Returns the text of a request body. */
export const bodyText = ({ body }: UpstreamRequest): string =>
  body.kind === 'bytes' ? Buffer.from(body.bytes).toString('utf8') : '';

/** Creates the context of a provider's `authorize`, with a clock that starts at 2026-01-01 and a scripted token service. */
export const authorizing = ({
  credential = {},
  settings = {},
  isOperators = false,
  tokenService,
}: AuthorizeScript): Authorizing => {
  const sent: UpstreamRequest[] = [];
  const kept = new Map<string, { readonly value: unknown; readonly expiresAt: number }>();
  let now = Date.UTC(2026, 0, 1);
  const context: AuthorizeContext = {
    credential,
    settings,
    scope: { cancellation: neverCancelled, attempt: 1 },
    isOperators,
    now: () => now,
    send: async (request, isTemporary) => {
      sent.push(request);
      if (tokenService === undefined) throw new Error('There is no token service.');
      const { status = 200, body } = tokenService(request);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = { status, headers: [], body: Buffer.from(text) };
      if (isTemporary?.(answer)) throw new Error('The token service has failed for now.');
      return answer;
    },
    async cached<Value>(key: string, make: () => Promise<{ readonly value: Value; readonly expiresAt: number }>) {
      const known = kept.get(key);
      // A key determines the function that creates its value, and so the type of the value.
      if (known !== undefined && known.expiresAt > now) return known.value as Value;
      const made = await make();
      kept.set(key, made);
      return made.value;
    },
  };
  return {
    context,
    sent,
    pass: (ms) => {
      now += ms;
    },
  };
};

/** Authorises a request once. */
export const authorized = async (
  provider: Provider,
  request: UpstreamRequest,
  script: AuthorizeScript,
): Promise<UpstreamRequest> => {
  if (provider.authorize === undefined) throw new Error(`${provider.id} authorises nothing.`);
  return await provider.authorize(request, authorizing(script).context);
};

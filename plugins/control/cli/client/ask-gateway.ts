import type { JsonObject } from '../../../../schema/json/json.ts';
import { CommandFailure, failed } from '../command-line/command-failure.ts';
import { RefusalError, toRefusal } from './api-refusal.ts';
import type { GatewayAccess } from './gateway-access.ts';
import { networkFault } from './network-fault.ts';
import { readJson } from './read-json.ts';

/** A request to the control plane. */
export interface ApiRequest {
  readonly method: string;
  /** Below `/v1`; its parameters are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Beside those that each request has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** As long as a gateway may be silent, in milliseconds. What a write has done is not known once it is given up. */
const defaultSilentMs = { read: 10_000, write: 30_000 } as const;

const toSilentMs = ({ method }: ApiRequest): number => defaultSilentMs[method === 'GET' ? 'read' : 'write'];

const toHeaders = (
  { key, workspace }: GatewayAccess,
  { headers, body }: ApiRequest,
): Readonly<Record<string, string>> => ({
  ...headers,
  accept: 'application/json',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(key !== undefined && { 'x-gw-api-key': key }),
  ...(workspace !== undefined && { 'x-gw-workspace': workspace }),
});

export interface Question<Result> {
  readonly request: ApiRequest;
  /** As long as nothing may come of the answer, its beginning included. */
  readonly silentMs?: number | undefined;
  /** Reads an answer of success. */
  readonly read: (answer: Response, origin: string) => Promise<Result>;
}

/** The answer, each part of which is noted when it is read. */
const noting = (answer: Response, note: () => void): Response => {
  note();
  if (answer.body === null) return answer;
  const parts = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        note();
        controller.enqueue(part);
      },
    }),
  );
  return new Response(parts, answer);
};

/**
 * Sends a request to whatever answers at a URL, and resolves to what is read of the answer. Rejects with a `RefusalError`
 * where the request is refused, and with a `CommandFailure` where it cannot be sent, or its answer is no JSON.
 */
export const askGateway = async <Result>(
  access: GatewayAccess,
  { request, silentMs = toSilentMs(request), read }: Question<Result>,
): Promise<Result> => {
  const url = new URL(`${access.base}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const { origin } = url;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new DOMException('It is silent.', 'TimeoutError')), silentMs);
  try {
    const sent = await fetch(url, {
      method: request.method,
      headers: toHeaders(access, request),
      // A key is for the gateway that it was meant for, and for no other that this one names.
      redirect: 'manual',
      signal: silence.signal,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const answer = noting(sent, () => void timer.refresh());
    if (answer.headers.has('location') && answer.status >= 300 && answer.status < 400)
      throw failed(
        `${origin} answers with a redirect, which is not followed.`,
        'Name the gateway itself with --url or GW_URL.',
      );
    if (!answer.ok) throw new RefusalError(toRefusal(answer.status, await readJson(answer, origin)));
    return await read(answer, origin);
  } catch (error) {
    if (error instanceof RefusalError || error instanceof CommandFailure) throw error;
    throw networkFault(error, { origin, silentMs });
  } finally {
    clearTimeout(timer);
  }
};

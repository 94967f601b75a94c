import type { Json, JsonObject } from '../../../../schema/json.ts';
import { parseJson } from '../../../../schema/parse-json.ts';
import { CommandFailure, failed } from '../command-failure.ts';
import { RefusalError, toRefusal } from './api-refusal.ts';
import type { GatewayAccess } from './gateway-access.ts';
import { networkFault } from './network-fault.ts';

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

/** As long as an answer is waited for. */
const usualTimeoutMs = 30_000;
/** The longest answer that is read. */
const mostBytes = 64 * 1024 * 1024;

const headersOf = (
  { key, workspace }: GatewayAccess,
  { headers, body }: ApiRequest,
): Readonly<Record<string, string>> => ({
  ...headers,
  accept: 'application/json',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(key !== undefined && { 'x-gw-api-key': key }),
  ...(workspace !== undefined && { 'x-gw-workspace': workspace }),
});

const readAll = async (answer: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes)
      throw failed(`The answer is longer than ${mostBytes / 1024 / 1024} MiB.`, 'Ask for less: --page-size 100.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

const readJson = async (answer: Response, origin: string): Promise<Json> => {
  const text = await readAll(answer);
  const body = text === '' ? {} : parseJson(text);
  if (body !== undefined) return body;
  throw failed(
    `${origin} answered with the status ${answer.status} and no JSON.`,
    'Correct --url or GW_URL, if that is no gateway.',
  );
};

interface Asked<Result> {
  readonly access: GatewayAccess;
  readonly request: ApiRequest;
  readonly timeoutMs?: number | undefined;
  /** Reads an answer of success. */
  readonly read: (answer: Response, origin: string) => Promise<Result>;
}

/**
 * Sends a request to a gateway and resolves to what is read of the answer. Rejects with a `RefusalError` where the gateway
 * refuses it, and with a `CommandFailure` where it cannot be asked, or is no gateway.
 */
export const askApi = async <Result>({
  access,
  request,
  timeoutMs = usualTimeoutMs,
  read,
}: Asked<Result>): Promise<Result> => {
  const url = new URL(`${access.base}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const { origin } = url;
  try {
    const answer = await fetch(url, {
      method: request.method,
      headers: headersOf(access, request),
      // A key is for the gateway that it was meant for, and for no other that this one names.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    if (answer.headers.has('location') && answer.status >= 300 && answer.status < 400)
      throw failed(
        `${origin} answers with a redirect, which is not followed.`,
        'Name the gateway itself with --url or GW_URL.',
      );
    if (!answer.ok) throw new RefusalError(toRefusal(answer.status, await readJson(answer, origin)));
    return await read(answer, origin);
  } catch (error) {
    if (error instanceof RefusalError || error instanceof CommandFailure) throw error;
    throw networkFault(error, { origin, timeoutMs });
  }
};

/** Sends a request to a gateway and resolves to the JSON that it answers. Rejects as `askApi` does. */
export const callApi = (
  access: GatewayAccess,
  request: ApiRequest,
  { timeoutMs }: { readonly timeoutMs?: number | undefined } = {},
): Promise<Json> => askApi({ access, request, timeoutMs, read: readJson });

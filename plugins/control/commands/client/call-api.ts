import type { Json, JsonObject } from '../../../../schema/json.ts';
import { parseJson } from '../../../../schema/parse-json.ts';
import { failed } from '../command-failure.ts';
import { RefusalError, toRefusal } from './api-refusal.ts';
import type { GatewayAccess } from './gateway-access.ts';
import { networkFault } from './network-fault.ts';

/** A request to the control plane. */
export interface ApiRequest {
  readonly method: string;
  /** Below `/v1`; its parameters are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** As long as an answer is waited for. */
const usualTimeoutMs = 30_000;
/** The longest answer that is read. */
const mostBytes = 64 * 1024 * 1024;

interface Exchange {
  readonly url: URL;
  readonly access: GatewayAccess;
  readonly request: ApiRequest;
  readonly timeoutMs: number;
}

const headersOf = ({ key, workspace }: GatewayAccess, { body }: ApiRequest): Record<string, string> => ({
  accept: 'application/json',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(key !== undefined && { 'x-gw-api-key': key }),
  ...(workspace !== undefined && { 'x-gw-workspace': workspace }),
});

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

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

const exchange = async ({ url, access, request, timeoutMs }: Exchange): Promise<Answer> => {
  const answer = await fetch(url, {
    method: request.method,
    headers: headersOf(access, request),
    // A key is for the gateway that it was meant for, and for no other that this one names.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
  });
  return { status: answer.status, location: answer.headers.get('location'), text: await readAll(answer) };
};

/**
 * Sends a request to a gateway and resolves to the JSON that it answers. Rejects with a `RefusalError` where the gateway
 * refuses it, and with a `CommandFailure` where it cannot be asked, or is no gateway.
 */
export const callApi = async (
  access: GatewayAccess,
  request: ApiRequest,
  { timeoutMs = usualTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Json> => {
  const url = new URL(`${access.base}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const { origin } = url;
  const { status, location, text } = await exchange({ url, access, request, timeoutMs }).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'CommandFailure'
      ? error
      : networkFault(error, { origin, timeoutMs });
  });
  if (location !== null && status >= 300 && status < 400)
    throw failed(
      `${origin} answers with a redirect, which is not followed.`,
      'Name the gateway itself with --url or GW_URL.',
    );
  const body = text === '' ? {} : parseJson(text);
  if (body === undefined)
    throw failed(
      `${origin} answered with the status ${status} and no JSON.`,
      'Correct --url or GW_URL, if that is no gateway.',
    );
  if (status < 200 || status > 299) throw new RefusalError(toRefusal(status, body));
  return body;
};

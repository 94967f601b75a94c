import type { Severity } from '../../../../schema/errors/diagnostic.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { CommandFailure, runFailure } from '../command-line/services.ts';
import type { GatewayAccess } from './gateway-access.ts';
import { findProxyFailure } from './proxy-failure.ts';

/** A problem of a request, as the gateway reports it. Missing members are empty. */
export interface ApiProblem {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly pointer: JsonPointer;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** The compiler's code of the problem. */
  readonly code: string;
}

const text = (value: Json | undefined): string => findText(value) ?? '';

/** Reads the problems in a member of a response: those of a refused request, or the diagnostics of a config. */
export const toProblems = (value: Json | undefined): readonly ApiProblem[] =>
  toObjects(value).map((each) => ({
    in: each.in === 'path' || each.in === 'query' ? each.in : 'body',
    pointer: text(each.pointer) as JsonPointer,
    severity: each.severity === 'warning' ? 'warning' : 'error',
    message: text(each.message),
    hint: text(each.hint),
    code: text(each.code),
  }));

/** The response of a gateway that refuses a request. */
export interface ApiRefusal {
  readonly status: number;
  /** The whole body of the response. */
  readonly body: Json;
  /** The code by which programs identify the refusal; empty if it has none. */
  readonly code: string;
  readonly message: string;
  readonly problems: readonly ApiProblem[];
}

/** Thrown for an unsuccessful response. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: ApiRefusal;

  constructor(refusal: ApiRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Reads an unsuccessful response. */
export const toRefusal = (status: number, body: Json): ApiRefusal => {
  const answer = findObject(body) ?? {};
  const report = findObject(answer.error) ?? answer;
  return {
    status,
    body,
    code: text(report.code),
    message: text(report.message) || `The gateway answered with the status ${status}.`,
    problems: toProblems(report.errors),
  };
};

/** The maximum size of a response, in bytes. */
const maxBytes = 64 * 1024 * 1024;

const readAll = async (answer: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw runFailure(`The response is larger than ${maxBytes / 1024 / 1024} MiB.`, 'Request less: --page-size 100.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

/** Reads the JSON of a response; an empty object if the body is empty. Rejects with a `CommandFailure` if it is not JSON. */
export const readJson = async (answer: Response, origin: string): Promise<Json> => {
  const body = parseJson((await readAll(answer)) || '{}');
  if (body !== undefined) return body;
  throw runFailure(
    `${origin} answered with the status ${answer.status} and without JSON.`,
    'Correct --url or GW_URL if that is not a gateway.',
  );
};

const findCoded = (error: unknown): { readonly code: string; readonly message: string } | undefined => {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return { code: at.code, message: at.message };
  return undefined;
};

const reasons: { readonly [code: string]: (origin: string) => readonly [fact: string, hint: string] } = {
  ECONNREFUSED: (origin) => [`Nothing listens at ${origin}.`, 'Start the gateway, or name it with --url or GW_URL.'],
  ENOTFOUND: (origin) => [`The host of ${origin} does not resolve.`, 'Correct --url or GW_URL.'],
  ERR_SSL_WRONG_VERSION_NUMBER: (origin) => [
    `${origin} does not use TLS.`,
    'Write http:// instead of https:// in --url or GW_URL if it serves plain HTTP.',
  ],
  EAI_AGAIN: (origin) => [`The host of ${origin} cannot be resolved now.`, 'Check the network, and try again.'],
};

/** Describes the faults for which `fetch` has no code. Undefined for others. */
const unusualFault = (cause: unknown, origin: string): readonly [fact: string, hint: string] | undefined => {
  if (!(cause instanceof Error)) return undefined;
  // `fetch` refuses some ports, such as 1.
  if (cause.message === 'bad port')
    return [`Clients refuse to connect to the port of ${origin}.`, 'Correct --url or GW_URL.'];
  if (cause.name === 'HTTPParserError')
    return [
      `${origin} does not answer in HTTP.`,
      'Correct --url or GW_URL; write https:// instead of http:// if it uses TLS.',
    ];
  return undefined;
};

/** Describes, in a sentence for people, why a gateway could not be reached. */
const networkError = (
  error: unknown,
  { url, silentMs }: { readonly url: URL; readonly silentMs: number },
): CommandFailure => {
  const { origin } = url;
  if (error instanceof Error && error.name === 'TimeoutError')
    return runFailure(`${origin} did not answer within ${silentMs / 1000} seconds.`, 'Try again, or check its log.');
  const unusual = error instanceof Error ? unusualFault(error.cause, origin) : undefined;
  if (unusual !== undefined) return runFailure(...unusual);
  const proxyFailure = findProxyFailure(error, url);
  if (proxyFailure !== undefined) return proxyFailure;
  const { code, message } = findCoded(error) ?? { code: 'no code', message: '' };
  if (code === 'ECONNRESET' && message.includes('before secure TLS'))
    return runFailure(
      `${origin} closed the connection before the TLS handshake.`,
      'Write http:// instead of https:// in --url or GW_URL if it does not use TLS.',
    );
  const reason = reasons[code]?.(origin);
  if (reason !== undefined) return runFailure(...reason);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code))
    return runFailure(
      `The certificate of ${origin} cannot be trusted (${code}).`,
      'Set NODE_EXTRA_CA_CERTS to the certificate of its authority, or correct --url or GW_URL.',
    );
  return runFailure(`The connection to ${origin} failed (${code}).`, 'Check --url or GW_URL, and try again.');
};

/** A request to the control plane. */
export interface ApiRequest {
  readonly method: string;
  /** The path below `/v1`, with encoded parameters. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Headers in addition to those of all requests. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Returns how long a gateway may be silent, in milliseconds. If a write is given up, its outcome is unknown. */
const toSilentMs = ({ method }: ApiRequest): number => (method === 'GET' ? 10_000 : 30_000);

/** Wraps a response, and calls `note` when a part of it is read. */
const noting = (answer: Response, note: () => void): Response => {
  note();
  if (answer.body === null) return answer;
  const noted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      note();
      controller.enqueue(part);
    },
  });
  return new Response(answer.body.pipeThrough(noted), answer);
};

/**
 * Sends a request to the server at a URL, and resolves to what `read` returns. Rejects with a `RefusalError` if the request is
 * refused, and with a `CommandFailure` if it cannot be sent, or the response is not JSON.
 */
export const askGateway = async <Result>(
  access: GatewayAccess,
  {
    request,
    silentMs = toSilentMs(request),
    read,
  }: {
    readonly request: ApiRequest;
    /** How long nothing of the response may arrive, including its head. */
    readonly silentMs?: number | undefined;
    /** Reads a successful response. */
    readonly read: (answer: Response, origin: string) => Promise<Result>;
  },
): Promise<Result> => {
  const url = new URL(`${access.base}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const { origin } = url;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new DOMException('It is silent.', 'TimeoutError')), silentMs);
  try {
    const sent = await fetch(url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...request.headers,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(access.key !== undefined && { 'x-gw-api-key': access.key }),
        ...(access.workspace !== undefined && { 'x-gw-workspace': access.workspace }),
      },
      // A key is only for the intended gateway, and must not be sent to a redirect target.
      redirect: 'manual',
      signal: silence.signal,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const answer = noting(sent, () => void timer.refresh());
    if (answer.headers.has('location') && answer.status >= 300 && answer.status < 400)
      throw runFailure(
        `${origin} answered with a redirect, which is not followed.`,
        'Set --url or GW_URL to the gateway itself.',
      );
    if (!answer.ok) throw new RefusalError(toRefusal(answer.status, await readJson(answer, origin)));
    return await read(answer, origin);
  } catch (error) {
    if (error instanceof RefusalError || error instanceof CommandFailure) throw error;
    throw networkError(error, { url, silentMs });
  } finally {
    clearTimeout(timer);
  }
};

import type { Severity } from '../../../../schema/errors/diagnostic.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { CommandFailure, failed } from '../command-line/services.ts';
import type { GatewayAccess } from './gateway-access.ts';
import { findProxyFailure } from './proxy-failure.ts';

/** A problem of a request, as the gateway reports it. What it does not say is empty. */
export interface ApiProblem {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly pointer: JsonPointer;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** Its code in the compiler. */
  readonly code: string;
}

const text = (value: Json | undefined): string => findText(value) ?? '';

/** Reads the problems that a member of an answer lists: those of a refused request, or the diagnostics of a config. */
export const toProblems = (value: Json | undefined): readonly ApiProblem[] =>
  toObjects(value).map((each) => ({
    in: each.in === 'path' || each.in === 'query' ? each.in : 'body',
    pointer: text(each.pointer) as JsonPointer,
    severity: each.severity === 'warning' ? 'warning' : 'error',
    message: text(each.message),
    hint: text(each.hint),
    code: text(each.code),
  }));

/** The answer of a gateway that does not do what it was asked. */
export interface ApiRefusal {
  readonly status: number;
  /** The whole answer. */
  readonly body: Json;
  /** The code by which programs know the refusal; empty if it has none. */
  readonly code: string;
  readonly message: string;
  readonly problems: readonly ApiProblem[];
}

/** Thrown for an answer that is none of success. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: ApiRefusal;

  constructor(refusal: ApiRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Reads an answer that is none of success. */
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

/** The longest answer that is read. */
const maxBytes = 64 * 1024 * 1024;

const readAll = async (answer: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw failed(`The answer is longer than ${maxBytes / 1024 / 1024} MiB.`, 'Ask for less: --page-size 100.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

/** Reads the JSON of an answer; an empty object if the answer is empty. Rejects with a `CommandFailure` where it is no JSON. */
export const readJson = async (answer: Response, origin: string): Promise<Json> => {
  const body = parseJson((await readAll(answer)) || '{}');
  if (body !== undefined) return body;
  throw failed(
    `${origin} answered with the status ${answer.status} and no JSON.`,
    'Correct --url or GW_URL, if that is no gateway.',
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
    `${origin} does not speak TLS.`,
    'Write http:// instead of https:// in --url or GW_URL, if that is meant.',
  ],
  EAI_AGAIN: (origin) => [`The host of ${origin} cannot be resolved now.`, 'Check the network, and try again.'],
};

/** Writes why a gateway could not be asked, in a sentence for people. */
const networkError = (
  error: unknown,
  { url, silentMs }: { readonly url: URL; readonly silentMs: number },
): CommandFailure => {
  const { origin } = url;
  if (error instanceof Error && error.name === 'TimeoutError')
    return failed(`${origin} has not answered within ${silentMs / 1000} seconds.`, 'Try again, or look at its log.');
  // `fetch` never asks some ports, such as 1.
  if (error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port')
    return failed(`No client asks the port of ${origin}.`, 'Correct --url or GW_URL.');
  const proxyFailure = findProxyFailure(error, url);
  if (proxyFailure !== undefined) return proxyFailure;
  const { code, message } = findCoded(error) ?? { code: 'no code', message: '' };
  if (code === 'ECONNRESET' && message.includes('before secure TLS'))
    return failed(
      `${origin} ended the connection before TLS began.`,
      'Write http:// instead of https:// in --url or GW_URL, if it does not speak TLS.',
    );
  const reason = reasons[code]?.(origin);
  if (reason !== undefined) return failed(...reason);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code))
    return failed(
      `The certificate of ${origin} cannot be trusted (${code}).`,
      'Name its authority with NODE_EXTRA_CA_CERTS, or correct --url or GW_URL.',
    );
  return failed(`The connection to ${origin} failed (${code}).`, 'Check --url or GW_URL, and try again.');
};

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

/** Gives the time that a gateway may be silent, in milliseconds. What a write has done is not known once it is given up. */
const toSilentMs = ({ method }: ApiRequest): number => (method === 'GET' ? 10_000 : 30_000);

/** Makes an answer each part of which is noted when it is read. */
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
 * Sends a request to whatever answers at a URL, and resolves to what is read of the answer. Rejects with a `RefusalError`
 * where the request is refused, and with a `CommandFailure` where it cannot be sent, or its answer is no JSON.
 */
export const askGateway = async <Result>(
  access: GatewayAccess,
  {
    request,
    silentMs = toSilentMs(request),
    read,
  }: {
    readonly request: ApiRequest;
    /** The longest time in which nothing comes of the answer, its beginning included. */
    readonly silentMs?: number | undefined;
    /** Reads an answer of success. */
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
    throw networkError(error, { url, silentMs });
  } finally {
    clearTimeout(timer);
  }
};

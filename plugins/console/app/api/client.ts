import { texts } from '../texts/shell.ts';
import { ApiError, toApiError } from './error.ts';
import { refusalCount, sessionEnded, sessionEpoch, workspace } from './session.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface CallOptions {
  /** Undefined and empty members are omitted. */
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Reply<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** The prefix of the control API. Paths that start with `/console/` do not get it. */
const prefix = '/v1';

/** Adds the members of a query to a path. */
const withQuery = (path: string, query: Query = {}): string => {
  const members = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (members.length === 0) return path;
  return `${path}?${new URLSearchParams(members.map(([name, value]) => [name, String(value)]))}`;
};

/** Returns the address of a path of the control API. */
export const toAddress = (path: string, query: Query = {}): string =>
  withQuery(path.startsWith('/console/') ? path : `${prefix}${path}`, query);

/** Returns the headers of every call: the chosen workspace, and a header that no form or link of another site can send. */
const callHeaders = (): Record<string, string> => ({
  ...(workspace.value === '' ? {} : { 'x-gw-workspace': workspace.value }),
  'x-gw-console': '1',
});

/** Sends a request with the session. Throws an `ApiError` if there is no response; the response may have any status. */
export const send = async (
  method: string,
  path: string,
  { query, body, headers = {}, signal }: CallOptions = {},
): Promise<Response> => {
  try {
    return await fetch(toAddress(path, query), {
      method,
      headers: {
        accept: 'application/json',
        ...callHeaders(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    throw new ApiError(texts.errors.unreachable, { status: 0 });
  }
};

/** Throws the error of a response that is not 2xx. A 401 also ends the session here, unless another turn has begun since. */
export const requireOk = async (answer: Response, turn: number): Promise<Response> => {
  if (answer.ok) return answer;
  const error = toApiError(answer.status, await answer.text());
  if (answer.status !== 401) throw error;
  sessionEnded(turn);
  throw new ApiError(texts.errors.sessionEnded, error);
};

/**
 * Reads the body of a response as JSON; undefined if it is empty. Throws an `ApiError` if it is cut off, or is something other
 * than JSON, such as the page with which a proxy asks for a sign-in.
 */
export const readJson = async <Body>(answer: Response, signal?: AbortSignal): Promise<Body> => {
  try {
    const text = await answer.text();
    // The schemas of the API define the response of each route.
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    throw new ApiError(texts.errors.unreadable, { status: answer.status });
  }
};

/**
 * Calls the control API and returns the body and the headers (for example `etag`). A 403 makes the page read the session's
 * scopes again.
 */
export const call = async <Body>(method: string, path: string, options: CallOptions = {}): Promise<Reply<Body>> => {
  const turn = sessionEpoch();
  const sent = await send(method, path, options);
  if (sent.status === 403) refusalCount.value += 1;
  const answer = await requireOk(sent, turn);
  return { body: await readJson<Body>(answer, options.signal), headers: answer.headers };
};

/** Reads from the control API: `get<List<Key>>('/api-keys', { query: { page_size: 50 } })`. */
export const get = async <Body>(path: string, options: Omit<CallOptions, 'body'> = {}): Promise<Body> =>
  (await call<Body>('GET', path, options)).body;

export const post = async <Body>(path: string, body: unknown = {}, options: CallOptions = {}): Promise<Body> =>
  (await call<Body>('POST', path, { ...options, body })).body;

export const put = async <Body>(path: string, body: unknown = {}, options: CallOptions = {}): Promise<Body> =>
  (await call<Body>('PUT', path, { ...options, body })).body;

export const remove = async <Body>(path: string, options: CallOptions = {}): Promise<Body> =>
  (await call<Body>('DELETE', path, options)).body;

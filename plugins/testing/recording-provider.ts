import { isNonEmpty } from '../../schema/json.ts';
import type { Dialect } from '../sdk/dialect.ts';
import type { RequestBody, UpstreamRequest } from '../sdk/http.ts';
import type { Provider } from '../sdk/provider.ts';
import { toBuffer } from '../sdk/to-buffer.ts';
import { answers, type UpstreamReply } from './replies.ts';
import { replyAnswer } from './reply-answer.ts';

/** One call that reached an upstream. */
export interface RecordedCall {
  /** The id of the target that was called. */
  readonly target: string;
  readonly method: string;
  readonly path: string;
  /** As sent, name, value, name, value, … */
  readonly headers: readonly string[];
  /** Parsed if it is JSON, else a string; absent if there is none. */
  readonly body?: unknown;
}

const readable = (body: RequestBody): unknown => {
  if (body.kind !== 'bytes') return undefined;
  const text = toBuffer(body.bytes).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The dialect of a request: the one whose path it has. */
const dialectOf = (
  { speaks }: Provider,
  { path, model, dialects }: { readonly path: string; readonly model: string; readonly dialects: readonly Dialect[] },
): Dialect | undefined => {
  const asked = path.split('?', 1)[0] ?? path;
  const spoken = Object.entries(speaks).find(([, endpoint]) =>
    [false, true].some((stream) => {
      if (typeof endpoint === 'string') return asked.endsWith(endpoint.split('?', 1)[0] ?? endpoint);
      try {
        return asked.endsWith(endpoint({ settings: {}, model, stream }).split('?', 1)[0] ?? '');
      } catch {
        return false;
      }
    }),
  );
  return dialects.find(({ id }) => id === spoken?.[0]) ?? dialects.find(({ id }) => asked.endsWith(`/${id}`));
};

export interface Recording {
  readonly id: string;
  readonly target: string;
  readonly replies: readonly UpstreamReply[];
  readonly dialects: readonly Dialect[];
  readonly calls: RecordedCall[];
}

/**
 * The provider with another name and upstream: the upstream records each call and gives the replies in turn, the last one
 * repeatedly.
 */
export const recordingProvider = (provider: Provider, recording: Recording): Provider => {
  const { id, target, calls, dialects } = recording;
  const replies = isNonEmpty(recording.replies) ? recording.replies : ([answers(200)] as const);
  let next = 0;
  // What it is sent is recorded as it was written: no token service is called for it.
  const { aliases: _aliases, authorize: _authorize, ...row } = provider;
  return {
    ...row,
    id,
    inProcess: (timers) => ({
      send: async ({ method, path, headers, body: sent }: UpstreamRequest, scope) => {
        const body = readable(sent);
        calls.push({ target, method, path, headers, ...(body !== undefined && { body }) });
        const reply = replies[Math.min(next, replies.length - 1)] ?? replies[0];
        next += 1;
        const model =
          typeof body === 'object' && body !== null && 'model' in body && typeof body.model === 'string'
            ? body.model
            : 'a-model';
        return await replyAnswer(reply, {
          dialect: dialectOf(provider, { path, model, dialects }),
          body,
          scope,
          timers,
        });
      },
    }),
  };
};

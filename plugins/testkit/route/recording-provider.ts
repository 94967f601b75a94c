import { fromJson } from '../../../schema/json/from-json.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { RequestBody, UpstreamRequest } from '../../sdk/http/http.ts';
import { toBuffer } from '../../sdk/http/to-buffer.ts';
import { toPath } from '../../sdk/provider/fill-model.ts';
import type { EndpointCall, Provider } from '../../sdk/provider/provider.ts';
import type { UpstreamReply } from './replies.ts';
import { replyAnswer } from './reply-answer.ts';

/** One call that reached an upstream. */
export interface RecordedCall {
  /** The id of the target that was called. */
  readonly target: string;
  readonly method: string;
  readonly path: string;
  /** The headers as sent: name, value, name, value, … */
  readonly headers: readonly string[];
  /** Parsed if it is JSON, otherwise a string. Absent if there is no body. */
  readonly body?: unknown;
}

const readable = (body: RequestBody): unknown => {
  if (body.kind !== 'bytes') return undefined;
  const text = toBuffer(body.bytes).toString('utf8');
  try {
    return fromJson(text);
  } catch {
    return text;
  }
};

/** A call for which the gateway requested a path, with its dialect. */
interface Asked extends EndpointCall {
  readonly dialect: string;
}

/** Returns the same paths, and records the dialect of each call and whether it asks for a stream. */
const recordPaths = ({ id, speaks }: Provider, record: (asked: Asked) => void): Provider['speaks'] =>
  Object.fromEntries(
    Object.entries(speaks).map(([dialect, endpoint]) => [
      dialect,
      (call: EndpointCall) => {
        record({ ...call, dialect });
        return toPath(endpoint, { call, provider: id });
      },
    ]),
  );

export interface Recording {
  readonly id: string;
  readonly target: string;
  /** Returns the reply to the next call. */
  readonly reply: () => UpstreamReply;
  readonly dialects: readonly Dialect[];
  readonly calls: RecordedCall[];
}

/**
 * Returns the provider with another name and upstream, and without signing, because credentials are made up. The upstream records
 * each call and replies to it.
 */
export const recordingProvider = (provider: Provider, recording: Recording): Provider => {
  const { id, target, calls, dialects } = recording;
  let asked: Asked | undefined;
  const { aliases: _aliases, authorize: _authorize, ...row } = provider;
  const speaks = recordPaths(provider, (call) => {
    asked = call;
  });
  return {
    ...row,
    id,
    speaks,
    inProcess: (timers) => ({
      send: async ({ method, path, headers, body: sent }: UpstreamRequest, scope) => {
        const body = readable(sent);
        calls.push({ target, method, path, headers, ...(body !== undefined && { body }) });
        const { model = 'a-model', stream = false, dialect } = asked ?? {};
        return await replyAnswer(recording.reply(), {
          dialect: dialects.find((each) => each.id === dialect),
          model,
          stream,
          scope,
          timers,
        });
      },
    }),
  };
};

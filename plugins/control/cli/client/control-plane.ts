import { createParser } from 'eventsource-parser';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { CommandFailure, runFailure } from '../command-line/services.ts';
import { type ApiRequest, askGateway, RefusalError, readJson, toRefusal } from './ask-gateway.ts';
import type { GatewayAccess } from './gateway-access.ts';

/** Returns the text of the first choice in a chat completion, a completion, or a chunk of either; empty if it has none. */
const completionText = ({ choices }: JsonObject): string => {
  const { delta, message, text }: JsonObject = toObjects(choices)[0] ?? {};
  return findText((findObject(delta) ?? findObject(message))?.content ?? text) ?? '';
};

/** Long, because a model may think before it answers. */
export const completionSilentMs = 600_000;

/** Reads the text in an event, or in a whole response. Throws a `RefusalError` if it reports an error. */
const toText = (json: string, status: number): string => {
  // The last event, [DONE], is not JSON.
  const value = parseObject(json) ?? {};
  if (isJsonObject(value.error)) throw new RefusalError(toRefusal(status, value));
  return completionText(value);
};

const readText = async (answer: Response, write: (text: string) => void): Promise<void> => {
  const { status } = answer;
  if (answer.headers.get('content-type')?.includes('text/event-stream') !== true)
    return write(toText(await answer.text(), status));
  const parser = createParser({ onEvent: ({ data }) => write(toText(data, status)) });
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) parser.feed(decoder.decode(part, { stream: true }));
};

/** Requests a completion, and writes its text as it arrives. Rejects like `askGateway`, also for an error within the text. */
export const streamCompletion = (
  { access }: ControlPlane,
  request: ApiRequest,
  write: (text: string) => void,
): Promise<void> =>
  askGateway(access, { request, silentMs: completionSilentMs, read: (answer) => readText(answer, write) });

/** Long, because a gateway may search many records before it finds the next match. */
const silentMs = 60_000;

const readLines = async (answer: Response, write: (text: string) => void): Promise<void> => {
  if (answer.headers.get('content-type')?.includes('application/x-ndjson') !== true)
    throw runFailure('The response is not JSON lines.', 'Use a gw of the same version as the gateway.');
  const decoder = new TextDecoder();
  let last = '\n';
  for await (const part of answer.body ?? []) {
    const text = decoder.decode(part, { stream: true });
    last = text.at(-1) ?? last;
    write(text);
  }
  if (last !== '\n')
    throw runFailure('The gateway ended the response in the middle of a line.', 'Run the command again.');
};

/** Writes lines of JSON as they arrive. Rejects like `askGateway`. */
export const streamLines = (
  { access }: ControlPlane,
  request: ApiRequest,
  write: (text: string) => void,
): Promise<void> => askGateway(access, { request, silentMs, read: (answer) => readLines(answer, write) });

/** An event of a stream. */
export interface ApiEvent {
  /** Empty if it has none. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Streams of events have a heartbeat every ten seconds. */
const eventsSilentMs = 30_000;

/** Larger than any event, in bytes. */
const maxEventBytes = 4 * 1024 * 1024;

const readEvents = async (answer: Response, take: (event: ApiEvent) => Promise<void>): Promise<void> => {
  if (answer.headers.get('content-type')?.includes('text/event-stream') !== true)
    throw runFailure('The response is not a stream of events.', 'Use a gw of the same version as the gateway.');
  let events: ApiEvent[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = 'message', data }) => events.push({ id, event, data }),
    maxBufferSize: maxEventBytes,
  });
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    parser.feed(decoder.decode(part, { stream: true }));
    const complete = events;
    events = [];
    for (const each of complete) await take(each);
  }
};

/** Reads events as they arrive, and handles each before the next one. Resolves when they end; rejects like `askGateway`. */
export const streamEvents = (
  { access }: ControlPlane,
  request: ApiRequest,
  take: (event: ApiEvent) => Promise<void>,
): Promise<void> =>
  askGateway(access, {
    request: { ...request, headers: { ...request.headers, accept: 'text/event-stream' } },
    silentMs: eventsSilentMs,
    read: (answer) => readEvents(answer, take),
  });

/**
 * Sends a request to a control plane and resolves to the JSON of the response. Rejects with a `RefusalError` if the request is
 * refused, and with a `CommandFailure` if the control plane cannot be reached.
 */
export const callApi = (
  { access }: ControlPlane,
  request: ApiRequest,
  { silentMs }: { readonly silentMs?: number | undefined } = {},
): Promise<Json> => askGateway(access, { request, silentMs, read: readJson });

/** Like `callApi`, with the entity tag of the returned record, if it has one. */
export const callWithEtag = (
  { access }: ControlPlane,
  request: ApiRequest,
): Promise<{ readonly body: Json; readonly etag: string | undefined }> =>
  askGateway(access, {
    request,
    read: async (answer, origin) => ({
      body: await readJson(answer, origin),
      etag: answer.headers.get('etag') ?? undefined,
    }),
  });

/** Ends a command because there is no control plane. */
export class NoControlPlane extends CommandFailure {
  constructor(base: string) {
    super(
      `There is no control plane at ${base}.`,
      'Start the gateway with a store (gw serve --store FILE), or correct --url or GW_URL.',
      1,
    );
  }
}

/** The response of every control plane to a request for its keys without a key: the status, and the code of the error. */
const refusal = { status: 401, code: 'AB05' };

/** Checks whether a status shows nothing about the server at a URL, because the server is unavailable or overloaded. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

/**
 * A gateway that is known to have a control plane. Only such a gateway gets service keys and other secrets, and only its
 * responses are trusted. A provider, or a gateway that passes the request on to one, may answer anything with a 200.
 */
export class ControlPlane {
  readonly access: GatewayAccess;

  private constructor(access: GatewayAccess) {
    this.access = access;
  }

  /**
   * Checks for a control plane without sending anything secret. Rejects with a `NoControlPlane`, with a `RefusalError` if the
   * gateway cannot answer at the moment, and with a `CommandFailure` if it cannot be reached.
   */
  static async find(access: GatewayAccess): Promise<ControlPlane> {
    const stranger = { base: access.base, key: undefined, workspace: undefined };
    const refused = await askGateway(stranger, {
      request: { method: 'GET', path: '/api-keys' },
      read: async ({ body }) => body?.cancel(),
    }).catch((error: unknown) => {
      if (!(error instanceof RefusalError) || isPassing(error.refusal.status)) throw error;
      return error.refusal;
    });
    if (refused?.status !== refusal.status || refused.code !== refusal.code) throw new NoControlPlane(access.base);
    return new ControlPlane(access);
  }
}

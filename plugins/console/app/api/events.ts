import { createParser } from 'eventsource-parser';
import { type Query, requireOk, send } from './client.ts';
import { type ApiError, asApiError } from './error.ts';
import { sessionEpoch, untilSignedIn } from './session.ts';

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface EventStream {
  readonly query?: Query;
  /** The event after which to resume. */
  readonly lastEventId?: string;
  readonly onEvent: (event: StreamEvent) => void;
  /** Called when a connection is established (`true`) or lost (`false`). */
  readonly onConnected?: (isConnected: boolean) => void;
  /** Called with an error that a retry does not fix. The stream ends. */
  readonly onRefused?: (error: ApiError) => void;
  readonly signal: AbortSignal;
}

const firstWait = 500;
const longestWait = 15_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const isFinal = ({ status }: ApiError): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

const read = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (event: StreamEvent) => void,
): Promise<void> => {
  const parser = createParser({
    onEvent: ({ id = '', event = 'message', data }) => take({ id, event, data }),
    maxBufferSize: 4 * 1024 * 1024,
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value);
};

/**
 * Follows an event stream of the control API until the signal aborts. After a lost connection, and after another sign-in, it resumes
 * from the last id.
 */
export const followEvents = async (
  path: string,
  { query = {}, lastEventId = '', onEvent, onConnected, onRefused, signal }: EventStream,
): Promise<void> => {
  let last = lastEventId;
  let wait = firstWait;
  while (!signal.aborted) {
    try {
      const headers = { accept: 'text/event-stream', ...(last === '' ? {} : { 'last-event-id': last }) };
      const turn = sessionEpoch();
      const answer = await requireOk(await send('GET', path, { query, headers, signal }), turn);
      onConnected?.(true);
      if (answer.body !== null)
        await read(answer.body, (event) => {
          wait = firstWait;
          if (event.id !== '') last = event.id;
          onEvent(event);
        });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = asApiError(thrown);
      if (error.status === 401) {
        onConnected?.(false);
        await untilSignedIn(signal).catch(() => undefined);
        continue;
      }
      if (isFinal(error)) {
        onRefused?.(error);
        return;
      }
    }
    if (signal.aborted) return;
    onConnected?.(false);
    await pause(wait, signal);
    wait = Math.min(wait * 2, longestWait);
  }
};

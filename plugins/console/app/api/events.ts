import { createParser } from 'eventsource-parser';
import { type Query, requireOk, send } from './client.ts';
import { type ApiError, asApiError } from './error.ts';
import { currentTurn } from './session.ts';

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface EventStream {
  readonly query?: Query;
  /** Resumes behind this event. */
  readonly lastEventId?: string;
  readonly onEvent: (event: StreamEvent) => void;
  /** After each connection that began (`true`) or broke (`false`). */
  readonly onConnected?: (isConnected: boolean) => void;
  /** A refusal that asking again does not change: the stream has ended. */
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

/** Follows a stream of events of the control API until the signal aborts, and resumes by the last id after each break. */
export const followEvents = async (
  path: string,
  { query = {}, lastEventId = '', onEvent, onConnected, onRefused, signal }: EventStream,
): Promise<void> => {
  let last = lastEventId;
  let wait = firstWait;
  while (!signal.aborted) {
    try {
      const headers = { accept: 'text/event-stream', ...(last === '' ? {} : { 'last-event-id': last }) };
      const turn = currentTurn();
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

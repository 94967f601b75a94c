import type { Dialect, Frame, FrameClass, StreamDecoder, StreamEncoder } from '../../../plugins/sdk/dialect/dialect.ts';
import type {
  Cancellation,
  Scope,
  Sink,
  UpstreamAnswer,
  UpstreamBody,
  UpstreamRequest,
} from '../../../plugins/sdk/http/http.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';

/** A cancellation that the test can trigger. */
export interface CancelSource extends Cancellation {
  readonly listeners: number;
  cancel(): void;
}

export const cancelSource = (): CancelSource => {
  const listeners = new Set<() => void>();
  let cancelled = false;
  return {
    get cancelled() {
      return cancelled;
    },
    get listeners() {
      return listeners.size;
    },
    onCancel: (listener) => {
      if (cancelled) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    cancel: () => {
      cancelled = true;
      for (const listener of [...listeners]) listener();
    },
  };
};

export const toScope = (cancellation: Cancellation = cancelSource()): Scope => ({ cancellation, attempt: 1 });

/** A sink that keeps what it receives. `full` makes it refuse more until `drain`. */
export interface RecordingSink extends Sink {
  readonly bytes: Buffer;
  readonly text: string;
  readonly writes: number;
  readonly error: ErrorReport | undefined;
  /** Resolves when the first bytes have arrived. */
  readonly begun: Promise<void>;
  /** Resolves to how it ended. */
  readonly ended: Promise<'end' | 'fail'>;
  full: boolean;
  drain(): void;
}

export const recordingSink = (): RecordingSink => {
  const chunks: Uint8Array[] = [];
  const waiting: (() => void)[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve } = Promise.withResolvers<'end' | 'fail'>();
  let error: ErrorReport | undefined;
  return {
    full: false,
    get bytes() {
      return Buffer.concat(chunks);
    },
    get text() {
      return Buffer.concat(chunks).toString('utf8');
    },
    get writes() {
      return chunks.length;
    },
    get error() {
      return error;
    },
    begun,
    ended,
    write(chunk) {
      chunks.push(chunk);
      begin();
      return !this.full;
    },
    onDrain: (resume) => void waiting.push(resume),
    drain() {
      this.full = false;
      for (const resume of waiting.splice(0)) resume();
    },
    end: () => resolve('end'),
    fail: (report) => {
      error = report;
      resolve('fail');
    },
  };
};

export const get = (origin: string, path = '/', headers: readonly string[] = []): UpstreamRequest => ({
  method: 'GET',
  origin,
  path,
  headers,
  body: { kind: 'none' },
});

export const post = (origin: string, body: string | Buffer, headers: readonly string[] = []): UpstreamRequest => ({
  method: 'POST',
  origin,
  path: '/v1/things?x=1',
  headers,
  body: { kind: 'bytes', bytes: Buffer.from(body) },
});

/** Returns the answer, or throws an error with the message of the failure. */
export const answered = (answer: UpstreamAnswer): Extract<UpstreamAnswer, { kind: 'answer' }> => {
  if (answer.kind === 'failure') throw new Error(answer.error.message);
  return answer;
};

export const failed = (answer: UpstreamAnswer | Buffer): ErrorReport => {
  if (Buffer.isBuffer(answer) || answer.kind === 'answer') throw new Error('An answer came where none should.');
  return answer.error;
};

const classes: Readonly<Record<string, FrameClass>> = { p: 'preamble', c: 'content', u: 'usage', e: 'error', z: 'end' };

/** A dialect whose frames begin with the letter of their kind. Its errors are `e:<text>`. */
export const tiny: Dialect = {
  id: 'tiny',
  operation: 'converse',
  classify: ({ data }: Frame) => classes[data.charAt(0)] ?? 'content',
  encodeError: ({ message }) => ({ message }),
  encodeStreamError: ({ code }) => ({ data: `e:${code}` }),
  decodeError: (_status, body) => ({ message: body }),
  encodeWireError: ({ message }) => ({ message }),
  decodeStreamError: ({ data }) => ({
    message: data.slice(2),
    ...(data.includes('overloaded') ? { status: 529, type: 'overloaded' } : {}),
  }),
};

/** A clock that the test advances. */
export interface ManualClock extends Clock {
  /** How many timers are set. */
  readonly timers: number;
  advance(ms: number): void;
}

export const manualClock = (): ManualClock => {
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>();
  let now = 0;
  return {
    get timers() {
      return timers.size;
    },
    monotonic: () => now,
    wall: () => now,
    after: (ms, run) => {
      const key = {};
      timers.set(key, { at: now + ms, run });
      return () => timers.delete(key);
    },
    advance: (ms) => {
      const until = now + ms;
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        now = due[1].at;
        due[1].run();
      }
      now = until;
    },
  };
};

/** A body that the test writes. */
export interface ScriptedBody extends UpstreamBody {
  readonly isDiscarded: boolean;
  /** Whether the gate waits to be called when there is room. */
  readonly isPaused: boolean;
  send(text: string | Buffer): void;
  end(): void;
  /** By default because its connection was lost. */
  cut(error?: ErrorReport): void;
}

export const scriptedBody = (): ScriptedBody => {
  const sinks: Sink[] = [];
  let isDiscarded = false;
  let isPaused = false;
  const toAll = (act: (sink: Sink) => void): void => {
    for (const sink of sinks) if (!isDiscarded) act(sink);
  };
  return {
    get isDiscarded() {
      return isDiscarded;
    },
    get isPaused() {
      return isPaused;
    },
    collect: () => Promise.resolve(Buffer.alloc(0)),
    start: (sink) => void sinks.push(sink),
    discard: () => {
      isDiscarded = true;
    },
    send: (text) =>
      toAll((sink) => {
        if (sink.write(Buffer.from(text))) return;
        isPaused = true;
        sink.onDrain(() => {
          isPaused = false;
        });
      }),
    end: () => toAll((sink) => sink.end()),
    cut: (error = errorReport('connection-lost', { host: 'h', reason: 'cut.' })) => toAll((sink) => sink.fail(error)),
  };
};

/**
 * Returns a translation of the tiny dialect: `c:…` is text, `z` finishes and ends, `z:finish` only finishes, and `z:torn` only
 * ends. Its client side writes in capitals.
 */
export const tinyTranslation = (): { decoder: StreamDecoder; encoder: StreamEncoder } => {
  let isWhole = false;
  return {
    decoder: {
      push: ({ data }) => {
        if (data.startsWith('boom')) throw new Error('not a chunk');
        if (data.startsWith('c')) return [{ kind: 'text', choice: 0, block: 0, text: data.slice(2) }];
        if (!data.startsWith('z')) return [];
        isWhole = true;
        const finish: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };
        return data === 'z' ? [finish, { kind: 'end' }] : [data === 'z:torn' ? { kind: 'end' } : finish];
      },
      end: () => [isWhole ? { kind: 'end' } : { kind: 'error', error: { message: 'cut short' } }],
    },
    encoder: {
      push: (event) => {
        if (event.kind === 'text') return [{ data: `C:${event.text}` }];
        if (event.kind === 'error') return [{ data: `E:${event.error.message}` }];
        return event.kind === 'end' ? [{ data: '[DONE]' }] : [];
      },
      fail: ({ code }) => [{ data: `E:${code}` }],
      end: () => [],
    },
  };
};

import type { Dialect, Frame, FrameClass } from '../../../plugins/sdk/dialect.ts';
import type { Cancellation, Scope, Sink, UpstreamAnswer, UpstreamRequest } from '../../../plugins/sdk/http.ts';
import type { ErrorReport } from '../../../schema/errors.ts';

/** A cancellation, and how to strike it. */
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

export const scopeOf = (cancellation: Cancellation = cancelSource()): Scope => ({ cancellation, attempt: 1 });

/** A sink that keeps what it gets; `full` makes it refuse more until `drain`. */
export interface RecordingSink extends Sink {
  readonly bytes: Buffer;
  readonly text: string;
  readonly writes: number;
  readonly error: ErrorReport | undefined;
  /** Resolves with how it ended. */
  readonly ended: Promise<'end' | 'fail'>;
  full: boolean;
  drain(): void;
}

export const recordingSink = (): RecordingSink => {
  const chunks: Buffer[] = [];
  const waiting: (() => void)[] = [];
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
    ended,
    write(chunk) {
      chunks.push(chunk);
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

/** The answer, or an error that says which failure came instead. */
export const answered = (answer: UpstreamAnswer): Extract<UpstreamAnswer, { kind: 'answer' }> => {
  if (answer.kind === 'failure') throw new Error(answer.error.message);
  return answer;
};

export const failed = (answer: UpstreamAnswer | Buffer): ErrorReport => {
  if (Buffer.isBuffer(answer) || answer.kind === 'answer') throw new Error('An answer came where none should.');
  return answer.error;
};

const classes: Readonly<Record<string, FrameClass>> = { p: 'preamble', c: 'content', u: 'usage', e: 'error', z: 'end' };

/** A dialect whose frames say in their first letter what they are; its errors are `e:<text>`. */
export const tiny: Dialect = {
  id: 'tiny',
  operation: 'converse',
  classify: ({ data }: Frame) => classes[data.charAt(0)] ?? 'content',
  encodeError: ({ message }) => ({ message }),
  encodeStreamError: ({ code }) => `data: e:${code}\n\n`,
  decodeError: (_status, body) => ({ message: body }),
  encodeWireError: ({ message }) => ({ message }),
  decodeStreamError: ({ data }) => ({
    message: data.slice(2),
    ...(data.includes('overloaded') ? { status: 529, type: 'overloaded' } : {}),
  }),
};

import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { providerFraming } from '../../plugins/sdk/framings/provider-framing.ts';
import type { UpstreamCall } from '../support/servers/upstream-server.ts';
import { streamedAnswer, wholeAnswer } from './conversations.ts';

/** The words of the provider that has a fault, and those of the provider after it. */
export const words = { faulty: ['One ', 'two ', 'three ', 'four.'], well: ['All ', 'is ', 'well.'] } as const;

/** A request to the provider that has a fault. */
export interface FaultyCall {
  readonly call: UpstreamCall;
  readonly dialect: Dialect;
  readonly streams: boolean;
  /** The number of the request, starting at 1. */
  readonly nth: number;
}

/** Addresses at which the connection fails before a request is received. */
export interface BrokenHosts {
  readonly refused: string;
  readonly unknown: string;
  readonly withoutTls: string;
}

export interface Fault {
  readonly name: string;
  /** A host to use instead of the provider's. */
  readonly host?: (hosts: BrokenHosts) => string;
  readonly play?: (call: FaultyCall) => void | Promise<void>;
  /** How many requests are sent at once; 1 if absent. */
  readonly requests?: number;
  /** The target's time-out; absent if the fault causes no delay. */
  readonly timeoutMs?: number;
  /** The deadline of the request; a long one if absent. */
  readonly deadlineMs?: number;
}

const sendPieces = ({ call, dialect }: FaultyCall, pieces: readonly (Buffer | string)[]): void => {
  call.raw(
    `HTTP/1.1 200 OK\r\ncontent-type: ${providerFraming(dialect).contentType}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  for (const piece of pieces.map((each) => Buffer.from(each)).filter(({ length }) => length > 0)) {
    call.raw(`${piece.length.toString(16)}\r\n`);
    call.raw(piece);
    call.raw('\r\n');
  }
};

/** Answers as a provider without a fault. */
export const answerWell = (call: FaultyCall, said: readonly string[]): void => {
  if (call.streams) {
    sendPieces(call, streamedAnswer(call.dialect, said));
    call.call.raw('0\r\n\r\n');
  } else call.call.json(wholeAnswer(call.dialect, said.join('')));
};

const answerOf = ({ dialect }: FaultyCall): Buffer =>
  Buffer.from(JSON.stringify(wholeAnswer(dialect, words.faulty.join(''))));

const cut = async ({ call }: FaultyCall): Promise<void> => {
  await call.drained();
  call.cut('reset');
};

/** Sends the beginning of an answer: the first pieces of its stream, or half of its bytes. */
const begin = (call: FaultyCall, pieces: number): void => {
  if (call.streams) {
    sendPieces(call, streamedAnswer(call.dialect, words.faulty).slice(0, pieces));
    return;
  }
  const body = answerOf(call);
  call.call.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`);
  if (pieces > 1) call.call.raw(body.subarray(0, body.length / 2));
};

const fail = ({ call }: FaultyCall, status: number, headers: Readonly<Record<string, string>> = {}): void =>
  call.json({ error: { message: 'It fails.', type: 'server_error' }, message: 'It fails.' }, { status, headers });

/** A frame in the dialect's framing whose data is not valid JSON. */
const malformed = ({ dialect }: FaultyCall): Buffer =>
  providerFraming(dialect)
    .createWriter()
    .write([{ event: 'message', data: '{"choices":[{"delta' }]);

/** The faults that public failover benchmarks use. */
export const faults: readonly Fault[] = [
  { name: 'connection refused', host: ({ refused }) => refused },
  { name: 'connection reset', play: ({ call }) => call.cut('reset') },
  { name: 'unknown host', host: ({ unknown }) => unknown },
  { name: 'broken TLS', host: ({ withoutTls }) => withoutTls },
  { name: 'storm of 429', requests: 6, play: (call) => fail(call, 429, { 'retry-after': '60' }) },
  { name: '500', play: (call) => fail(call, 500) },
  {
    name: 'slow head',
    timeoutMs: 300,
    play: ({ call }) => void call.raw('HTTP/1.1 200 OK\r\n'),
  },
  // A busy machine takes a while until the beginning of a stream has arrived.
  { name: 'slow body', timeoutMs: 1000, deadlineMs: 4000, play: (call) => begin(call, 3) },
  {
    name: 'cut before content',
    play: (call) => {
      begin(call, 1);
      return cut(call);
    },
  },
  {
    name: 'cut after content',
    play: (call) => {
      begin(call, 3);
      return cut(call);
    },
  },
  {
    name: 'malformed event',
    play: (call) => {
      if (!call.streams)
        return call.call.answer({ headers: { 'content-type': 'application/json' }, body: '{"choices":[{' });
      const pieces = streamedAnswer(call.dialect, words.faulty);
      sendPieces(call, [...pieces.slice(0, 3), malformed(call), ...pieces.slice(3)]);
      call.call.raw('0\r\n\r\n');
    },
  },
  {
    name: 'empty answer',
    play: (call) => {
      if (!call.streams) return call.call.answer({ headers: { 'content-type': 'application/json' } });
      sendPieces(call, []);
      call.call.raw('0\r\n\r\n');
    },
  },
  {
    name: 'content filter',
    play: (call) => {
      if (!call.streams) return call.call.json(wholeAnswer(call.dialect, words.faulty.join(''), 'content-filter'));
      sendPieces(call, streamedAnswer(call.dialect, words.faulty, 'content-filter'));
      call.call.raw('0\r\n\r\n');
    },
  },
  {
    name: 'wrong type',
    play: ({ call }) => call.answer({ headers: { 'content-type': 'text/html' }, body: '<html>Log in.</html>' }),
  },
  { name: 'hang', timeoutMs: 300, play: () => {} },
  {
    name: 'flapping',
    requests: 4,
    play: (call) => (call.nth % 2 === 1 ? fail(call, 503) : answerWell(call, words.faulty)),
  },
];

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { inChunks, mutateBytes } from '../../fuzz/mutate/bytes.ts';
import { mutateFrames } from '../../fuzz/mutate/frames.ts';
import { mutateJson } from '../../fuzz/mutate/json.ts';
import { writeOdd } from '../../fuzz/mutate/values.ts';
import type { Random } from '../../fuzz/support/random.ts';
import type { Subject } from '../../fuzz/support/subject.ts';
import { credential } from './world.ts';

/** A response, as bytes that may not be valid HTTP, and how its connection ends. */
export interface OddResponse {
  /** What is wrong with it. */
  readonly name: string;
  readonly chunks: readonly Buffer[];
  /** `cut`: the connection is closed after the bytes. `kept`: it stays open, because the response says where it ends. */
  readonly end: 'cut' | 'reset' | 'kept';
  readonly isError: boolean;
}

/** The body of a response, before it is put into HTTP. */
interface Payload {
  readonly name: string;
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

const json = 'application/json';

const types: readonly string[] = [
  json,
  'text/event-stream',
  'text/event-stream; charset=utf-16',
  'TEXT/EVENT-STREAM;charset="utf-8"',
  'application/vnd.amazon.eventstream',
  'application/x-ndjson',
  'application/json; charset=latin1',
  'application/problem+json',
  'text/html; charset=utf-8',
  'text/plain',
  'application/octet-stream',
  'audio/mpeg',
  'multipart/mixed; boundary=x',
  ';;',
  '',
];

const html = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

/** Puts the credential into a text of an error. */
const quoting = (text: string, random: Random): string =>
  random.oneIn(2) ? text.replace(/"(?:No\.|[A-Z][^"]*)"/, `"Wrong key: ${credential}"`) : text;

const pickBody = (list: readonly JsonObject[], random: Random): JsonObject =>
  list.length === 0 ? {} : random.pick(list);

const oddJson = (body: JsonObject, { pool }: Subject, random: Random): Buffer => {
  const text = random.oneIn(6) ? JSON.stringify(body) : writeOdd(mutateJson(body, random, pool));
  const bytes = Buffer.from(text);
  return random.oneIn(12) ? mutateBytes(bytes, bytes, random) : bytes;
};

const wholePayload = (subject: Subject, random: Random): Payload => ({
  ...{ name: 'whole', status: 200, type: json },
  body: oddJson(pickBody(subject.corpus.answers, random), subject, random),
});

/** A comment, a line, or a value that is long, but not too long. */
const giant = (random: Random): Buffer => {
  const text = 'x'.repeat(random.pick([65_535, 65_536, 300_000, 1_048_577]));
  return Buffer.from(random.pick([`: ${text}\n\n`, `data: ${text}\n\n`, `${text}\n`, `event: ${text}\ndata: {}\n\n`]));
};

/** Other ways to write the same server-sent events. */
const restyled = (bytes: Buffer, random: Random): Buffer => {
  const text = bytes.toString();
  switch (random.below(8)) {
    case 0:
      return Buffer.from(text.replaceAll('\n', '\r\n'));
    case 1:
      return Buffer.from(text.replaceAll('\n', '\r'));
    case 2:
      return Buffer.from(`\ufeff${text}`);
    case 3:
      return Buffer.from(text.replaceAll('\n\n', '\n\n: ping\n\n'));
    case 4:
      return Buffer.from(text.replaceAll('data: ', 'data:'));
    case 5:
      return Buffer.from(text.trimEnd());
    case 6:
      return Buffer.concat([giant(random), bytes]);
    default:
      return Buffer.from(text.replaceAll('data: ', 'id: 7\nretry: 1\nx: y\ndata: '));
  }
};

const oddFrames = ({ corpus, pool }: Subject, random: Random): readonly Frame[] => {
  const frames = random.pick(corpus.streams);
  const mutated = random.oneIn(8) ? frames : mutateFrames(frames, random, pool);
  const at = random.below(mutated.length + 1);
  switch (random.below(12)) {
    case 0:
      return mutated.toSpliced(at, 0, { data: '[DONE]' });
    case 1:
      return mutated.filter(({ data }) => data !== '[DONE]');
    case 2:
      return [...mutated, ...random.pick(corpus.streams)];
    case 3:
      return [...mutated, ...mutated.slice(-2)];
    default:
      return mutated;
  }
};

const streamPayload = (subject: Subject, random: Random): Payload => {
  const framing = random.oneIn(20) ? random.pick(Object.values(framings)) : providerFraming(subject.dialect);
  const writer = framing.createWriter();
  const plain = Buffer.concat([writer.write(oddFrames(subject, random)), writer.end()]);
  const styled = framing.id === 'sse' && random.oneIn(4) ? restyled(plain, random) : plain;
  return {
    ...{ name: 'stream', status: 200, type: framing.contentType },
    body: random.oneIn(10) ? mutateBytes(styled, plain, random) : styled,
  };
};

const statuses: readonly number[] = [
  400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 451, 499, 500, 502, 503, 504, 529, 599,
];

/** An error of this vendor or another one, in a good or a wrong form, with any status. */
const errorPayload = (subjects: readonly Subject[], subject: Subject, random: Random): Payload => {
  const { corpus } = random.oneIn(3) ? random.pick(subjects) : subject;
  const status = random.pick(statuses);
  const own = quoting(JSON.stringify(pickBody(corpus.errors, random)), random);
  const wrong = oddJson(pickBody(corpus.errors, random), subject, random);
  const [name, type, body] = random.pick<readonly [string, string, Buffer | string]>([
    ['error', json, own],
    ['error', json, own],
    ['odd error', json, wrong],
    ['HTML', 'text/html', html],
    ['text', 'text/plain', `upstream connect error: ${credential}`],
    ['empty', json, ''],
    ['empty without a type', '', ''],
    ['an event', 'text/event-stream', `event: error\ndata: ${own}\n\n`],
    ['a stream', 'text/event-stream', `data: ${own}\n\ndata: [DONE]\n\n`],
    ['a list', json, `[${own}]`],
    ['a text in JSON', json, JSON.stringify(`Wrong: ${credential}`)],
    ['an answer', json, JSON.stringify(pickBody(subject.corpus.answers, random))],
  ]);
  return { name: `${status} ${name}`, status, type, body: Buffer.from(body) };
};

/** An error with a status of success. */
const hiddenErrorPayload = (subjects: readonly Subject[], subject: Subject, random: Random): Payload => {
  const payload = errorPayload(subjects, subject, random);
  return { ...payload, name: `hidden ${payload.name}`, status: random.pick([200, 200, 201, 202, 206, 218]) };
};

const otherStatus = (payload: Payload, random: Random): Payload => {
  const status = random.pick([201, 202, 203, 204, 205, 206, 207, 226, 300, 301, 302, 304, 307, 399]);
  return { ...payload, name: `${payload.name}, ${status}`, status };
};

const toPayload = (subjects: readonly Subject[], subject: Subject, stream: boolean, random: Random): Payload => {
  const isStream = subject.corpus.streams.length > 0 && (random.oneIn(12) ? !stream : stream);
  const plain = (): Payload => (isStream ? streamPayload(subject, random) : wholePayload(subject, random));
  switch (random.below(14)) {
    case 0:
      return errorPayload(subjects, subject, random);
    case 1:
      return hiddenErrorPayload(subjects, subject, random);
    case 2: {
      const type = random.pick(types);
      return { ...plain(), name: `said to be ${type}`, type };
    }
    case 3:
      return otherStatus(plain(), random);
    default:
      return plain();
  }
};

const encodings: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip', (body) => body],
  ['br', (body) => body],
  ['zstd', (body) => body],
  ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
  ['identity', (body) => body],
  ['nonsense', (body) => body],
  ['', (body) => body],
];

const oddHeaders: readonly string[] = [
  'retry-after: -5',
  'retry-after: soon',
  'retry-after: 99999999999999999999',
  'retry-after: Wed, 21 Oct 2015 07:28:00 GMT',
  'x-gw-trace-id: evil',
  'set-cookie: a=b',
  'connection: close',
  'x-odd: \u00e4\u00ff',
  'x-amzn-errortype: ThrottlingException:http://x',
  'x-should-retry: true',
  'trailer: x-later',
  'transfer-encoding: chunked, identity',
  'content-type: text/plain',
  'content-length: 5',
  'content-encoding: gzip',
  'x-long: '.padEnd(5000, 'y'),
  `x-quoted: ${credential}`,
];

const chunked = (chunks: readonly Buffer[], trailers: string): Buffer[] => [
  ...chunks
    .filter(({ length }) => length > 0)
    .map((chunk) => Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])),
  Buffer.from(`0\r\n${trailers}\r\n`),
];

/** Puts a payload into a response of HTTP, in which something may be wrong as well. */
const toResponse = ({ name, status, type, body: plain }: Payload, random: Random): OddResponse => {
  const [encoding, encode] = random.oneIn(10) ? random.pick(encodings) : ['', (body: Buffer): Buffer => body];
  const encoded = encode(plain);
  const isTorn = random.oneIn(14);
  const body = isTorn && encoding !== '' ? encoded.subarray(0, random.below(encoded.length + 1)) : encoded;
  const lines = [
    ...(type === '' ? [] : [`content-type: ${type}`]),
    ...(encoding === '' ? [] : [`content-encoding: ${encoding}`]),
    ...(random.oneIn(8) ? [random.pick(oddHeaders)] : []),
  ];
  const pieces = inChunks(body, random);
  const head = (more: string): Buffer =>
    Buffer.from(
      `HTTP/1.1 ${status} ${random.pick(['OK', '', 'Odd'])}\r\n${[...lines, more].filter((line) => line !== '').join('\r\n')}\r\n\r\n`,
      'latin1',
    );
  const about = {
    name: [name, encoding, isTorn ? 'torn' : ''].filter((each) => each !== '').join(', '),
    isError: status >= 300,
  };
  switch (random.below(5)) {
    case 0:
      return { ...about, end: random.oneIn(6) ? 'reset' : 'cut', chunks: [head('connection: close'), ...pieces] };
    case 1: {
      const missing = isTorn ? random.pick([1, 100, -1]) : 0;
      const length = Math.max(0, body.length + missing);
      return { ...about, end: missing === 0 ? 'kept' : 'cut', chunks: [head(`content-length: ${length}`), ...pieces] };
    }
    default: {
      const trailers = random.oneIn(10)
        ? random.pick(['x-later: y\r\n', `x-later: ${credential}\r\n`, 'content-length: 3\r\n', 'a b\r\n'])
        : '';
      const whole = chunked(pieces, trailers);
      const sent = isTorn ? whole.slice(0, random.below(whole.length)) : whole;
      return { ...about, end: isTorn ? 'cut' : 'kept', chunks: [head('transfer-encoding: chunked'), ...sent] };
    }
  }
};

/** Generates a response of a provider with a dialect in which something is wrong. */
export const oddResponse = (
  subjects: ReadonlyMap<Dialect, Subject>,
  dialect: Dialect,
  stream: boolean,
  random: Random,
): OddResponse => {
  const subject = subjects.get(dialect);
  if (subject === undefined) throw new RangeError(`There are no texts of ${dialect.id}.`);
  return toResponse(toPayload([...subjects.values()], subject, stream, random), random);
};

import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import type { TranslatedOperation } from '../../../plugins/sdk/dialect/operation-codec.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { Received } from './ask.ts';
import type { Client } from './clients.ts';
import { grammars } from './grammar/grammars.ts';
import { require } from './grammar/require.ts';
import { credential } from './world.ts';

/** What a client received, and what is known about its request. */
export interface ReceivedAnswer {
  readonly client: Client;
  readonly body: JsonObject;
  readonly received: Received;
  /** Whether the provider's dialect is another one. Otherwise its answer may be passed on as it is, whatever is wrong with it. */
  readonly isTranslated: boolean;
  /** Whether the client asked for nothing but what its API documents. */
  readonly isStrict: boolean;
}

const sameKeys = (body: JsonObject, model: JsonObject): boolean =>
  Object.entries(model).every(
    ([name, value]) =>
      typeof body[name] === typeof value &&
      (!isJsonObject(value) || (isJsonObject(body[name]) && Object.keys(value).length > 0)),
  );

const requireError = (dialect: Dialect, { status, bytes }: Received): void => {
  const body = parseObject(bytes.toString());
  require(body !== undefined, 'an error is not JSON.');
  const model = dialect.encodeWireError({ message: 'x' }, status);
  require(sameKeys(body, model), `an error lacks members of ${JSON.stringify(model)}.`);
  require(dialect.decodeError(status, bytes.toString()).message !== '', 'an error has no message.');
};

/** The operations whose answers a client's own provider would write, which its codec reads. */
const requireOperation = ({ client: { dialect }, body }: ReceivedAnswer, answer: JsonObject): void => {
  for (const operation of ['embed', 'rerank', 'image'] as const) {
    const codec = dialect.providerCodecs?.[operation as TranslatedOperation];
    const asked = dialect.clientCodecs?.[operation as TranslatedOperation]?.decodeRequest(body, { model: 'm' });
    if (codec !== undefined && asked !== undefined) codec.decodeAnswer(answer, asked as never);
  }
};

const requireWhole = (given: ReceivedAnswer): void => {
  const { client, received } = given;
  const { dialect } = client;
  require(/^application\/json\b/.test(received.headers['content-type'] ?? ''), 'an answer is not called JSON.');
  const body = parseObject(received.bytes.toString());
  require(body !== undefined, 'an answer is not JSON.');
  grammars[dialect.id]?.whole(body, given.isStrict);
  findAnswerCodec(dialect)?.decodeAnswer(body, { scope: 'here' });
  dialect.count?.decodeAnswer(body);
  requireOperation(given, body);
};

const readFrames = ({ framing: id }: Client, bytes: Buffer): readonly Frame[] => {
  const splitter = framings[id].createSplitter();
  const { frames } = splitter.push(bytes);
  const rest = splitter.rest();
  require(!rest.isTorn && rest.frames.length === 0, 'a stream ends in the middle of an event.');
  return frames;
};

const isStream = ({ client, received }: ReceivedAnswer): boolean =>
  received.headers['content-type'] === framings[client.framing].contentType;

const requireStream = ({ client, received, isStrict }: ReceivedAnswer): void => {
  const { dialect } = client;
  const type = received.headers['content-type'] ?? '';
  require(type.startsWith(framings[client.framing].contentType), `a stream is called ${type}.`);
  const frames = readFrames(client, received.bytes).filter(({ data }) => isStrict || !data.includes('"hook_results"'));
  const errorAt = frames.findIndex((frame) => dialect.classify(frame) === 'error');
  const decoder = findAnswerCodec(dialect)?.streamDecoder({ scope: 'here' });
  const events = [...frames.flatMap((frame) => decoder?.push(frame) ?? []), ...(decoder?.end() ?? [])];
  if (errorAt !== -1) {
    const rest = frames.slice(errorAt);
    require(rest.every((frame) => dialect.classify(frame) === 'error'), 'something follows the error of a stream.');
    require(events.at(-1)?.kind === 'error', 'the error of a stream is none to its reader.');
    return;
  }
  require(events.at(-1)?.kind === 'end', 'a stream has neither an end nor an error.');
  grammars[dialect.id]?.stream(frames, isStrict);
};

/** The headers of successful answers are not searched for credentials. */
const requireNoCredential = ({ received: { status, bytes, lines } }: ReceivedAnswer): void => {
  require(!bytes.includes(credential), 'the body has the credential.');
  require(status < 300 || !lines.includes(credential), 'the headers have the credential.');
};

const requireNoBug = ({ received: { bytes } }: ReceivedAnswer): void => {
  const text = bytes.toString();
  require(!text.includes('internal-error'), 'it is an internal error.');
  require(!/\bat .*\.[tj]s:\d+/.test(text), 'it has a stack trace.');
  require(!text.includes('[object Object]') &&
    !/[:,[]NaN\b/.test(text), 'it has a value that was not written as JSON.');
};

/** Throws if a client received what no client may receive. */
export const checkReceived = (given: ReceivedAnswer): void => {
  const { client, received, isTranslated } = given;
  requireNoBug(given);
  if (isTranslated || received.status >= 300) requireNoCredential(given);
  if (!isTranslated) return;
  require(!received.isTorn, 'an answer that was translated breaks off.');
  if (received.status >= 300) requireError(client.dialect, received);
  // A stream is one although its client asked for none, and an answer with another status than 200 is passed on as it is.
  else if (isStream(given) || (client.stream && received.status === 200)) requireStream(given);
  else requireWhole(given);
};

const requireCounts = (value: unknown, path: string): void => {
  if (typeof value === 'number') require(Number.isFinite(value) && value >= 0, `the usage has ${value} as ${path}.`);
  if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) requireCounts(member, `${path}.${name}`);
};

/** Throws if a usage is not one. */
export const checkUsage = (usage: UsageRecord): void => {
  requireCounts(usage, 'usage');
  for (const total of [usage.input.total, usage.output.total])
    require(Number.isSafeInteger(total), `the usage has a total of ${total}.`);
};

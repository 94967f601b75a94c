import type { Dialect, Frame, FramingId } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Framing } from '../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import type { StreamTranslation } from '../../../runtime/streams/create-relay.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { inChunks, mutateBytes } from '../mutate/bytes.ts';
import { mutateFrames } from '../mutate/frames.ts';
import { expectOneEnd } from '../support/expect-one-end.ts';
import { expectPlain } from '../support/expect-plain.ts';
import { expectRelayed, expectSameRelayed } from '../support/expect-relayed.ts';
import type { Random } from '../support/random.ts';
import { relay, throughGate } from '../support/relay.ts';
import { expectSameFrames, split } from '../support/split.ts';
import { type FuzzCase, type Subject, speakers } from '../support/subject.ts';
import { oddOptions } from './answer.ts';

const toBytes = (framing: Framing, frames: readonly Frame[]): Buffer => {
  const writer = framing.createWriter();
  return Buffer.concat([writer.write(frames), writer.end()]);
};

const oddBytes = (frames: readonly Frame[], framing: Framing, { pool }: Subject, random: Random): Buffer => {
  const bytes = toBytes(framing, frames);
  return random.oneIn(3) ? mutateBytes(bytes, toBytes(framing, random.pick(pool.streams)), random) : bytes;
};

const isErrorStatus = (status: number): boolean => Number.isInteger(status) && status >= 400 && status <= 599;

/** Checks what the gateway reads from a frame without a codec. */
const expectReadable = (dialect: Dialect, frame: Frame): void => {
  if (dialect.classify(frame) === 'error') {
    const error = dialect.decodeStreamError(frame);
    expectPlain(error);
    if (error.message === '') throw new Error('An error in a stream has no message.');
    if (!isErrorStatus(error.status ?? 500)) throw new Error(`An error in a stream has the status ${error.status}.`);
    const text = `${frame.event} ${frame.data}`;
    if (![dialect.errorMark ?? ''].flat().some((mark) => text.includes(mark)))
      throw new Error('An error in a stream lacks the mark of errors.');
  }
  const wire = parseObject(frame.data);
  if (wire === undefined) return;
  expectPlain(dialect.usage?.(wire) ?? null);
  expectPlain(dialect.texts?.(wire, 'output') ?? []);
};

const expectDecoded = ({ conversation }: Dialect, frames: readonly Frame[]): void => {
  if (conversation === undefined) return;
  const decoder = conversation.streamDecoder({ scope: 'here' });
  const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  expectPlain(events);
  expectOneEnd(events);
  expectPlain(foldAnswer(events.filter(({ kind }) => kind !== 'error')));
};

/** Returns the framings that clients of a dialect may request. */
const clientFramings = ({ framing = 'sse', routes = [] }: Dialect): readonly FramingId[] => [
  framing,
  ...routes.flatMap((route) => ['', 'alt=sse'].flatMap((query) => route.framing?.(new URLSearchParams(query)) ?? [])),
];

/** Creates translations to a client of this or another dialect, with new codecs each time. */
const translationTo = (dialect: Dialect, from: Framing, random: Random): (() => StreamTranslation) => {
  const other = random.pick(speakers);
  const codec = dialect.conversation;
  const isSame = codec === undefined || other.dialect === dialect || random.oneIn(5);
  const client = isSame ? dialect : other.dialect;
  const sides = { upstream: dialect, client, from, to: framings[random.pick(clientFramings(client))] };
  if (isSame) return () => sides;
  const options = oddOptions(random);
  return () => ({
    ...sides,
    translate: { decoder: codec.streamDecoder({ scope: 'here' }), encoder: other.codec.streamEncoder(options) },
  });
};

/** Tests a stream in which anything may be wrong. */
export const streamCase = (subject: Subject, { random, note }: FuzzCase): (() => Promise<void>) => {
  const { dialect, corpus, pool } = subject;
  const frames = mutateFrames(random.pick(corpus.streams), random, pool);
  const framing = random.oneIn(2) ? providerFraming(dialect) : random.pick(Object.values(framings));
  const bytes = oddBytes(frames, framing, subject, random);
  const chunks = inChunks(bytes, random);
  note('framing', framing.id);
  note('bytes', bytes.toString('latin1'));
  const whole = split(framing, [bytes]);
  expectSameFrames(whole, split(framing, chunks));
  for (const frame of whole.frames) expectReadable(dialect, frame);
  expectDecoded(dialect, random.oneIn(4) ? frames : whole.frames);
  const translation = translationTo(dialect, framing, random);
  const { client, to = framing, translate } = translation();
  note('client', [client.id, to.id]);
  note('chunks', chunks.map(({ length }) => length).join());
  const isCut = random.oneIn(6);
  const gated = throughGate(translation(), chunks, isCut);
  const atOnce = relay(translation(), [bytes]);
  note('at once', [atOnce.end, atOnce.bytes.toString('latin1')]);
  return async () => {
    const relayed = await gated;
    note('gated', [relayed.end, relayed.bytes.toString('latin1')]);
    expectRelayed({ dialect: client, framing: to, isTranslated: translate !== undefined }, relayed);
    if (!isCut) expectSameRelayed(to, atOnce, relayed);
  };
};

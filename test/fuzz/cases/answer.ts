import { expect } from 'vitest';
import type { EncodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { expectPlain, overTheWire } from '../support/expect-plain.ts';
import { oddBody } from '../support/odd-body.ts';
import type { Random } from '../support/random.ts';
import { type FuzzCase, pickSpeakers, type Subject } from '../support/subject.ts';

const scope = 'here';

/** Generates the options with which a client requested its answer. */
export const oddOptions = (random: Random): EncodeAnswer => ({
  provider: 'test',
  strict: random.oneIn(2),
  streamUsage: random.oneIn(2),
  ...(random.oneIn(2) ? { id: 'gw-1', created: 1 } : {}),
});

const decoded = <Read>(decode: () => Read): Read | undefined => {
  try {
    return decode();
  } catch (error) {
    // An internal error of the JavaScript engine is not a reason to show to a client.
    const isReason = error instanceof Error && error.constructor === Error && / \w/.test(error.message);
    if (isReason) return undefined;
    throw error;
  }
};

/** Tests an answer that its dialect must either decode or reject with a reason. */
export const answerCase = (subject: Subject, { random, note }: FuzzCase): void => {
  const { dialect, corpus } = subject;
  const text = oddBody(corpus.answers, subject, random);
  note('answer', text);
  expectPlain(dialect.decodeError(200, text));
  const body = parseObject(text);
  if (body === undefined) return;
  expectPlain(dialect.usage?.(body) ?? null);
  expectPlain(dialect.texts?.(body, 'output') ?? []);
  const codec = dialect.conversation;
  const tokens = decoded(() => dialect.count?.decodeAnswer(body));
  if (tokens !== undefined) expect(tokens).toSatisfy(Number.isSafeInteger);
  const how = random.oneIn(2) ? { scope } : { scope, model: 'm' };
  const answer = decoded(() => codec?.decodeAnswer(body, how));
  if (answer === undefined) return;
  expectPlain(answer);
  for (const speaker of pickSpeakers(dialect, random)) {
    note('in', speaker.dialect.id);
    const written = overTheWire(speaker.codec.encodeAnswer(answer, oddOptions(random)));
    note('written', written);
    expectPlain(speaker.codec.decodeAnswer(written, { scope }));
  }
};

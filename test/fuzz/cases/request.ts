import { expect } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { withoutLegacyFunctions } from '../../../plugins/dialects/chat/request/legacy-functions.ts';
import type { ConversationCodec } from '../../../plugins/sdk/dialect/dialect.ts';
import { estimatedInput } from '../../../runtime/usage/estimated-input.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { expectNamed } from '../support/expect-named.ts';
import { expectPlain, overTheWire } from '../support/expect-plain.ts';
import { oddBody } from '../support/odd-body.ts';
import { type FuzzCase, pickSpeakers, type Speaker, type Subject } from '../support/subject.ts';

const scope = 'here';

const counters = builtinDialects.flatMap(({ id, count }) => (count === undefined ? [] : [{ id, count }]));

const params: JsonObject = { model: 'm', temperature: 1, max_tokens: 5, top_p: 0.5, stop: ['x'], its_own: { a: 1 } };

const decoded = (codec: Pick<ConversationCodec, 'decodeRequest'>, body: JsonObject): Conversation | undefined => {
  try {
    return codec.decodeRequest(body, { scope });
  } catch (error) {
    if (!(error instanceof GatewayError) || error.report.code !== 'invalid-request') throw error;
    // The message names the tools that a deprecated `functions` or `function_call` stands for.
    expectNamed(error.report, withoutLegacyFunctions(body));
    return undefined;
  }
};

/** Expects that what one dialect has decoded can be encoded in another, whose own decoder accepts it. */
const expectSayable = (conversation: Conversation, { codec }: Speaker, { random, note }: FuzzCase): void => {
  const drop = new Set(random.oneIn(8) ? ['temperature', 'stop'] : []);
  const encoded = codec.encodeRequest(conversation, { provider: 'test', strict: random.oneIn(2), drop, scope });
  expectPlain(encoded.lost);
  const body = overTheWire(encoded.body);
  note('written', body);
  const { model, stream } = conversation;
  expectPlain(codec.decodeRequest(body, { scope, stream, ...(model === undefined ? {} : { model }) }));
};

/** Expects that the tokens of a decoded request can be counted by any provider that counts. */
const expectCountable = (conversation: Conversation, { random, note }: FuzzCase): void => {
  const { id, count } = random.pick(counters);
  const { model } = conversation;
  const encoded = count.encodeRequest(conversation, { provider: 'test', strict: true, drop: new Set(), scope });
  expectPlain(encoded.lost);
  const body = overTheWire(encoded.body);
  note(`written in ${id}`, body);
  expectPlain(count.decodeRequest(body, { scope, stream: false, ...(model === undefined ? {} : { model }) }));
};

/** Tests a request that its dialect must either decode or reject by naming the member. */
export const requestCase = (subject: Subject, fuzzCase: FuzzCase): void => {
  const { dialect, corpus } = subject;
  const { random, note } = fuzzCase;
  const text = oddBody(corpus.requests, subject, random);
  note('request', text);
  const body = parseObject(text);
  if (body === undefined) return;
  expectPlain(dialect.texts?.(body, 'input') ?? []);
  expectPlain(dialect.texts?.(body, 'output') ?? []);
  const codec = dialect.conversation ?? dialect.conversationClient ?? dialect.count;
  dialect.place?.(params, body);
  dialect.count?.namesModelAgain?.(body);
  const conversation = codec === undefined ? undefined : decoded(codec, body);
  if (conversation === undefined) return;
  expectPlain(conversation);
  expect(estimatedInput(conversation)).toSatisfy(Number.isSafeInteger);
  expectCountable(conversation, fuzzCase);
  for (const speaker of pickSpeakers(dialect, random)) {
    note('in', speaker.dialect.id);
    expectSayable(conversation, speaker, fuzzCase);
  }
};

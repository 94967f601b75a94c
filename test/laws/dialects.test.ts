import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { responses } from '../../plugins/dialects/responses/responses.ts';
import type { ConversationCodec, EncodeAnswer, EncodeTarget } from '../../plugins/sdk/dialect/dialect.ts';
import type { Answer, AnswerChoice } from '../../schema/conversation/answer.ts';
import type { Conversation, Extensions } from '../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { toObjects } from '../../schema/json/loose.ts';
import { answerEvents } from '../plugins/dialects/support/answer-events.ts';
import { answers, conversations } from '../plugins/dialects/support/arbitraries.ts';
import { here } from '../plugins/dialects/support/codecs.ts';
import { toEvents, toFrames, toText } from '../plugins/dialects/support/frames.ts';
import { dearestLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const target: EncodeTarget = { provider: 'test', strict: true, drop: new Set(), scope: here.scope };
const options: EncodeAnswer = { provider: 'test', strict: false, streamUsage: true, created: 1 };

const toCodec = (dialect: typeof chat): ConversationCodec => {
  if (dialect.conversation === undefined) throw new Error(`${dialect.id} does not converse.`);
  return dialect.conversation;
};

/** Returns a value as it would be received: members that are undefined are removed. */
const overTheWire = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject;

/** `turns[1].parts[0].cache` → `turns.parts.cache`. A member that only another dialect has is an extension. */
const toMember = (path: string): string =>
  path.replaceAll(/\[\d+\]/g, '').replace(/(?<=^|\.)extensions\..*/, 'extensions');

/** Returns an answer without what a stream cannot express: the format's own record of the usage and the finish reason. */
const comparable = (answer: Answer): Answer => {
  const { usage, ...rest } = answer;
  const { raw: _raw, ...figures } = usage ?? { input: 0, output: 0 };
  return { ...rest, usage: figures };
};

/** Returns the usage without the counts that the dialect declares as lost. */
const toCounts = (answer: Answer, declared: ReadonlySet<string>): readonly (readonly [string, unknown])[] =>
  Object.entries(comparable(answer).usage ?? {})
    .filter(([name]) => !declared.has(`usage.${name}`))
    .sort();

/** Returns the members that no loss affects. Each sampling parameter counts separately. */
const untouched = ({ sampling, extensions, ...conversation }: Conversation, lost: readonly string[]): object => {
  const isKept = ([name]: [string, unknown]): boolean =>
    !lost.some((path) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
  const parameters = Object.entries(sampling).map(([name, value]): [string, unknown] => [`sampling.${name}`, value]);
  const fields = Object.entries(extensions).flatMap(([dialect, members]) =>
    Object.entries(members).map(([name, value]): [string, unknown] => [`extensions.${dialect}.${name}`, value]),
  );
  return Object.fromEntries([...Object.entries(conversation), ...parameters, ...fields].filter(isKept));
};

/** Returns everything that is said, by kind, however it is divided into blocks. */
const spoken = ({ choices }: Answer): readonly object[] =>
  choices.map(({ index, parts, finish }) => ({
    index,
    finish,
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(''),
    refusal: parts.flatMap((part) => (part.kind === 'refusal' ? [part.text] : [])).join(''),
    calls: parts.filter(({ kind }) => kind === 'tool-call'),
  }));

const ofAnswers = /^(?:choices|created|id$|model$|usage\b)/;

/** Decodes a request. What the body does not contain comes from the path. */
const readBack = (codec: ConversationCodec, body: JsonObject, { model, stream }: Conversation): Conversation =>
  codec.decodeRequest(overTheWire(body), { ...here, stream, ...(model === undefined ? {} : { model }) });

const normal = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim() === '' ? {} : { arguments: text };
  }
};

/** Returns the content of a choice independent of its form: a refusal can be a text, and arguments an object or its JSON. */
const words = ({ index, parts }: AnswerChoice): object => ({
  index,
  text: parts.flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])).join(''),
  calls: parts.flatMap((part) => {
    if (part.kind !== 'tool-call') return [];
    const input = part.input === 'text' ? part.arguments : normal(part.arguments);
    return [{ id: part.id, name: part.name, input: Array.isArray(input) ? { arguments: part.arguments } : input }];
  }),
});

/** Returns the members of the calls of a choice that only one dialect has. */
const ownOfCalls = ({ parts }: AnswerChoice): readonly (Extensions | undefined)[] =>
  parts.flatMap((part) => (part.kind === 'tool-call' ? [part.extensions] : []));

/** The dialects whose answers can have several choices. The others have the first one. */
const severalChoices = new Set(['chat', 'gemini']);

const made: (readonly Conversation[])[] = [];

/** Generates enough conversations to meet every loss: the same for each dialect, created on demand. */
function* sampled(): Generator<Conversation> {
  for (let part = 0; part < 20; part += 1) {
    made[part] ??= fc.sample(conversations, { numRuns: 200, seed: part + 1 });
    yield* made[part] ?? [];
  }
}

describe.each([
  ['chat', toCodec(chat)],
  ['messages', toCodec(messages)],
  ['responses', toCodec(responses)],
  ['cohere', toCodec(cohere)],
  ['converse', toCodec(converse)],
  ['gemini', toCodec(gemini)],
])('the %s dialect', { timeout: slowLawMs }, (id, codec) => {
  const declared = new Set(codec.losses.map(({ member }) => member));

  it('decodes an encoded request to the same members, except those that it reported as lost', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { body, lost } = codec.encodeRequest(conversation, target);
        expect(untouched(readBack(codec, body, conversation), lost)).toEqual(untouched(conversation, lost));
      }),
      dearestLawRuns,
    );
  });

  it('reports only losses that it declares', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { lost } = codec.encodeRequest(conversation, target);
        expect(lost.map(toMember).filter((member) => !declared.has(member))).toEqual([]);
      }),
      dearestLawRuns,
    );
  });

  it('reports every loss that it declares for requests in at least one sampled conversation', () => {
    const left = new Set([...declared].filter((member) => !ofAnswers.test(member)));
    for (const conversation of sampled()) {
      if (left.size === 0) break;
      for (const lost of codec.encodeRequest(conversation, target).lost) left.delete(toMember(lost));
    }
    expect([...left]).toEqual([]);
  });

  it('decodes an encoded request to a different one if it reported a loss', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const { body, lost } = codec.encodeRequest(conversation, target);
        if (lost.length > 0) expect(readBack(codec, body, conversation)).not.toEqual(conversation);
      }),
      dearestLawRuns,
    );
  });

  it('encodes a request that it decoded without losses, and decodes it to the same request again', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const once = readBack(codec, codec.encodeRequest(conversation, target).body, conversation);
        const again = codec.encodeRequest(once, target);
        expect(again.lost).toEqual([]);
        expect(readBack(codec, again.body, once)).toEqual(once);
      }),
      dearestLawRuns,
    );
  });

  it('decodes an answer to the same value after a second round trip as after the first', () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, strict) => {
        const write = (value: Answer): Answer =>
          codec.decodeAnswer(overTheWire(codec.encodeAnswer(value, { ...options, strict })), here);
        const once = write(answer);
        expect(comparable(write(once))).toEqual(comparable(once));
      }),
      dearestLawRuns,
    );
  });

  it('keeps the id, model, usage and encoded choices of an answer, except ids and usage declared as lost', () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, strict) => {
        // Not every format names the model, so its reader knows which model was called.
        const context = { ...here, model: answer.model };
        const decoded = codec.decodeAnswer(overTheWire(codec.encodeAnswer(answer, { ...options, strict })), context);
        const choices = severalChoices.has(id) ? answer.choices.length : Math.min(1, answer.choices.length);
        if (!declared.has('id')) expect(decoded.id).toBe(answer.id);
        expect(decoded.model).toBe(answer.model);
        expect(decoded.choices.map(words)).toEqual(answer.choices.slice(0, choices).map(words));
        expect(toCounts(decoded, declared)).toEqual(toCounts(answer, declared));
      }),
      dearestLawRuns,
    );
  });

  it('keeps the members that it alone has of the calls of an answer', () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, strict) => {
        const decoded = codec.decodeAnswer(overTheWire(codec.encodeAnswer(answer, { ...options, strict })), here);
        const choices = answer.choices.slice(0, decoded.choices.length);
        expect(decoded.choices.map(ownOfCalls)).toEqual(
          choices.map((choice) =>
            ownOfCalls(choice).map((members) => (members?.[id] === undefined ? undefined : { [id]: members[id] })),
          ),
        );
      }),
      dearestLawRuns,
    );
  });

  it('decodes the same answer from a stream as from a whole body', () => {
    fc.assert(
      fc.property(answers, fc.boolean(), fc.integer({ min: 1, max: 9 }), fc.boolean(), (any, strict, size, mixed) => {
        const encode = { ...options, strict };
        const answer = codec.decodeAnswer(overTheWire(codec.encodeAnswer(any, encode)), here);
        const encoder = codec.streamEncoder(encode);
        const events = answerEvents(answer, { size, interleaved: mixed });
        const text = toText(events.flatMap((event) => encoder.push(event)));
        const streamed = foldAnswer(toEvents(codec.streamDecoder(here), toFrames(text)));
        const whole = codec.decodeAnswer(overTheWire(codec.encodeAnswer(answer, encode)), here);
        if (mixed) expect(spoken(streamed)).toEqual(spoken(whole));
        else expect(comparable(streamed)).toEqual(comparable(whole));
      }),
      dearestLawRuns,
    );
  });

  it('decodes a stream to the same events wherever its bytes are split', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.integer({ min: 0, max: 4000 })), (answer, borders) => {
        const encoder = codec.streamEncoder(options);
        const text = toText(answerEvents(answer).flatMap((event) => encoder.push(event)));
        expect(toEvents(codec.streamDecoder(here), toFrames(text, borders))).toEqual(
          toEvents(codec.streamDecoder(here), toFrames(text)),
        );
      }),
      dearestLawRuns,
    );
  });
});

/** Returns the messages of a conversation as they are sent in a dialect. */
const toMessages = (codec: ConversationCodec, conversation: Conversation): readonly JsonObject[] =>
  toObjects(overTheWire(codec.encodeRequest(conversation, target).body).messages);

describe('the messages that are sent to a provider', { timeout: slowLawMs }, () => {
  it('alternate roles, start with tool results, and are never empty in the messages dialect', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const wire = toMessages(toCodec(messages), conversation);
        wire.forEach(({ role, content }, index) => {
          expect(role).not.toBe(wire[index - 1]?.role);
          const results = toObjects(content).map(({ type }) => type === 'tool_result');
          expect(results.length).toBeGreaterThan(0);
          expect(results).toEqual(results.toSorted((a, b) => Number(b) - Number(a)));
        });
      }),
      dearestLawRuns,
    );
  });

  it('have instructions only after a user turn, and before a model turn or last, in the messages dialect', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const roles = toMessages(toCodec(messages), conversation).map(({ role }) => role);
        roles.forEach((role, index) => {
          if (role === 'system')
            expect([roles[index - 1], roles[index + 1] ?? 'assistant']).toEqual(['user', 'assistant']);
        });
      }),
      dearestLawRuns,
    );
  });

  it('have one tool message per result, and media of results only after these, in the chat dialect', () => {
    fc.assert(
      fc.property(conversations, (conversation) => {
        const results = conversation.turns.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'tool-result'));
        const wire = toMessages(toCodec(chat), conversation);
        expect(wire.filter(({ role }) => role === 'tool')).toHaveLength(results.length);
        wire.forEach(({ role, content }, index) => {
          const isMoved = role === 'user' && JSON.stringify(content).startsWith('[{"type":"text","text":"Result of');
          if (isMoved) expect(wire[index + 1]?.role).not.toBe('tool');
        });
      }),
      dearestLawRuns,
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { ConversationCodec, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { declaredErrors } from '../../../support/declared/declared-errors.ts';
import { declaredType } from '../../../support/declared/declared-type.ts';
import { answerEvents } from '../support/answer-events.ts';
import { answers, conversations } from '../support/arbitraries.ts';
import { answerOptions, here } from '../support/codecs.ts';

interface DeclaredType {
  readonly file: string;
  readonly type: string;
}

interface Declared {
  readonly dialect: string;
  readonly answer: DeclaredType;
  readonly frame: DeclaredType;
  /** Absent if requests may contain parts of other services that use the format. */
  readonly request?: DeclaredType;
  /** Returns the values in a body that have the types. Absent if the body itself has the type. */
  readonly within?: (body: JsonObject) => readonly Json[];
  /** Members that the client declares, but that the vendor's answers may omit or the gateway adds later. */
  readonly lacks?: readonly string[];
}

const cohere = 'cohere-ai/dist/serialization/resources/v2';

const bedrock = '@aws-sdk/client-bedrock-runtime/dist-types/models/models_0.d.ts';
const google = '@google/genai/dist/genai.d.ts';

const declared: readonly Declared[] = [
  {
    dialect: 'chat',
    answer: { file: 'openai/resources/chat/completions/completions.d.ts', type: 'ChatCompletion' },
    frame: { file: 'openai/resources/chat/completions/completions.d.ts', type: 'ChatCompletionChunk' },
  },
  {
    dialect: 'responses',
    answer: { file: 'openai/resources/responses/responses.d.ts', type: 'Response' },
    frame: { file: 'openai/resources/responses/responses.d.ts', type: 'ResponseStreamEvent' },
    // The client computes it from the items.
    lacks: ['output_text'],
  },
  {
    dialect: 'messages',
    answer: { file: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', type: 'BetaMessage' },
    frame: { file: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', type: 'BetaRawMessageStreamEvent' },
    // The gateway estimates usage that no provider counted. A caller is only reported for tools that programs call.
    lacks: ['usage', 'caller'],
  },
  {
    dialect: 'converse',
    answer: { file: bedrock, type: 'ConverseResponse' },
    frame: { file: bedrock, type: 'ConverseStreamOutput' },
    request: { file: bedrock, type: 'ConverseRequest' },
    lacks: ['usage'],
  },
  {
    dialect: 'cohere',
    answer: { file: `${cohere}/types/V2ChatResponse.d.ts`, type: 'V2ChatResponse.Raw' },
    frame: { file: `${cohere}/types/V2ChatStreamResponse.d.ts`, type: 'V2ChatStreamResponse.Raw' },
    request: { file: `${cohere}/client/requests/V2ChatRequest.d.ts`, type: 'V2ChatRequest.Raw' },
  },
  {
    dialect: 'gemini',
    answer: { file: google, type: 'Candidate' },
    frame: { file: google, type: 'Candidate' },
    request: { file: google, type: 'Content' },
    within: ({ candidates, contents }) => toObjects(candidates ?? contents),
  },
];

const codecOf = (dialect: string): ConversationCodec => {
  const codec = builtinDialects.find(({ id }) => id === dialect)?.conversation;
  if (codec === undefined) throw new Error(`${dialect} has no conversations.`);
  return codec;
};

/** Returns the body of a frame. If the framing sends event names separately, the body is nested under the event name. */
const bodyOf = (dialect: string, { event, data }: Frame): JsonObject =>
  findObject(dialect === 'converse' ? { [event ?? '']: parseJson(data) ?? null } : parseJson(data)) ?? {};

const numRuns = 60;

describe.each(declared)(
  'the declared types of $answer.file',
  ({ dialect, answer, frame, request, within, lacks = [] }) => {
    const errorsOf = ({ file, type }: DeclaredType, body: JsonObject): readonly string[] =>
      (within?.(body) ?? [body])
        .flatMap((each) => declaredErrors(declaredType(file, type), each))
        .filter((error) => !lacks.some((member) => error.endsWith(`.${member} is missing`)));

    it('match every answer to clients', () => {
      fc.assert(
        fc.property(answers, (given) => {
          const body = JSON.parse(JSON.stringify(codecOf(dialect).encodeAnswer(given, answerOptions)));
          expect(errorsOf(answer, body)).toEqual([]);
        }),
        { numRuns },
      );
    });

    it('match every event of a stream', () => {
      fc.assert(
        fc.property(answers, (given) => {
          const encoder = codecOf(dialect).streamEncoder(answerOptions);
          const frames = [...answerEvents(given).flatMap((event) => encoder.push(event)), ...encoder.end()];
          const events = frames.filter(({ data }) => data !== '[DONE]').map((each) => bodyOf(dialect, each));
          expect([...new Set(events.flatMap((event) => errorsOf(frame, event)))]).toEqual([]);
        }),
        { numRuns },
      );
    });

    it.skipIf(request === undefined)('match every request to services', () => {
      const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
      fc.assert(
        fc.property(conversations, (given) => {
          const { body } = codecOf(dialect).encodeRequest(given, target);
          // What the path carries is not a member of the body.
          const whole = { ...JSON.parse(JSON.stringify(body)), modelId: 'any', model: 'any', stream: false };
          if (request !== undefined) expect(errorsOf(request, whole)).toEqual([]);
        }),
        { numRuns },
      );
    });
  },
);

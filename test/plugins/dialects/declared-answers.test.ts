import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { ConversationCodec, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { answerEvents } from './support/answer-events.ts';
import { answers } from './support/arbitraries.ts';
import { answerOptions } from './support/codecs.ts';
import { declaredErrors } from './support/declared-errors.ts';
import { declaredType } from './support/declared-samples.ts';

interface DeclaredType {
  readonly file: string;
  readonly type: string;
}

interface Declared {
  readonly dialect: string;
  readonly answer: DeclaredType;
  readonly frame: DeclaredType;
  /** What stands elsewhere in another body. */
  readonly within?: (body: JsonObject) => readonly Json[];
  /** What its client declares, and the vendor's answers may lack all the same, or the gateway adds later. */
  readonly lacks?: readonly string[];
}

const cohere = 'cohere-ai/dist/serialization/resources/v2/types';

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
    // The client makes it of the items.
    lacks: ['output_text'],
  },
  {
    dialect: 'messages',
    answer: { file: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', type: 'BetaMessage' },
    frame: { file: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', type: 'BetaRawMessageStreamEvent' },
    // The gateway estimates what no provider has counted. A caller is said of tools that programs call.
    lacks: ['usage', 'caller'],
  },
  {
    dialect: 'converse',
    answer: { file: '@aws-sdk/client-bedrock-runtime/dist-types/models/models_0.d.ts', type: 'ConverseResponse' },
    frame: { file: '@aws-sdk/client-bedrock-runtime/dist-types/models/models_0.d.ts', type: 'ConverseStreamOutput' },
    lacks: ['usage'],
  },
  {
    dialect: 'cohere',
    answer: { file: `${cohere}/V2ChatResponse.d.ts`, type: 'V2ChatResponse.Raw' },
    frame: { file: `${cohere}/V2ChatStreamResponse.d.ts`, type: 'V2ChatStreamResponse.Raw' },
  },
  {
    dialect: 'gemini',
    answer: { file: '@google/genai/dist/genai.d.ts', type: 'Candidate' },
    frame: { file: '@google/genai/dist/genai.d.ts', type: 'Candidate' },
    within: ({ candidates }) => (Array.isArray(candidates) ? candidates : []),
  },
];

const codecOf = (dialect: string): ConversationCodec => {
  const codec = builtinDialects.find(({ id }) => id === dialect)?.conversation;
  if (codec === undefined) throw new Error(`${dialect} has no conversations.`);
  return codec;
};

/** The body of a frame; of a framing that names events beside it, an object with that name. */
const bodyOf = (dialect: string, { event, data }: Frame): JsonObject =>
  findObject(dialect === 'converse' ? { [event ?? '']: parseJson(data) ?? null } : parseJson(data)) ?? {};

const numRuns = 60;

describe.each(declared)('what $answer.file declares', ({ dialect, answer, frame, within, lacks = [] }) => {
  const errorsOf = ({ file, type }: DeclaredType, body: JsonObject): readonly string[] =>
    (within?.(body) ?? [body])
      .flatMap((each) => declaredErrors(declaredType(path.join('node_modules', file), type), each))
      .filter((error) => !lacks.some((member) => error.endsWith(`.${member} is missing`)));

  it('is in every answer to its clients', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const body = JSON.parse(JSON.stringify(codecOf(dialect).encodeAnswer(given, answerOptions)));
        expect(errorsOf(answer, body)).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('is in every event of a stream', () => {
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
});

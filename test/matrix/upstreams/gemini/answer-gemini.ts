import { cachedTokens, reasoningTokens, type Success } from '../wire/answer-parts.ts';
import { pieces } from '../wire/pieces.ts';

/** What the request says of its answer. */
export interface GeminiOptions {
  readonly model: string;
  readonly showsThoughts: boolean;
  /** Vertex AI gives calls no ids. */
  readonly isVertex: boolean;
}

const envelope = ({ model }: GeminiOptions): object => ({
  modelVersion: model,
  responseId: 'M3iLaY-AI7zTxN8P3Piw4Qg',
});

const usage = (answer: Success, output: number): object => ({
  usageMetadata: {
    promptTokenCount: answer.usage.input,
    ...(output === 0 ? {} : { candidatesTokenCount: output }),
    totalTokenCount: answer.usage.input + output + reasoningTokens(answer),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: answer.usage.input }],
    ...(cachedTokens(answer) === 0 ? {} : { cachedContentTokenCount: cachedTokens(answer) }),
    ...(answer.reasoning === undefined ? {} : { thoughtsTokenCount: reasoningTokens(answer) }),
  },
});

/** A refused answer says what it was judged to be. */
const finish = (answer: Success): object => ({
  finishReason: { stop: 'STOP', 'tool-calls': 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[answer.finish],
  ...(answer.finish === 'refusal'
    ? { safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }] }
    : {}),
});

const signature = (answer: Success): object =>
  answer.signature === undefined ? {} : { thoughtSignature: answer.signature };

/** Calls have ids since Gemini 3, and come whole. The signature is on the first of them. */
const callParts = (answer: Success, { model, isVertex }: GeminiOptions): readonly object[] =>
  (answer.calls ?? []).map(({ id, name, args }, at) => ({
    functionCall: { name, args, ...(model.startsWith('gemini-3') && !isVertex ? { id } : {}) },
    ...(at === 0 ? signature(answer) : {}),
  }));

/** Of a text without calls. */
const textSignature = (answer: Success): object => (answer.calls === undefined ? signature(answer) : {});

const response = (candidate: object, counts: object, options: GeminiOptions): object => ({
  candidates: [{ ...candidate, index: 0 }],
  ...counts,
  ...envelope(options),
});

/** A whole answer. Thoughts are summarised only where the request asks for them; the signature comes all the same. */
export const geminiAnswer = (answer: Success, options: GeminiOptions): object => {
  const parts = [
    ...(answer.reasoning === undefined || !options.showsThoughts ? [] : [{ text: answer.reasoning, thought: true }]),
    ...(answer.text === undefined ? [] : [{ text: answer.text, ...textSignature(answer) }]),
    ...callParts(answer, options),
  ];
  const output = answer.usage.output - reasoningTokens(answer);
  return response({ content: { parts, role: 'model' }, ...finish(answer) }, usage(answer, output), options);
};

/** The responses of a stream. The signature of a text comes on an empty text at its end. */
export const geminiChunks = (answer: Success, options: GeminiOptions): readonly object[] => {
  const thoughts = options.showsThoughts ? pieces(answer.reasoning ?? '', 8) : [];
  const parts = [
    ...thoughts.map((text) => ({ text, thought: true })),
    ...pieces(answer.text ?? '', 6).map((text) => ({ text })),
    ...callParts(answer, options),
  ];
  const last = { content: { parts: [{ text: '', ...textSignature(answer) }], role: 'model' }, ...finish(answer) };
  return [
    ...parts.map((part) => response({ content: { parts: [part], role: 'model' } }, usage(answer, 0), options)),
    response(last, usage(answer, answer.usage.output - reasoningTokens(answer)), options),
  ];
};

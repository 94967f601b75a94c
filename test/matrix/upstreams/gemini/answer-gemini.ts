import { cachedTokens, reasoningTokens, type Success } from '../wire/answer-parts.ts';
import { pieces } from '../wire/pieces.ts';

/** The parts of the request that affect its answer. */
export interface GeminiOptions {
  readonly model: string;
  readonly showsThoughts: boolean;
  /** Vertex AI does not add ids to calls. */
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
    ...(reasoningTokens(answer) === 0 ? {} : { thoughtsTokenCount: reasoningTokens(answer) }),
  },
});

/** A refused answer reports how it was rated. */
const finish = (answer: Success): object => ({
  finishReason: { stop: 'STOP', 'tool-calls': 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[answer.finish],
  ...(answer.finish === 'refusal'
    ? { safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }] }
    : {}),
});

const signature = (answer: Success): object =>
  answer.signature === undefined ? {} : { thoughtSignature: answer.signature };

/** Since Gemini 3, calls have ids and arrive whole. The signature is on the first one. */
const callParts = (answer: Success, { model, isVertex }: GeminiOptions): readonly object[] =>
  (answer.calls ?? []).map(({ id, name, args }, at) => ({
    functionCall: { name, args, ...(model.startsWith('gemini-3') && !isVertex ? { id } : {}) },
    ...(at === 0 ? signature(answer) : {}),
  }));

/** The signature of a text without calls. */
const textSignature = (answer: Success): object => (answer.calls === undefined ? signature(answer) : {});

const response = (candidate: object, counts: object, options: GeminiOptions): object => ({
  candidates: [{ ...candidate, index: 0 }],
  ...counts,
  ...envelope(options),
});

/** A whole answer. Thoughts are summarised only if the request enables it, but the signature is always sent. */
export const geminiAnswer = (answer: Success, options: GeminiOptions): object => {
  const parts = [
    ...(answer.reasoning === undefined || !options.showsThoughts ? [] : [{ text: answer.reasoning, thought: true }]),
    ...(answer.text === undefined ? [] : [{ text: answer.text, ...textSignature(answer) }]),
    ...callParts(answer, options),
  ];
  const output = answer.usage.output - reasoningTokens(answer);
  return response({ content: { parts, role: 'model' }, ...finish(answer) }, usage(answer, output), options);
};

/** The responses of a stream. The signature of a text is sent with an empty text at its end. */
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

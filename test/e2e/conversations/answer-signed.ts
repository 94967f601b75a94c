import { geminiPath } from '../../matrix/upstreams/gemini/gemini-path.ts';
import { hearGemini } from '../../matrix/upstreams/gemini/hear-gemini.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import type { Success } from '../../matrix/upstreams/wire/answer-parts.ts';
import { googleError } from '../../matrix/upstreams/wire/google-error.ts';
import { pieces } from '../../matrix/upstreams/wire/pieces.ts';

/** The signature is on the first call, or on the text: https://ai.google.dev/gemini-api/docs/thought-signatures */
const toParts = ({ reasoning, text, calls = [], signature }: Success, showsThoughts: boolean): readonly object[] => {
  const proof = { thoughtSignature: signature };
  return [
    ...(reasoning === undefined || !showsThoughts ? [] : [{ text: reasoning, thought: true }]),
    ...(text === undefined ? [] : [{ text, ...(calls.length === 0 ? proof : {}) }]),
    ...calls.map(({ id, name, args }, at) => ({ functionCall: { id, name, args }, ...(at === 0 ? proof : {}) })),
  ];
};

/** Splits a text into pieces. A signature is with the last piece. */
const streamed = (part: object): readonly object[] => {
  if (!('text' in part) || typeof part.text !== 'string') return [part];
  const { text, ...more } = part;
  const thought = 'thought' in more ? { thought: true } : {};
  const all = pieces(text, 40);
  return all.map((piece, at) => ({ text: piece, ...(at === all.length - 1 ? more : thought) }));
};

/** Answers like Gemini since version 3, which signs its calls. */
export const answerSigned: UpstreamDriver['answer'] = (call, answer, stream) => {
  const { model } = geminiPath(call.request);
  if (answer.kind === 'error') {
    call.json(googleError(answer.status, answer.message), { status: answer.status });
    return;
  }
  const { input, output } = answer.usage;
  const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output };
  const response = (parts: readonly object[], isLast: boolean): object => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}) }],
    usageMetadata,
    modelVersion: model,
    responseId: 'M3iLaY-AI7zTxN8P3Piw4Qg',
  });
  const parts = toParts(answer, hearGemini(call.request).reasoning);
  if (!stream) {
    call.json(response(parts, true));
    return;
  }
  const sse = call.sse();
  const all = parts.flatMap(streamed);
  for (const [at, part] of all.entries())
    sse.send(`data: ${JSON.stringify(response([part], at === all.length - 1))}\r\n\r\n`);
  sse.end();
};

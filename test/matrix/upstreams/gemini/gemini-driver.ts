import type { UpstreamDriver } from '../upstream-driver.ts';
import { answerInChunks } from '../wire/chunked-body.ts';
import { googleError } from '../wire/google-error.ts';
import { geminiAnswer, geminiChunks } from './answer-gemini.ts';
import { geminiPath } from './gemini-path.ts';
import { hearGemini } from './hear-gemini.ts';

/** Google's generateContent, in the Gemini API and in Vertex AI: https://ai.google.dev/api/generate-content */
export const geminiDriver: UpstreamDriver = {
  dialect: 'gemini',
  hear: hearGemini,
  proves: () => true,
  // The Gemini API reports it in the body. Vertex AI does not report it.
  sendsRetryAfter: (request) => !geminiPath(request).isVertex,
  counts: ['cached', 'reasoning'],
  answer(call, answer, stream) {
    const { model, isSse, isVertex } = geminiPath(call.request);
    if (answer.kind === 'error') {
      const error = googleError(answer.status, answer.message, isVertex ? undefined : answer.waitS);
      // A stream is a list of responses, even if it contains only an error.
      call.json(stream && isVertex ? [error] : error, { status: answer.status });
      return;
    }
    const options = { model, showsThoughts: hearGemini(call.request).reasoning, isVertex };
    if (!stream) {
      call.json(geminiAnswer(answer, options));
      return;
    }
    const chunks = geminiChunks(answer, options);
    if (!isSse) {
      const list = Buffer.from(`[${chunks.map((chunk) => JSON.stringify(chunk, null, 2)).join('\n,\r\n')}\n]`);
      answerInChunks(call, list, { type: 'application/json; charset=UTF-8', size: 111 });
      return;
    }
    const sse = call.sse();
    // Google's events end with CRLF line breaks, as in HTTP.
    for (const chunk of chunks) sse.send(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
    sse.end();
  },
};

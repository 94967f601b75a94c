import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { jobAnswer } from '../../support/vendors/job-answers.ts';
import { completionAnswer, completionStream } from '../../support/vendors/openai-completions-wire.ts';
import { responseAnswer, responseStream } from '../../support/vendors/openai-responses-wire.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const text = 'An answer.';

interface Answers {
  readonly whole: object;
  readonly frames: readonly string[];
}

const answersAt = (path: string): Answers => {
  if (path.endsWith('/messages')) return { whole: anthropicAnswer({ text }), frames: anthropicStream({ text }) };
  if (path.endsWith('/chat/completions'))
    return { whole: openaiAnswer({ text }), frames: openaiStream({ text }, { withUsage: false }) };
  if (path.endsWith('/completions')) return { whole: completionAnswer(text), frames: completionStream(text) };
  if (path.endsWith('/responses')) return { whole: responseAnswer(text), frames: responseStream(text) };
  return { whole: { verdict: true }, frames: [] };
};

/** Starts an upstream that answers like the vendor of each saved provider in a run, and like a guardrail's service. */
export const startModelUpstream = (): Promise<TestUpstream> =>
  startUpstream((call) => {
    const { method, path, body } = call.request;
    const pathname = path.replace(/\?.*/, '');
    const job = jobAnswer(method, pathname);
    if (job !== undefined) return call.json(job);
    if (method === 'POST' && pathname.endsWith('/files') && body.includes('name="file"'))
      return call.json({ id: `file-${call.connection}-${body.length}`, object: 'file' });
    const { whole, frames } = answersAt(pathname);
    if (!/"stream":\s*true/.test(body.toString())) return call.json(whole);
    const stream = call.sse();
    for (const frame of frames) stream.send(frame);
    stream.end();
  });

import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { completionAnswer, completionStream } from '../../support/vendors/openai-completions-wire.ts';
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
  return { whole: { verdict: true }, frames: [] };
};

/** An upstream that answers as each of the vendors that saved providers of a run are of, and as the service of a guardrail. */
export const startModelUpstream = (): Promise<TestUpstream> =>
  startUpstream((call) => {
    const { path, body } = call.request;
    const { whole, frames } = answersAt(path.replace(/\?.*/, ''));
    if (!/"stream":\s*true/.test(body.toString())) return call.json(whole);
    const stream = call.sse();
    for (const frame of frames) stream.send(frame);
    stream.end();
  });

import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { ContinuedBench } from '../support/continued/continued-bench.ts';
import { plainFrames } from '../support/continued/plain-frames.ts';
import { dialects, framesOfRecording, streamed } from './recorded.ts';

/** The approximate number of cuts in each recording. */
const cuts = 12;
const rest = 'and so it goes on.';

describe.skipIf(streamed.length === 0)(
  'a recorded stream that is cut (skipped if there are no recordings next to the repository)',
  () => {
    it.each(streamed.map((recording, at) => [recording.name, recording, at] as const))(
      '%s is continued as one complete answer, or ends exactly as it would without continuation',
      async (_name, recording, at) => {
        const client = dialects[at % dialects.length] ?? chat;
        const upstreams = [recording.dialect, at % 2 === 0 ? chat : messages] as const;
        const frames = framesOfRecording(recording);
        const bench = new ContinuedBench({ client, upstreams });
        const single = new ContinuedBench({ client, upstreams, config: { strategy: { mode: 'fallback' } } });
        const second = { frames: plainFrames(upstreams[1], rest), end: 'complete' } as const;
        for (let end = 1; end < frames.length; end += Math.ceil(frames.length / cuts)) {
          const first = { frames: frames.slice(0, end), end: 'cut' } as const;
          const before = await single.run([first, { frames: [], end: 'cut' }]);
          if (before.end !== 'failed') continue;
          const outcome = await bench.run([first, second]);
          const decided = outcome.trail.filter(({ kind }) => kind === 'continued' || kind === 'notContinued');
          expect(decided).toHaveLength(1);
          if (decided[0]?.kind === 'notContinued') expect(outcome.bytes).toBe(before.bytes);
          else {
            const kinds = outcome.events.map(({ kind }) => kind);
            expect([outcome.end, kinds.filter((kind) => kind === 'start' || kind === 'finish')]).toEqual([
              ...['complete', ['start', 'finish']],
            ]);
            expect(outcome.text.startsWith(before.text) && outcome.text.endsWith(rest)).toBe(true);
          }
        }
      },
    );
  },
);

import { describe, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { isSampled } from '../support/run/sampled-pairs.ts';
import { cutAt, sample } from '../support/torn/judge-cuts.ts';
import { written } from '../support/torn/torn-stream.ts';
import { framesOfRecording, streamed } from './recorded.ts';

/** The approximate number of cuts in each recording, in addition to those around its last frames. */
const cuts = 40;

describe.skipIf(streamed.length === 0)(
  'a recorded stream that is cut (skipped if there are no recordings next to the repository)',
  () => {
    it.each(streamed.map((recording, at) => [recording.name, recording, at] as const))(
      '%s reaches its clients as a whole answer or as a visibly broken one',
      async (name, recording, at) => {
        const { dialect } = recording;
        const stream = written({ name, dialect, frames: framesOfRecording(recording) });
        const lengths = sample(stream, Math.ceil(stream.bytes.length / cuts));
        const roads = [
          { client: dialect, upstream: dialect },
          { client: dialect, upstream: dialect, asksUsage: true },
          { client: dialect === chat ? messages : chat, upstream: dialect },
        ];
        for (const road of roads.filter((_, roadAt) => isSampled(at, roadAt, roads.length)))
          await cutAt(road, stream, lengths, name);
      },
    );
  },
);

import { describe, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { cutAt, sample } from '../support/torn/judge-cuts.ts';
import { written } from '../support/torn/torn-stream.ts';
import { framesOfRecording, streamed } from './recorded.ts';

/** About so many cuts of each recording, beside those around its last frames. */
const cuts = 40;

describe.skipIf(streamed.length === 0)(
  'a recorded stream that is cut (skipped where there is none beside the repository)',
  () => {
    it.each(streamed.map((recording) => [recording.name, recording] as const))(
      '%s is whole or broken to its clients',
      async (name, recording) => {
        const { dialect } = recording;
        const stream = written({ name, dialect, frames: framesOfRecording(recording) });
        const lengths = sample(stream, Math.ceil(stream.bytes.length / cuts));
        await cutAt({ client: dialect, upstream: dialect }, stream, lengths, name);
        await cutAt({ client: dialect, upstream: dialect, asksUsage: true }, stream, lengths, name);
        await cutAt({ client: dialect === chat ? messages : chat, upstream: dialect }, stream, lengths, name);
      },
    );
  },
);

import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../../../plugins/sdk/http/http.ts';
import { FrameReader } from '../../../../../runtime/engine/attempt/sessions/frame-reader.ts';
import { SessionOutlet } from '../../../../../runtime/engine/attempt/sessions/session-outlet.ts';
import { closeFrame, textFrame } from '../../../../../runtime/engine/attempt/sessions/written-frames.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';

const error = errorReport('connection-lost', { host: 'h', reason: 'it ended.' });

/** Fails a session in which these bytes were sent, and returns what its client receives after them. */
const failAfter = (bytes: Buffer, why = error) => {
  const received: Buffer[] = [];
  let end = '';
  const sink: Sink = {
    write: (chunk) => received.push(Buffer.from(chunk)) > 0,
    onDrain: () => {},
    end: () => {
      end = 'ended';
    },
    fail: () => {
      end = 'torn';
    },
  };
  const texts: string[] = [];
  const frames = new FrameReader({ maxBytes: 1000, onText: (text) => texts.push(text.toString()) });
  frames.read(bytes);
  texts.length = 0;
  new SessionOutlet(sink, frames).fail(why);
  const after = Buffer.concat(received);
  frames.read(after);
  return { end, texts, code: after.length === 0 ? undefined : after.readUInt16BE(after.indexOf(0x88) + 2) };
};

const beginning = Buffer.concat([Buffer.from([0x01, 2]), Buffer.from('{"')]);

describe('a session that fails', () => {
  it('ends with an error between messages', () => {
    const { end, texts, code } = failAfter(textFrame('{}'));
    expect([end, code]).toEqual(['ended', 1011]);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ type: 'error', error: { code: 'connection-lost' } });
  });

  it('is only closed within a message', () => {
    expect(failAfter(beginning)).toEqual({ end: 'ended', texts: [], code: 1011 });
  });

  it.each([
    ['within a frame', textFrame('{"type":"x"}').subarray(0, 5)],
    ['within the head of a frame', Buffer.from([0x81])],
    ['within the close frame', closeFrame(1000, '').subarray(0, 3)],
  ])('is torn %s', (_, bytes) => {
    expect(failAfter(bytes)).toEqual({ end: 'torn', texts: [], code: undefined });
  });

  it('ends as it was closed', () => {
    expect(failAfter(closeFrame(1000, ''))).toEqual({ end: 'ended', texts: [], code: undefined });
  });

  it.each([
    [1012, errorReport('stream-shut-down', {})],
    [1008, errorReport('unjudged-request', {})],
  ])('is closed with %i if that says why', (expected, why) => {
    expect(failAfter(textFrame('{}'), why).code).toBe(expected);
  });
});

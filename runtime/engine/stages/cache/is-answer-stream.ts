import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import { clientFraming } from '../../call/client-framing.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

/** How many bytes are read at a time. The first frames nearly always have content. */
const pieceBytes = 4096;

function* framesIn(call: LeafCall, bytes: Buffer): Iterable<Frame> {
  const splitter = framings[clientFraming(call)].createSplitter();
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield* splitter.push(bytes.subarray(at, at + pieceBytes)).frames;
  yield* splitter.rest().frames;
}

/** Whether the stream that a client received is an answer: some frame has a choice. It is read up to that frame. */
export const isAnswerStream = (call: LeafCall, bytes: Buffer): boolean => {
  const codec = call.readDialect === undefined ? undefined : findAnswerCodec(call.readDialect);
  if (codec === undefined) return true;
  const decoder = codec.streamDecoder(decodeOptions(call));
  try {
    for (const frame of framesIn(call, bytes))
      if (decoder.push(frame).some((event) => 'choice' in event && event.choice !== undefined)) return true;
    return false;
  } catch {
    return false;
  }
};

import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import { ChoiceEnds } from '../../../streams/choice-ends.ts';
import { clientFraming } from '../../call/client-framing.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

/** How many bytes at the end of a stream are read first. Nearly all answers have their finish reasons there. */
const tailBytes = 4096;

const frameEnd: Buffer = Buffer.from('\n\n');

/** Returns the frames at the end of a stream, at least one, or all of them. */
const tailOf = (bytes: Buffer): Buffer => {
  const border = bytes.length <= tailBytes ? -1 : bytes.lastIndexOf(frameEnd, bytes.length - tailBytes);
  return border === -1 ? bytes : bytes.subarray(border + frameEnd.length);
};

/** Whether all choices in the frames of a stream have their finish reason, and there are some. */
const haveFinished = (call: LeafCall, bytes: Buffer): boolean => {
  const codec = call.readDialect === undefined ? undefined : findAnswerCodec(call.readDialect);
  if (codec === undefined) return true;
  const decoder = codec.streamDecoder(decodeOptions(call));
  const splitter = framings[clientFraming(call)].createSplitter();
  const ends = new ChoiceEnds();
  try {
    for (const { frames } of [splitter.push(bytes), splitter.rest()])
      for (const frame of frames) for (const event of decoder.push(frame)) ends.note(event);
    for (const event of decoder.end()) ends.note(event);
    return ends.areWhole;
  } catch {
    return false;
  }
};

/**
 * Whether the stream that a client received is a complete answer: it has a choice, and all of its choices have finished. Some
 * services end a stream properly although it has neither. The whole stream is read only if its end does not show this.
 */
export const isAnswerStream = (call: LeafCall, bytes: Buffer): boolean => {
  const tail = clientFraming(call) === 'sse' ? tailOf(bytes) : bytes;
  return haveFinished(call, tail) || (tail.length < bytes.length && haveFinished(call, bytes));
};

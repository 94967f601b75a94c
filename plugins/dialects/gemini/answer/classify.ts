import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { Frame, FrameClass } from '../../../sdk/dialect/dialect.ts';
import type { EndFrame } from '../../../sdk/dialect/stream-usage.ts';
import { isError } from '../parts/errors.ts';
import { responseIn } from '../parts/frame.ts';
import { findBlock } from './response-decoder.ts';

export const endFrames: readonly EndFrame[] = [
  { member: ['candidates', 'finishReason'] },
  { member: ['promptFeedback', 'blockReason'] },
];

/** A first part with a text. Sticky: it matches at one position only. Inside a JSON string every quote is escaped. */
const says = /parts"\s*:\s*\[\s*\{\s*(?:"thought"\s*:\s*true\s*,\s*)?"text"\s*:\s*"[^"]/y;

const saysText = (data: string): boolean => {
  const at = data.indexOf('parts"');
  if (at < 0) return false;
  says.lastIndex = at;
  return says.test(data) && !data.includes('Reason"') && !data.includes('error"');
};

const aboutText: ReadonlySet<string> = new Set(['text', 'thought', 'thoughtSignature']);

/** Whether a part has content. A signature alone is not content that a client could show. */
const isSaid = (part: JsonObject): boolean =>
  (findText(part.text) ?? '') !== '' || Object.keys(part).some((name) => !aboutText.has(name));

const hasContent = (candidate: JsonObject): boolean => toObjects(findObject(candidate.content)?.parts).some(isSaid);

/** Returns the class of a response. This is the definition that `classify` computes cheaply. */
export const classifyResponse = (response: JsonObject | undefined): FrameClass => {
  if (response === undefined) return 'content';
  if (isError(response)) return 'error';
  const candidates = toObjects(response.candidates);
  if (candidates.some(({ finishReason }) => (findText(finishReason) ?? '') !== '')) return 'end';
  if (findBlock(response) !== undefined) return 'end';
  if (candidates.some(hasContent)) return 'content';
  return candidates.length === 0 && findObject(response.usageMetadata) !== undefined ? 'usage' : 'preamble';
};

/**
 * Returns the class of a frame. Nearly all frames are a piece of text, which is recognised without parsing. Some services end
 * their streams with [DONE], as in chat completions.
 */
export const classify = (frame: Frame): FrameClass => {
  if (saysText(frame.data)) return 'content';
  return frame.data.startsWith('[DONE]') ? 'preamble' : classifyResponse(responseIn(frame));
};

import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findText, toObjects } from '../../../schema/json/loose.ts';
import { parseJson, parseObject } from '../../../schema/json/parse-json.ts';
import type { Dialect, Frame } from './dialect.ts';
import type { EndFrame } from './stream-usage.ts';

const hasText = (value: Json | undefined, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined) return findText(value) !== undefined;
  return (isJsonObject(value) ? [value] : toObjects(value)).some((each) => hasText(each[name], rest));
};

/** Returns the name of an event. `message` counts as no name. */
const findType = ({ event }: Frame, wire: JsonObject): string | undefined =>
  event === undefined || event === 'message' ? findText(wire.type) : event;

const isOfType = (row: EndFrame, frame: Frame, wire: JsonObject | undefined): boolean => {
  if ('data' in row) return frame.data.trim() === row.data;
  if (wire === undefined) return false;
  return 'type' in row ? findType(frame, wire) === row.type : hasText(wire, row.member);
};

const isTornJson = (data: string): boolean => /^\s*[[{]/.test(data) && parseJson(data) === undefined;

/**
 * Whether a frame at the end of a body is complete although its delimiter is missing: it is one of the dialect's end frames and
 * all of its data is there, or it is an error that can be decoded.
 */
export const isWholeFrame = (frame: Frame, dialect: Dialect): boolean => {
  const kind = dialect.classify(frame);
  if (kind === 'error') return frame.data !== '' && !isTornJson(frame.data);
  const { endFrames } = dialect;
  if (endFrames === undefined) return kind !== 'content' && frame.data !== '' && !isTornJson(frame.data);
  const wire = parseObject(frame.data);
  return endFrames.some((row) => isOfType(row, frame, wire));
};

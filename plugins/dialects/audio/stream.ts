import { isJsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { Dialect, Frame } from '../../sdk/dialect/dialect.ts';

/**
 * Reads the streams of OpenAI's media operations, whose events have names such as `speech.audio.delta`. One of these events is
 * the last, and contains the usage. A stream without it was cut.
 */
export const mediaStream = (last: string): Pick<Dialect, 'classify' | 'endFrames' | 'errorMark' | 'streamUsage'> => ({
  classify({ event, data }: Frame) {
    const value = parseJson(data);
    if (event === 'error' || !isJsonObject(value)) return event === 'error' ? 'error' : 'content';
    const type = findText(value.type) ?? event;
    if (type === 'error' || isJsonObject(value.error)) return 'error';
    return type === last ? 'end' : 'content';
  },
  endFrames: [{ type: last }],
  errorMark: 'error',
  streamUsage: { mark: 'usage', spoken: [] },
});

import { findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame, FrameClass } from '../../../sdk/dialect/dialect.ts';

/** Classifies an event by its name, or by the `type` in its data if a provider omits the name. */
export const classifyByType =
  (classifyType: (type: string, data: string) => FrameClass) =>
  ({ event, data }: Frame): FrameClass => {
    if (event !== undefined && event !== 'message') return classifyType(event, data);
    const value = parseObject(data);
    return value === undefined ? 'content' : classifyType(findText(value.type) ?? '', data);
  };

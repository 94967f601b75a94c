import type { OtherPart } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';

/** Returns the value of a part that only one dialect has, if it is this dialect. */
export const ownValue = ({ dialect, value }: Omit<OtherPart, 'kind'>, own: string): JsonObject | undefined =>
  dialect === own && isJsonObject(value) ? value : undefined;

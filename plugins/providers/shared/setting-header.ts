import type { JsonObject } from '../../../schema/json/json.ts';
import type { RawHeaders } from '../../sdk/http/http.ts';
import { textSetting } from './text-setting.ts';

/** A setting as the header of requests that has it; none where it is absent. */
export const settingHeader = (settings: JsonObject, name: string, header: string): RawHeaders => {
  const value = textSetting(settings, name);
  return value === undefined ? [] : [header, value];
};

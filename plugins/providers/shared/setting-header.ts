import type { JsonObject } from '../../../schema/json/json.ts';
import type { RawHeaders } from '../../sdk/http/http.ts';
import { textSetting } from './text-setting.ts';

/** Returns a setting as a request header, or no header if the setting is absent. */
export const settingHeader = (settings: JsonObject, name: string, header: string): RawHeaders => {
  const value = textSetting(settings, name);
  return value === undefined ? [] : [header, value];
};

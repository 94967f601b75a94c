import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import type { OwnMembers } from '../../shared/request/own-members.ts';

/** https://ai.google.dev/api/generate-content#ImageConfig */
const names: ReadonlyMap<string, string> = new Map([
  ['aspect_ratio', 'aspectRatio'],
  ['image_size', 'imageSize'],
]);

const toImageConfig = (value: Json): Json =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [names.get(name) ?? name, each]))
    : value;

/** https://ai.google.dev/api/generate-content#generationconfig */
export const ownMembers: OwnMembers = new Map([
  ['imageConfig', (value) => ({ generationConfig: { imageConfig: toImageConfig(value) } })],
]);

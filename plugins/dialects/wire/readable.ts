import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import type { TextSpan } from '../../sdk/dialect.ts';

/** The types of parts and items that may have no text. */
const types: ReadonlySet<unknown> = new Set([
  'audio',
  'computer_screenshot',
  'container_upload',
  'document',
  'file',
  'image',
  'image_generation_call',
  'image_url',
  'input_audio',
  'input_file',
  'input_image',
  'video',
  'video_url',
]);

/** The members that hold the same in formats whose parts have no type. */
const members = ['audio', 'document', 'fileData', 'file_data', 'image', 'inlineData', 'inline_data', 'video'] as const;

const isMedia = (part: JsonObject): boolean =>
  types.has(part.type) || members.some((member) => isJsonObject(part[member]));

const holdsMedia = (value: Json | undefined): boolean => {
  if (Array.isArray(value)) return value.some(holdsMedia);
  return isJsonObject(value) && (isMedia(value) || Object.values(value).some(holdsMedia));
};

/**
 * The texts of what is judged. Undefined if there are none, but media, whose words no check can read: then checks that
 * may deny do so. Media beside a text are not read.
 */
export const readable = (spans: readonly TextSpan[], judged: Json | undefined): readonly TextSpan[] | undefined =>
  spans.length === 0 && holdsMedia(judged) ? undefined : spans;

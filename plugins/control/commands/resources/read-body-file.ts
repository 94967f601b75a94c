import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/pointer.ts';
import { unusable } from '../command-failure.ts';
import type { ControlServices, ReadJson } from '../services.ts';
import type { BodyFile } from './resource.ts';

/** A JSON file of a request that was read, and where its value is in the body. */
export interface FileOfBody {
  readonly name: string;
  readonly text: string;
  readonly read: ReadJson;
  readonly prefix: JsonPointer;
}

/** Reads the file of a request: standard input for `-`. */
export const readBodyFile = async (
  { member }: BodyFile,
  given: string,
  { readText, readJson }: Pick<ControlServices, 'readText' | 'readJson'>,
): Promise<FileOfBody> => {
  const name = given === '-' ? 'stdin' : given;
  const text = await readText(given);
  const prefix = member === undefined ? rootPointer : childPointer(rootPointer, member);
  return { name, text, read: readJson(text, name), prefix };
};

/** The members of the body that a file gives. Throws a `CommandFailure` for a whole body that is no object. */
export const fileMembers = (spec: BodyFile, name: string, value: Json): JsonObject => {
  const named = spec.nameAs === undefined ? {} : { [spec.nameAs]: path.basename(name).replace(/\.jsonc?$/, '') };
  if (spec.member !== undefined) return { ...named, [spec.member]: value };
  if (isJsonObject(value)) return { ...named, ...value };
  throw unusable(`${name} is not a JSON object.`, 'Write the members of the request into it, such as { "name": "…" }.');
};

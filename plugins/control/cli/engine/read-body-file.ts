import path from 'node:path';
import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { BodyFile } from '../../kernel/resource/api-command.ts';
import { unusable } from '../command-line/command-failure.ts';
import type { ControlServices, LocatedDiagnostic } from '../command-line/services.ts';

/** A file of a request that was read, and where its value is in the body. */
export interface FileOfBody {
  readonly name: string;
  readonly text: string;
  readonly prefix: JsonPointer;
  /** Undefined if it is no JSON. */
  readonly value: Json | undefined;
  /** What is wrong with it as JSON. */
  readonly diagnostics: readonly Diagnostic[];
  /** A finding at its place in the text; undefined for a file that has no places. */
  readonly locate: ((diagnostic: LocatedDiagnostic) => Diagnostic) | undefined;
}

/** Reads the file of a request: standard input for `-`. */
export const readBodyFile = async (
  { member, format }: BodyFile,
  given: string,
  { readText, readJson }: Pick<ControlServices, 'readText' | 'readJson'>,
): Promise<FileOfBody> => {
  const name = given === '-' ? 'stdin' : given;
  const text = await readText(given);
  const prefix = member === undefined ? rootPointer : childPointer(rootPointer, member);
  const about = { name, text, prefix };
  if (format === 'text') return { ...about, value: text, diagnostics: [], locate: undefined };
  const read = readJson(text, name);
  return 'locate' in read
    ? { ...about, value: read.value, diagnostics: [], locate: read.locate }
    : { ...about, value: undefined, diagnostics: read.diagnostics, locate: undefined };
};

/** The members of the body that a file gives. Throws a `CommandFailure` for a whole body that is no object. */
export const fileMembers = (spec: BodyFile, { name, value = {} }: FileOfBody): JsonObject => {
  const named = spec.nameAs === undefined ? {} : { [spec.nameAs]: path.parse(path.basename(name)).name };
  if (spec.member !== undefined) return { ...named, [spec.member]: value };
  if (isJsonObject(value)) return { ...named, ...value };
  throw unusable(`${name} is not a JSON object.`, 'Write the members of the request into it, such as { "name": "…" }.');
};

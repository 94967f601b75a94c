import path from 'node:path';
import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { ApiCommand, BodyFile, MemberFlags } from '../../kernel/resource/api-command.ts';
import type { ApiRequest } from '../client/ask-gateway.ts';
import { type ControlServices, type FlagValues, type LocatedDiagnostic, unusable } from '../command-line/services.ts';
import { flagMembers, joined } from './flag-values.ts';

/** A file of a request that was read, and where its value is in the body. */
export interface FileOfBody {
  readonly name: string;
  readonly text: string;
  readonly prefix: JsonPointer;
  /** Undefined if it is no JSON. */
  readonly value: Json | undefined;
  /** Its errors as JSON. */
  readonly diagnostics: readonly Diagnostic[];
  /** A finding at its place in the text; undefined for a file that has no places. */
  readonly locate: ((diagnostic: LocatedDiagnostic) => Diagnostic) | undefined;
}

/** The file and the flags that the members of a request came from, or could have come from. */
export interface BodyOrigin {
  /** The file that the body, or a member of it, was read from. */
  readonly file: FileOfBody | undefined;
  /** The flags of the command. */
  readonly flags: MemberFlags;
  /** The names of those that were given. */
  readonly given: ReadonlySet<string>;
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
const fileMembers = (spec: BodyFile, { name, value = {} }: FileOfBody): JsonObject => {
  const named = spec.nameAs === undefined ? {} : { [spec.nameAs]: path.parse(path.basename(name)).name };
  if (spec.member !== undefined) return { ...named, [spec.member]: value };
  if (isJsonObject(value)) return { ...named, ...value };
  throw unusable(`${name} is not a JSON object.`, 'Write the members of the request into it, such as { "name": "…" }.');
};

/** Dots alone would lead to another path. */
const toPath = (route: string, names: readonly string[]): string => {
  const given = names.values();
  return route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.next().value ?? '';
    if (/^\.{0,2}$/.test(value))
      throw unusable(`"${value}" is no ${name}.`, 'Write one that the command "list" prints.');
    return encodeURIComponent(value);
  });
};

/** A request, and where its body came from. */
export interface Prepared {
  readonly request: ApiRequest;
  readonly origin: BodyOrigin;
}

interface Arguments {
  readonly values: FlagValues;
  readonly names: readonly string[];
  readonly file: FileOfBody | undefined;
}

/** The request that the arguments of a command say. Throws a `CommandFailure`. */
export const prepareRequest = (
  { route, flags = {}, file: spec, defaults = {} }: ApiCommand,
  { values, names, file }: Arguments,
  { env }: ControlServices,
): Prepared => {
  const { body, query, headers } = flagMembers(flags, values, env);
  const ofFile = spec === undefined || file === undefined ? {} : fileMembers(spec, file);
  const method = route.slice(0, route.indexOf(' '));
  return {
    request: {
      method,
      path: toPath(route, names),
      query,
      headers,
      ...(method !== 'GET' && method !== 'DELETE' && { body: joined({ ...defaults, ...ofFile }, body) }),
    },
    origin: { file, flags, given: new Set(Object.keys(values)) },
  };
};

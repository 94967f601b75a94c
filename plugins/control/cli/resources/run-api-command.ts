import path from 'node:path';
import { escapeUnprintableJson } from '../../../../schema/json/escape-unprintable-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { ApiCommand, BodyFile, Display } from '../../kernel/resource/api-command.ts';
import { type ApiRequest, RefusalError } from '../client/ask-gateway.ts';
import { ControlPlane, callApi, completionSilentMs, streamCompletion, streamLines } from '../client/control-plane.ts';
import { gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import {
  assertUsable,
  type ControlServices,
  type ExitCode,
  type FlagValues,
  withArguments,
} from '../command-line/services.ts';
import { flagMembers, joined, namesIn, toSpec } from './flag-values.ts';
import { type BodyOrigin, type FileOfBody, formatProblems, isIncomplete } from './format-problems.ts';
import { reportRefusal } from './format-refusal.ts';
import { nearestRecord } from './nearest-record.ts';
import { display, requireShape, type WholeDisplay } from './show.ts';
import { jsonOutput, printablePart } from './texts.ts';
import { notesOfUnknown } from './unknown-names.ts';

/** Reads the file of a request: standard input for `-`. */
const readBodyFile = async (
  { member, format }: BodyFile,
  given: string,
  { readText, readJson }: ControlServices,
): Promise<FileOfBody> => {
  const text = await readText(given);
  const name = given === '-' ? 'stdin' : given;
  const prefix = member === undefined ? rootPointer : childPointer(rootPointer, member);
  return { name, text, prefix, ...(format === 'text' ? { value: text } : readJson(text, name)) };
};

/**
 * Returns the members of the body that a file sets. Throws a `CommandFailure` if the file is the whole body and not an object.
 */
const fileMembers = (spec: BodyFile, { name, value = {} }: FileOfBody): JsonObject => {
  const named = spec.nameAs === undefined ? {} : { [spec.nameAs]: path.parse(path.basename(name)).name };
  if (spec.member !== undefined) return { ...named, [spec.member]: value };
  assertUsable(
    isJsonObject(value),
    `${name} is not a JSON object.`,
    'Write the members of the request into it, such as { "name": "…" }.',
  );
  return { ...named, ...value };
};

type Names = Readonly<Record<string, string>>;

/** Fills in the path of a route. A name of dots only would lead to another path, and no record has a name with a slash. */
const toPath = (route: string, names: Names): string =>
  route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = names[name] ?? '';
    assertUsable(
      !/^\.{0,2}$|\//.test(value),
      `"${value}" is not a valid ${name}.`,
      'Write one that the command "list" prints.',
    );
    return encodeURIComponent(value);
  });

/** Creates the request for the arguments of a command. Throws a `CommandFailure`. */
const toRequest = (
  { route, flags = {}, file: spec, defaults = {} }: ApiCommand,
  {
    values,
    names,
    file,
  }: { readonly values: FlagValues; readonly names: Names; readonly file: FileOfBody | undefined },
  { env }: ControlServices,
): ApiRequest => {
  const { body, query, headers } = flagMembers(flags, values, env);
  const ofFile = spec === undefined || file === undefined ? {} : fileMembers(spec, file);
  const method = route.slice(0, route.indexOf(' '));
  return {
    ...{ method, path: toPath(route, names), query, headers },
    ...(method !== 'GET' && method !== 'DELETE' && { body: joined({ ...defaults, ...ofFile }, body) }),
  };
};

interface Asking {
  readonly plane: ControlPlane;
  readonly request: ApiRequest;
  readonly origin: BodyOrigin;
  readonly names: Names;
  readonly services: ControlServices;
  /** Whether `--format human` was given. */
  readonly isText: boolean;
}

/**
 * Returns the exit code for a response: a dry run fails if saving would fail, and a trial fails if the tried object does not
 * work.
 */
const toExitCode = ({ problems = [], hasFailed = false }: ReturnType<typeof display>): ExitCode =>
  hasFailed || problems.some(({ severity }) => severity === 'error') ? 1 : 0;

const showWhole = async (how: WholeDisplay, asking: Asking): Promise<ExitCode> => {
  const { plane, request, names, origin, services, isText } = asking;
  const { out, err, isTerminal, columns } = services;
  const answer = await callApi(plane, request);
  requireShape(how, answer, names);
  const shown = display(how, answer, {
    ...{
      names,
      query: request.query ?? {},
      width: isTerminal ? columns : undefined,
      isForPeople: isTerminal || isText,
    },
  });
  err.write(formatProblems(shown.problems ?? [], origin, services));
  if (shown.out !== undefined) out.write(shown.out);
  const unknown =
    shown.isEmpty === true ? await notesOfUnknown({ plane, services, flags: origin.flags }, request.query ?? {}) : [];
  for (const note of [...(shown.notes ?? []), ...unknown]) err.write(`gw: ${note}\n`);
  return toExitCode(shown);
};

const asStream = (request: ApiRequest, stream: boolean): ApiRequest => ({
  ...request,
  body: { ...request.body, stream },
});

const showCompletion = async ({ plane, request, services: { out, err } }: Asking): Promise<ExitCode> => {
  let last = '';
  const write = (text: string): void => {
    const seen = printablePart(text);
    last = seen.at(-1) ?? last;
    out.write(seen);
  };
  try {
    await streamCompletion(plane, asStream(request, true), write);
  } finally {
    if (last !== '' && last !== '\n') out.write('\n');
  }
  if (last === '') err.write('gw: The answer has no text. Show the whole answer with --format json.\n');
  return 0;
};

const showJson = async (
  shows: Exclude<Display, { readonly as: 'lines' }>,
  { plane, request, names, services }: Asking,
): Promise<ExitCode> => {
  const print = (answer: Json): void => services.out.write(jsonOutput(answer));
  try {
    if (shows.as === 'completion') {
      print(await callApi(plane, asStream(request, false), { silentMs: completionSilentMs }));
      return 0;
    }
    const answer = await callApi(plane, request);
    requireShape(shows, answer, names);
    print(answer);
    return toExitCode(display(shows, answer, { names, width: undefined }));
  } catch (error) {
    if (error instanceof RefusalError) print(error.refusal.body);
    throw error;
  }
};

const show = async (shows: Display, asking: Asking, isJson: boolean): Promise<ExitCode> => {
  if (shows.as === 'lines') {
    await streamLines(asking.plane, asking.request, (text) => asking.services.out.write(escapeUnprintableJson(text)));
    return 0;
  }
  if (isJson) return showJson(shows, asking);
  return shows.as === 'completion' ? showCompletion(asking) : showWhole(shows, asking);
};

const findDisplay = ({ shows, alone }: ApiCommand, { format }: FlagValues): Display =>
  alone !== undefined && format === alone ? { as: 'json', member: alone } : shows;

/** Returns a file as a word of a command line, or FILE if a shell would interpret characters of its name. */
const asWord = (file: string | undefined): string | undefined =>
  file === undefined || /^[\w./+-]+$/.test(file) ? file : 'FILE';

/** Runs one command of the API. Throws the error that ends a command which cannot be run. */
export const runApiCommand = (
  services: ControlServices,
  { name, command }: { readonly name: string; readonly command: ApiCommand },
  argv: readonly string[],
): Promise<ExitCode> => {
  refuseKeyFlag(argv, Object.keys(command.flags ?? {}));
  return withArguments(services, toSpec(name, command), argv, async ({ values, positionals }) => {
    const members = namesIn(command.route);
    const names = Object.fromEntries(members.map((member, at) => [member, positionals[at] ?? '']));
    const given = positionals[members.length];
    const access = await gatewayAccess(services, values);
    const file = command.file && given !== undefined ? await readBodyFile(command.file, given, services) : undefined;
    if (file?.diagnostics !== undefined) {
      const about = { text: file.text, colour: services.err.colour };
      services.err.write(file.diagnostics.map((each) => `${services.render(each, about)}\n\n`).join(''));
      return 1;
    }
    const request = toRequest(command, { values, names, file }, services);
    assertUsable(
      !name.endsWith(' update') || Object.keys(request.body ?? {}).length > 0,
      `${name} needs a flag or a file with what to change.`,
      `See ${name} --help.`,
    );
    const origin: BodyOrigin = {
      ...{ file, flags: command.flags ?? {}, given: new Set(Object.keys(values)) },
      again: name.endsWith(' create') ? asWord(given) : undefined,
    };
    let plane: ControlPlane | undefined;
    try {
      plane = await ControlPlane.find(access);
      const isText = values.format === 'human';
      return await show(
        findDisplay(command, values),
        { plane, request, origin, names, services, isText },
        values.format === 'json',
      );
    } catch (error) {
      const code = reportRefusal(error, { access, origin }, services);
      const isMissing = error instanceof RefusalError && error.refusal.status === 404;
      const nearest = isMissing && plane !== undefined ? await nearestRecord(plane, command.route, names) : undefined;
      if (nearest !== undefined) services.err.write(`gw: Did you mean "${nearest}"?\n`);
      if (command.file?.example !== undefined && isIncomplete(error, origin))
        services.err.write(`gw: ${name} --help shows a complete ${command.file.name}.\n`);
      return code;
    }
  });
};

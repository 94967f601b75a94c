import type { Json } from '../../../../schema/json/json.ts';
import { seenJson } from '../../../../schema/json/seen-json.ts';
import type { ApiCommand, Display } from '../../kernel/resource/api-command.ts';
import { type ApiRequest, RefusalError } from '../client/ask-gateway.ts';
import { ControlPlane, callApi, completionSilentMs, streamCompletion, streamLines } from '../client/control-plane.ts';
import { gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import { type ControlServices, type ExitCode, unusable, withArguments } from '../command-line/services.ts';
import { jsonOutput, printablePart } from '../show/printable.ts';
import { display, requireShape, type WholeDisplay } from '../show/show.ts';
import { namesIn, toSpec } from './flag-values.ts';
import { formatProblems, reportRefusal } from './format-refusal.ts';
import { type Prepared, prepareRequest, readBodyFile } from './prepare-request.ts';

interface Asking {
  readonly plane: ControlPlane;
  readonly prepared: Prepared;
  readonly names: Readonly<Record<string, string>>;
  readonly services: ControlServices;
}

/** Gives the exit code of an answer with problems: a dry run fails where saving would. */
const toExitCode = (problems: readonly { readonly severity: string }[]): ExitCode =>
  problems.some(({ severity }) => severity === 'error') ? 1 : 0;

const showWhole = async (how: WholeDisplay, { plane, prepared, names, services }: Asking): Promise<ExitCode> => {
  const { out, err, isTerminal, columns } = services;
  const answer = await callApi(plane, prepared.request);
  requireShape(how, answer, names);
  const { problems = [], ...shown } = display(how, answer, { names, width: isTerminal ? columns : undefined });
  err.write(formatProblems(problems, prepared.origin, services));
  if (shown.out !== undefined) out.write(shown.out);
  if (shown.note !== undefined) err.write(`gw: ${shown.note}\n`);
  return toExitCode(problems);
};

const asStream = (request: ApiRequest, stream: boolean): ApiRequest => ({
  ...request,
  body: { ...request.body, stream },
});

const showCompletion = async ({ plane, prepared, services: { out, err } }: Asking): Promise<ExitCode> => {
  let last = '';
  const write = (text: string): void => {
    const seen = printablePart(text);
    last = seen.at(-1) ?? last;
    out.write(seen);
  };
  try {
    await streamCompletion(plane, asStream(prepared.request, true), write);
  } finally {
    if (last !== '' && last !== '\n') out.write('\n');
  }
  if (last === '') err.write('gw: The answer has no text. See all of it with --format json.\n');
  return 0;
};

const showJson = async (
  shows: Exclude<Display, { readonly as: 'lines' }>,
  { plane, prepared, names, services }: Asking,
): Promise<ExitCode> => {
  const print = (answer: Json): void => services.out.write(jsonOutput(answer));
  try {
    if (shows.as === 'completion') {
      print(await callApi(plane, asStream(prepared.request, false), { silentMs: completionSilentMs }));
      return 0;
    }
    const answer = await callApi(plane, prepared.request);
    requireShape(shows, answer, names);
    print(answer);
    return toExitCode(display(shows, answer, { names, width: undefined }).problems ?? []);
  } catch (error) {
    if (error instanceof RefusalError) print(error.refusal.body);
    throw error;
  }
};

const show = async ({ shows }: ApiCommand, asking: Asking, isJson: boolean): Promise<ExitCode> => {
  const { plane, prepared, services } = asking;
  if (shows.as === 'lines') {
    await streamLines(plane, prepared.request, (text) => services.out.write(seenJson(text)));
    return 0;
  }
  if (isJson) return showJson(shows, asking);
  return shows.as === 'completion' ? showCompletion(asking) : showWhole(shows, asking);
};

/** Runs one command of the API. Throws what ends a command that cannot be run. */
export const runApiCommand = (
  services: ControlServices,
  { name, command }: { readonly name: string; readonly command: ApiCommand },
  argv: readonly string[],
): Promise<ExitCode> => {
  refuseKeyFlag(argv);
  return withArguments(services, toSpec(name, command), argv, async ({ values, positionals }) => {
    const members = namesIn(command.route);
    const names = positionals.slice(0, members.length);
    const given = positionals[names.length];
    const access = await gatewayAccess(services, values);
    const file =
      command.file === undefined || given === undefined ? undefined : await readBodyFile(command.file, given, services);
    if (file !== undefined && file.diagnostics.length > 0) {
      const about = { text: file.text, colour: services.err.colour };
      services.err.write(file.diagnostics.map((each) => `${services.render(each, about)}\n\n`).join(''));
      return 1;
    }
    const prepared = prepareRequest(command, { values, names, file }, services);
    if (name.endsWith(' update') && Object.keys(prepared.request.body ?? {}).length === 0)
      throw unusable(`${name} was given nothing to change.`, `See ${name} --help.`);
    const named = Object.fromEntries(members.map((member, at) => [member, names[at] ?? '']));
    try {
      const plane = await ControlPlane.find(access);
      return await show(command, { plane, prepared, names: named, services }, values.format === 'json');
    } catch (error) {
      return reportRefusal(error, { access, origin: prepared.origin }, services);
    }
  });
};

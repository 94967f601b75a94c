import { RefusalError } from '../client/api-refusal.ts';
import { type ApiRequest, callApi } from '../client/call-api.ts';
import {
  accessFlags,
  accessNotes,
  type GatewayAccess,
  gatewayAccess,
  refuseKeyFlag,
} from '../client/gateway-access.ts';
import { unusable } from '../command-failure.ts';
import type { CommandSpec, ControlServices, ExitCode, FlagSpec, FlagValues } from '../services.ts';
import { jsonOutput } from '../show/json-output.ts';
import { flagMembers } from './flag-values.ts';
import { type FileOfBody, fileMembers, readBodyFile } from './read-body-file.ts';
import type { ApiCommand, MemberFlag } from './resource.ts';
import { toldFindings, toldRefusal } from './told-refusal.ts';

const formatFlag = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'Text for people, or the JSON that the gateway answers.',
} as const;

const flagSpec = ({ form, value, describe, choices }: MemberFlag): FlagSpec => ({
  type: form === 'yes' ? 'boolean' : 'string',
  describe,
  ...(value !== undefined && { value }),
  ...(choices !== undefined && { choices }),
});

const namesIn = (route: string): readonly string[] => [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The command line of a command, from its row. */
export const specOf = (name: string, { summary, route, flags = {}, file, notes }: ApiCommand): CommandSpec => {
  const names = namesIn(route).map((each) => each.toUpperCase());
  const files = file === undefined ? [] : [file.optional === true ? `[${file.name}]` : file.name];
  const most = names.length + files.length;
  return {
    name,
    summary,
    positionals: [...names, ...files].join(' '),
    takes: { least: file?.optional === true ? most - 1 : most, most },
    options: {
      ...Object.fromEntries(Object.entries(flags).map(([flag, each]) => [flag, flagSpec(each)])),
      format: formatFlag,
      ...accessFlags,
    },
    notes: [...(notes === undefined ? [] : [notes, '']), accessNotes].join('\n'),
  };
};

/** Dots alone would lead to another path. */
const pathOf = (route: string, names: readonly string[]): string => {
  const given = names.values();
  return route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.next().value ?? '';
    if (/^\.{0,2}$/.test(value))
      throw unusable(`"${value}" is no ${name}.`, 'Write one that the command "list" prints.');
    return encodeURIComponent(value);
  });
};

interface Prepared {
  readonly request: ApiRequest;
  readonly file: FileOfBody | undefined;
  readonly ofFlags: ReadonlySet<string>;
}

interface Arguments {
  readonly values: FlagValues;
  readonly names: readonly string[];
  readonly file: FileOfBody | undefined;
}

const prepared = (
  { route, flags = {}, file: spec, defaults = {} }: ApiCommand,
  { values, names, file }: Arguments,
  { env }: ControlServices,
): Prepared => {
  const { body, query } = flagMembers(flags, values, env);
  const value = file === undefined || !('locate' in file.read) ? undefined : file.read.value;
  const ofFile =
    spec === undefined || file === undefined || value === undefined ? {} : fileMembers(spec, file.name, value);
  const method = route.slice(0, route.indexOf(' '));
  return {
    request: {
      method,
      path: pathOf(route, names),
      query,
      ...(method !== 'GET' && method !== 'DELETE' && { body: { ...defaults, ...ofFile, ...body } }),
    },
    file,
    ofFlags: new Set(Object.keys(body)),
  };
};

const ask = async (
  command: ApiCommand,
  { request, file, ofFlags }: Prepared,
  {
    access,
    json,
    names,
    services,
  }: { access: GatewayAccess; json: boolean; names: readonly string[]; services: ControlServices },
): Promise<ExitCode> => {
  const { out, err, isTerminal, columns } = services;
  try {
    const answer = await callApi(access, request);
    if (json) out.write(jsonOutput(answer));
    else {
      const shown = command.show(answer, { names, width: isTerminal ? columns : undefined });
      err.write(toldFindings(shown.findings ?? [], file, services));
      if (shown.out !== undefined) out.write(shown.out);
      if (shown.note !== undefined) err.write(`gw: ${shown.note}\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    if (json) out.write(jsonOutput(error.refusal.body));
    err.write(toldRefusal(error.refusal, { file, ofFlags, hasKey: access.key !== undefined }, services));
    return 1;
  }
};

/** Runs one command of the API. Throws what ends a command that cannot be run. */
export const runApiCommand = async (
  services: ControlServices,
  { name, command }: { readonly name: string; readonly command: ApiCommand },
  argv: readonly string[],
): Promise<ExitCode> => {
  refuseKeyFlag(argv);
  const spec = specOf(name, command);
  const { help, values, positionals } = services.parse(spec, argv);
  if (help) {
    services.out.write(services.help(spec));
    return 0;
  }
  const names = positionals.slice(0, namesIn(command.route).length);
  const given = positionals[names.length];
  const access = await gatewayAccess(services, values);
  const file =
    command.file === undefined || given === undefined ? undefined : await readBodyFile(command.file, given, services);
  const wrong = file !== undefined && 'diagnostics' in file.read ? file.read.diagnostics : [];
  if (file !== undefined && wrong.length > 0) {
    const { colour } = services.err;
    services.err.write(wrong.map((each) => `${services.render(each, { text: file.text, colour })}\n\n`).join(''));
    return 1;
  }
  const json = values.format === 'json';
  return ask(command, prepared(command, { values, names, file }, services), { access, json, names, services });
};

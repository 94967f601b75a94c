import { type ApiRefusal, RefusalError } from '../client/api-refusal.ts';
import { callApi } from '../client/call-api.ts';
import { type GatewayAccess, gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import type { ControlServices, ExitCode } from '../services.ts';
import { jsonOutput } from '../show/json-output.ts';
import { printable } from '../show/printable.ts';
import { type Prepared, prepareRequest } from './prepare-request.ts';
import { readBodyFile } from './read-body-file.ts';
import type { ApiCommand } from './resource.ts';
import { namesIn, specOf } from './spec-of.ts';
import { type BodyOrigin, toldProblems } from './told-problems.ts';

interface Asking {
  readonly access: GatewayAccess;
  readonly json: boolean;
  readonly names: readonly string[];
  readonly services: ControlServices;
}

const toldRefusal = (
  { status, message, problems }: ApiRefusal,
  { origin, access, services }: Pick<Asking, 'access' | 'services'> & { readonly origin: BodyOrigin },
): string => {
  if (problems.length > 0) return toldProblems(problems, origin, services);
  const key = access.key === undefined ? 'Set' : 'Correct';
  return `gw: ${printable(message)}${status === 401 ? ` ${key} GW_API_KEY, or name a profile with --profile.` : ''}\n`;
};

const ask = async (
  command: ApiCommand,
  { request, origin }: Prepared,
  { access, json, names, services }: Asking,
): Promise<ExitCode> => {
  const { out, err, isTerminal, columns } = services;
  try {
    const answer = await callApi(access, request);
    const shown = command.show(answer, { names, width: isTerminal ? columns : undefined });
    const { problems = [] } = shown;
    if (json) out.write(jsonOutput(answer));
    else {
      err.write(toldProblems(problems, origin, services));
      if (shown.out !== undefined) out.write(shown.out);
      if (shown.note !== undefined) err.write(`gw: ${shown.note}\n`);
    }
    return problems.some(({ severity }) => severity === 'error') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    if (json) out.write(jsonOutput(error.refusal.body));
    err.write(toldRefusal(error.refusal, { origin, access, services }));
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
  return ask(command, prepareRequest(command, { values, names, file }, services), { access, json, names, services });
};

import type { CommandSpec, CommandTree } from '../../../../schema/command-help/command-spec.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { RefusalError, toProblems } from '../client/ask-gateway.ts';
import { ControlPlane, callApi, callWithEtag } from '../client/control-plane.ts';
import { accessFlags, accessNotes, gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import {
  assertUsable,
  type ControlServices,
  type ExitCode,
  type FlagValues,
  findFlagText,
  runFailure,
  usageFailure,
  withArguments,
} from '../command-line/services.ts';
import { formatProblems, noOrigin } from './format-problems.ts';
import { reportRefusal } from './format-refusal.ts';
import { jsonOutput, printable, printableText } from './texts.ts';

const spec: CommandSpec = {
  name: 'gw configs rollback',
  summary: 'Shows what an earlier version of a config changes for requests, and puts it back in service.',
  positionals: 'SLUG',
  takes: { min: 1, max: 1 },
  options: {
    to: {
      type: 'string',
      value: 'N',
      describe: 'The number of the version; the one before the version in service if absent.',
    },
    'dry-run': { type: 'boolean', describe: 'Show what would change, without changing anything.' },
    yes: { type: 'boolean', describe: 'Do not ask for confirmation.' },
    format: { type: 'string', choices: ['human', 'json'], describe: 'Text for people, or one JSON document.' },
    ...accessFlags,
  },
  examples: ['gw configs rollback support --dry-run', 'gw configs rollback support --to 1 --yes'],
  notes: [
    'The version is saved again as a new one, with its secrets, so that a rollback can itself be rolled back. It is compiled',
    'first, and refused if it names records that no longer exist. gw configs versions lists the versions.',
    '',
    'In a terminal it asks for confirmation, and elsewhere it requires --yes. If somebody else changes the config meanwhile, the',
    'rollback is not applied.',
    '',
    accessNotes,
    '',
    'Exit code: 0 done, or nothing to do; 1 it was refused, or not confirmed; 2 the command cannot be run.',
  ].join('\n'),
};

export const rollbackTree: CommandTree = { spec };

const toVersion = (text: string | undefined, inService: number): number => {
  if (text !== undefined && !/^[1-9]\d{0,3}$/.test(text))
    throw usageFailure(
      `The flag --to cannot be "${text}".`,
      'It takes the number of a version: gw configs versions lists them.',
    );
  const version = text === undefined ? inService - 1 : Number(text);
  if (version < 1)
    throw runFailure('There is no version before the one in service.', 'Save another one: gw configs update.');
  return version;
};

interface Rollback {
  readonly plane: ControlPlane;
  readonly path: string;
  readonly version: number;
  readonly etag: string | undefined;
}

/** Requests the change. With `isDry` nothing is saved. */
const change = async ({ plane, path, version, etag }: Rollback, isDry: boolean): Promise<JsonObject> => {
  const headers = etag === undefined ? {} : { 'if-match': etag };
  const query = isDry ? { dry_run: 'true' } : {};
  const answer = await callApi(plane, { method: 'PUT', path, query, headers, body: { version } });
  return findObject(answer) ?? {};
};

interface Tried {
  readonly hasErrors: boolean;
  readonly answer: JsonObject;
}

/** Reports what would change, and what is wrong with the version. */
const tryOut = async (
  wanted: Rollback,
  isJson: boolean,
  services: Pick<ControlServices, 'out' | 'err' | 'render'>,
): Promise<Tried> => {
  const answer = await change(wanted, true);
  const problems = toProblems(answer.diagnostics);
  if (!isJson) {
    const text = findText(findObject(answer.comparison)?.text) ?? 'The versions could not be compared.';
    services.out.write(printableText(text.trimEnd()));
    services.err.write(formatProblems(problems, noOrigin, services));
  }
  return { hasErrors: problems.some(({ severity }) => severity === 'error'), answer };
};

/** Puts another version in service, and returns the exit code. */
const restore = async (
  wanted: Rollback,
  { slug, inService, values }: { readonly slug: string; readonly inService: number; readonly values: FlagValues },
  services: ControlServices,
): Promise<ExitCode> => {
  const { out, err, ask } = services;
  const { version } = wanted;
  const [isDry, isJson] = [values['dry-run'] === true, values.format === 'json'];
  const print = (answer: JsonObject): void => out.write(jsonOutput({ slug, from: inService, to: version, ...answer }));
  const { hasErrors, answer } = await tryOut(wanted, isJson, services);
  if (isJson && (hasErrors || isDry)) print(answer);
  if (hasErrors)
    throw runFailure(
      `Version ${version} now has errors, so nothing was changed.`,
      'Save the records that it names again, or choose another version with --to.',
    );
  const isWanted = !isDry && (values.yes === true || (await ask?.(`Put version ${version} in service?`)) === true);
  if (!isWanted) {
    if (!isJson) err.write('gw: Nothing was changed.\n');
    return isDry ? 0 : 1;
  }
  const saved = await change(wanted, false);
  if (isJson) print(saved);
  else out.write(printableText(`Version ${version} of ${slug} is in service again, as version ${inService + 1}.`));
  return 0;
};

const run = async (services: ControlServices, values: FlagValues, slug: string): Promise<ExitCode> => {
  const access = await gatewayAccess(services, values);
  try {
    const plane = await ControlPlane.find(access);
    const path = `/configs/${encodeURIComponent(slug)}`;
    const { body, etag } = await callWithEtag(plane, { method: 'GET', path });
    const inService = findNumber(findObject(body)?.version) ?? 1;
    const version = toVersion(findFlagText(values.to), inService);
    if (version !== inService)
      return await restore({ plane, path, version, etag }, { slug, inService, values }, services);
    services.err.write(printableText(`gw: Version ${version} of ${slug} is in service.`));
    return 0;
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.status === 412)
      throw runFailure(
        `${printable(slug)} was changed meanwhile, so the rollback was not applied.`,
        'Check the change, and run the command again.',
      );
    return reportRefusal(error, { access, origin: noOrigin }, services);
  }
};

/** `gw configs rollback`. Throws a `CommandFailure`. */
export const rollback = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  refuseKeyFlag(argv);
  return withArguments(services, spec, argv, async ({ values, positionals: [slug = ''] }) => {
    assertUsable(!/^\.{0,2}$/.test(slug), `"${slug}" is not a valid slug.`, 'Use a slug that gw configs list prints.');
    assertUsable(
      values['dry-run'] === true || values.yes === true || services.ask !== undefined,
      'Confirmation is required, but there is no terminal.',
      'Add --yes, or --dry-run to see only what would change.',
    );
    return run(services, values, slug);
  });
};

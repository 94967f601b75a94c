import path from 'node:path';
import type { CommandSpec, CommandTree } from '../../../../schema/command-help/command-spec.ts';
import { accessNotes, gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import {
  assertUsable,
  type ControlServices,
  type ExitCode,
  type FlagValues,
  findFlagText,
  withArguments,
} from '../command-line/services.ts';
import { noOrigin } from '../resources/format-problems.ts';
import { reportRefusal } from '../resources/format-refusal.ts';
import { makePlan } from './changes/make-plan.ts';
import { noteUnknownNames, readNames } from './changes/names.ts';
import { orderSteps } from './changes/order.ts';
import { formatPlan } from './changes/show-plan.ts';
import type { Step, WantedRecord } from './changes/step.ts';
import { checkFile, noteSharedNames, withName } from './folder/check-files.ts';
import { Problems } from './folder/problems.ts';
import { type ReadFolder, readFolder } from './folder/read-folder.ts';
import { findReferences } from './folder/references.ts';
import { noteWrittenSecrets, SecretReader } from './folder/secrets.ts';
import { KeysFile } from './keys-file.ts';
import { type Place, toKey } from './kinds/kind.ts';
import { normalise, workspaceKind } from './kinds/kinds.ts';
import { readingScopes, requireScopes, writingScopes } from './needed-scopes.ts';
import { runPlan } from './run-plan.ts';
import { ApplyApi, type Caller } from './store/api.ts';
import { Ownership } from './store/ownership.ts';
import { StoreReader } from './store/read-store.ts';
import { targetFlags } from './target-flags.ts';
import { tryOut } from './try-out.ts';

const detailed = 'detailed-exitcode';

const spec: CommandSpec = {
  name: 'gw apply',
  summary: 'Applies the files of a folder to the store of a gateway.',
  positionals: 'FOLDER',
  takes: { min: 1, max: 1 },
  options: {
    'dry-run': { type: 'boolean', describe: 'Show the plan without carrying it out.' },
    prune: {
      type: 'boolean',
      describe: 'Delete records that an earlier apply of the folder created and that are no longer in the folder.',
    },
    'keys-file': {
      type: 'string',
      value: 'PATH',
      describe: 'The file for new service keys, one on each line, readable only by you.',
    },
    [detailed]: {
      type: 'boolean',
      describe: 'Exit with 0 if there was nothing to do, 2 if there was, and 1 for any error.',
    },
    ...targetFlags,
  },
  notes: [
    'The plan is printed and then carried out without confirmation, unless --dry-run is given.',
    'Secrets are references in files: "${env:NAME}" and "${file:PATH}".',
    '',
    accessNotes,
  ].join('\n'),
  examples: ['gw apply store --dry-run'],
};

export const applyTree: CommandTree = { spec };

/** Checks the files by themselves, and reads their secrets. */
const toWanted = async (
  { files }: ReadFolder,
  services: ControlServices,
  problems: Problems,
): Promise<readonly WantedRecord[]> => {
  const now = Date.now();
  const formed = files.filter((each) => checkFile(each, problems, now));
  noteSharedNames(files, problems);
  noteWrittenSecrets(files, problems);
  const reader = new SecretReader(services);
  const wanted: WantedRecord[] = [];
  for (const each of formed) {
    const secrets = await reader.read(each, problems);
    const body = normalise(each.kind, withName(each.kind, each.handle, each.body));
    wanted.push({ ...each, body, secrets, references: findReferences(each.kind, body) });
  }
  return wanted;
};

/** Reports files that a key of one workspace cannot reach. */
const noteUnreached = (wanted: readonly WantedRecord[], { reach, workspace }: Caller, problems: Problems): void => {
  if (reach === 'organisation') return;
  const isReached = (place: Place): boolean => place !== null && place === workspace;
  for (const { path, kind, place, handle } of wanted)
    if (kind === workspaceKind ? handle !== workspace : !isReached(place))
      problems.note(path, `Your key reaches only the workspace "${workspace}".`, 'Use a key of the organisation.');
};

/** Reports folders of workspaces that neither exist in the store nor are created. */
const noteUnknownWorkspaces = async (
  { workspaces }: ReadFolder,
  wanted: readonly WantedRecord[],
  reader: StoreReader,
  problems: Problems,
) => {
  const keys = new Set(wanted.map(({ key }) => key));
  for (const slug of workspaces) {
    const key = toKey(workspaceKind, null, slug);
    if (!keys.has(key) && !(await reader.hasWorkspace(slug)))
      problems.note(key, `There is no workspace "${slug}".`, `Write ${key}.json to create it, or rename the folder.`);
  }
};

interface Planned {
  readonly steps: readonly Step[];
  /** The warnings that the gateway will give for the steps. */
  readonly warnings: Problems;
  readonly run: (keysFile: string | undefined) => Promise<ExitCode>;
}

/** Creates the plan; undefined if something is wrong, which is then in `problems`. */
const plan = async (
  folder: ReadFolder,
  wanted: readonly WantedRecord[],
  {
    api,
    root,
    prune,
    services,
    problems,
  }: { api: ApplyApi; root: string; prune: boolean; services: ControlServices; problems: Problems },
): Promise<Planned | undefined> => {
  const caller = await api.caller();
  noteUnreached(wanted, caller, problems);
  if (problems.count > 0) return undefined;
  const used = new Set([workspaceKind, ...wanted.map(({ kind }) => kind)]);
  requireScopes(caller, ['applies.read', ...readingScopes(used)], 'read the records that the folder describes');
  const reader = new StoreReader(api);
  const ownership = await Ownership.read(api, folder.name, caller);
  const { owned } = ownership;
  if (prune)
    requireScopes(
      caller,
      readingScopes([...owned.values()].map(({ kind }) => kind)),
      'read the records that were created before',
    );
  await noteUnknownWorkspaces(folder, wanted, reader, problems);
  const names = await readNames(reader, { wanted, owned, organisation: caller.organisation });
  noteUnknownNames({ wanted, owned, prune }, names, problems);
  const secrets = wanted.filter((each) => each.secrets.size > 0).map(({ kind }) => kind.scopes.update);
  requireScopes(caller, secrets, 'compare secrets');
  const made = await makePlan({ api, reader, problems }, { wanted, owned, prune, names });
  const steps = orderSteps(made, problems);
  if (problems.count > 0) return undefined;
  const warnings = new Problems();
  if (steps.length > 0) {
    requireScopes(caller, ['applies.create', 'applies.update', ...writingScopes(steps)], 'carry out the plan');
    await tryOut({ api, reader, names, problems, warnings }, steps);
  }
  if (problems.count > 0) return undefined;
  return {
    steps,
    warnings,
    async run(keysFile) {
      const makesKeys = steps.some(
        ({ action, kind }) => kind.folder === 'keys' && (action === 'create' || action === 'replace'),
      );
      assertUsable(
        !makesKeys || keysFile !== undefined,
        'The plan creates service keys, which are shown only once.',
        'Set the file for them: --keys-file PATH.',
      );
      const keys =
        makesKeys && keysFile !== undefined
          ? await KeysFile.open(keysFile, { cwd: services.cwd, folder: root })
          : undefined;
      try {
        return await runPlan(steps, { api, names, ownership, keys, services });
      } finally {
        await keys?.close();
      }
    },
  };
};

const apply = async (services: ControlServices, given: string, values: FlagValues): Promise<ExitCode> => {
  const problems = new Problems();
  const fail = (): ExitCode => {
    services.err.write(problems.format(services));
    services.err.write('gw: Nothing was changed.\n');
    return 1;
  };
  const access = await gatewayAccess(services, values);
  const folder = await readFolder(given, services, problems);
  const wanted = await toWanted(folder, services, problems);
  if (problems.count > 0) return fail();
  const root = path.resolve(services.cwd, given);
  try {
    const api = await ApplyApi.find(access);
    const planned = await plan(folder, wanted, { api, root, prune: values.prune === true, services, problems });
    if (planned === undefined) return fail();
    const { steps, warnings, run } = planned;
    services.out.write(formatPlan(steps));
    if (steps.length === 0) return 0;
    const isDry = values['dry-run'] === true;
    if (isDry) services.err.write(warnings.format(services));
    const code = isDry ? 0 : await run(findFlagText(values['keys-file']));
    return code === 0 && values[detailed] === true ? 2 : code;
  } catch (error) {
    return reportRefusal(error, { access, origin: noOrigin }, services);
  }
};

const hasHint = (error: unknown): error is Error & { readonly hint: string } =>
  error instanceof Error && 'hint' in error && typeof error.hint === 'string';

/** `gw apply FOLDER`. */
export const runApply = async (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  refuseKeyFlag(argv);
  try {
    return await withArguments(services, spec, argv, ({ values, positionals: [given = ''] }) =>
      apply(services, given, values),
    );
  } catch (error) {
    // With `--detailed-exitcode`, 2 means that there was something to do.
    if (!argv.includes(`--${detailed}`) || !hasHint(error)) throw error;
    services.err.write(`gw: ${`${error.message} ${error.hint}`.trimEnd()}\n`);
    return 1;
  }
};

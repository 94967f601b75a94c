import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { KeptCompileResult } from '../../../../schema/plan/plan.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { diagnosticProblems } from '../../kernel/requests/diagnostic-problems.ts';
import { describeUses, refuse, refuseUses } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { StoredSecret } from '../../kernel/secrets/compare-secrets.ts';
import {
  literalSecrets,
  misplacedSecrets,
  type StoredValue,
  withRetainedSecrets,
} from '../../kernel/secrets/literals.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { GuardrailRow } from '../../kernel/store/tables.ts';
import { namedByMirrors, namedGuardrails } from './named-guardrails.ts';
import { sealChecks, storedChecks } from './saved-guardrails.ts';

const maxBytes = 256 * 1024;

export interface GuardrailCheck {
  /** The check's id. */
  readonly id: string;
  readonly parameters: JsonObject;
}

/** The checks of a guardrail that are valid for requests, for responses or for both, with the secrets that they keep. */
interface ValidatedChecks {
  readonly checks: Json;
  /** The places of the secrets in them. */
  readonly secretPlaces: readonly JsonPointer[];
  /** Why they cannot run on requests (input) or on responses (output), by their places in the request body. */
  readonly reasons: Readonly<Record<CheckPhase, readonly InputProblem[]>>;
}

const hookMembers = { input: 'before_request_hooks', output: 'after_request_hooks' } as const;

/** Converts a place in the config that stands for the guardrail to a place in its checks. */
const inChecks = (pointer: JsonPointer): JsonPointer => toPointer(fromPointer(pointer).slice(3));

/** Converts a place in the checks to a place in the request body. */
const inBody = (pointer: JsonPointer): JsonPointer => toPointer(['checks', ...fromPointer(pointer)]);

/** Returns the check that contains a secret, which decides where the secret is sent. */
const readDestination = (checks: Json, pointer: JsonPointer): Json =>
  valueAt(checks, fromPointer(pointer).slice(0, 1)) ?? null;

const refuseInBody = (problems: readonly InputProblem[]): void =>
  refuse(problems.map((each) => ({ ...each, pointer: inBody(each.pointer) })));

const toFaults = ({ diagnostics }: KeptCompileResult): readonly InputProblem[] =>
  diagnosticProblems(diagnostics, (pointer) => inBody(inChecks(pointer)));

const sizeProblems = (checks: readonly GuardrailCheck[]): readonly InputProblem[] => {
  const bytes = Buffer.byteLength(JSON.stringify(checks));
  if (bytes <= maxBytes) return [];
  const hint = `Split the guardrail: its checks have at most ${maxBytes} bytes.`;
  return [{ pointer: toPointer([]), message: `These checks have ${bytes} bytes of JSON.`, hint }];
};

/** Reports an `id` among the parameters, because in the gateway file it would name another check. */
const idProblems = (checks: readonly GuardrailCheck[]): readonly InputProblem[] =>
  checks.flatMap(({ parameters }, index) =>
    Object.hasOwn(parameters, 'id')
      ? [
          {
            pointer: toPointer([index, 'parameters', 'id']),
            message: 'The parameters of a saved guardrail have no "id".',
            hint: 'Write the id of the check beside "parameters".',
          },
        ]
      : [],
  );

/**
 * Compiles the checks of a guardrail twice, as a hook on requests and as one on responses. Throws the `GatewayError`
 * `invalid-input` with all errors if they are valid in neither.
 */
export const validateGuardrail = async (
  { sealer, compile, overlay }: Pick<ControlParts, 'sealer' | 'compile' | 'overlay'>,
  {
    tenant,
    slug,
    checks,
    before,
  }: {
    readonly tenant: TenantId;
    readonly slug: string;
    readonly checks: readonly GuardrailCheck[];
    /** The checks in use. */
    readonly before: StoredValue | undefined;
  },
): Promise<ValidatedChecks> => {
  refuseInBody([...sizeProblems(checks), ...idProblems(checks)]);
  const given = checks.map(({ id, parameters }): JsonObject => ({ id, parameters }));
  const {
    value: completed = given,
    kept,
    problems,
  } = await withRetainedSecrets(given, { sealer, before, readDestination });
  refuseInBody(problems);
  const compileOn = (phase: CheckPhase): Promise<KeptCompileResult> =>
    compile(JSON.stringify({ [hookMembers[phase]]: [{ id: slug, checks: completed }] }), {
      tenant,
      saved: overlay.saved,
      name: slug,
    });
  const input = await compileOn('input');
  const output = await compileOn('output');
  const { secretPlaces } = input.plan === undefined ? output : input;
  const errors = { input: toFaults(input), output: toFaults(output) };
  if (input.plan === undefined && output.plan === undefined) refuse(errors.input);
  const places = secretPlaces.map(inChecks);
  refuseInBody(misplacedSecrets(kept, places));
  return { checks: completed, secretPlaces: places, reasons: errors };
};

/**
 * Lists, in words, what names a guardrail for these phases: the newest versions of configs, and the defaults of workspaces and,
 * if it belongs to an organisation, of the organisation. For both phases if none are given.
 */
const usesOfGuardrail = async (
  db: Reading,
  { id, slug, workspace_id, organisation_id }: GuardrailRow,
  phases?: readonly CheckPhase[],
): Promise<readonly string[]> => {
  const isNamedIn = (text: string): boolean => {
    const config = fromJson(text) as Json;
    // A mirror evaluates responses.
    const byMirrors = phases === undefined || phases.includes('output') ? namedByMirrors(config) : [];
    return [...namedGuardrails(config, phases), ...byMirrors].some((name) => name === id || name === slug);
  };
  const organisations = await db
    .selectFrom('organisations')
    .select('settings')
    .where('id', '=', organisation_id)
    .execute();
  const workspaces = await db
    .selectFrom('workspaces')
    .select(['id', 'slug', 'settings'])
    .where('organisation_id', '=', organisation_id)
    .where((where) => where.and(workspace_id === null ? {} : { id: workspace_id }))
    .orderBy('id')
    .execute();
  const configs = await db
    .selectFrom('configs')
    .innerJoin('workspaces', 'workspaces.id', 'configs.workspace_id')
    .innerJoin('config_versions', 'config_versions.id', 'configs.version_id')
    .select(['configs.slug', 'config_versions.text'])
    .where('workspaces.organisation_id', '=', organisation_id)
    .where((where) => where.and(workspace_id === null ? {} : { 'configs.workspace_id': workspace_id }))
    // A first selection of rows, because `_` in a slug matches any character here.
    .where((where) => where.or([id, slug].map((name) => where('config_versions.text', 'like', `%"${name}"%`))))
    .orderBy('configs.id')
    .execute();
  return [
    ...organisations
      .filter(({ settings }) => workspace_id === null && isNamedIn(settings))
      .map(() => 'the defaults of the organisation'),
    ...workspaces
      .filter(({ settings }) => isNamedIn(settings))
      .map((workspace) => `the defaults of the workspace "${workspace.slug}"`),
    ...configs.filter(({ text }) => isNamedIn(text)).map((config) => `the config "${config.slug}"`),
  ];
};

const checkedIn = { input: 'requests', output: 'answers' } as const satisfies Record<CheckPhase, string>;

/**
 * Throws the `GatewayError` `invalid-input` if a guardrail is named where its new checks cannot run. What names it is read only
 * if there are phases in which they cannot run, and is never compiled itself, however many records there are.
 */
const refuseBrokenUses = async (db: Reading, row: GuardrailRow, errors: ValidatedChecks['reasons']): Promise<void> => {
  for (const phase of ['input', 'output'] as const) {
    if (errors[phase].length === 0) continue;
    const uses = await usesOfGuardrail(db, row, [phase]);
    if (uses.length === 0) continue;
    const why = `The guardrail "${row.slug}" is named for ${checkedIn[phase]} by ${describeUses(uses)}, where it would no longer work.`;
    refuse(
      errors[phase].map(({ message, ...problem }) => ({
        ...problem,
        message: `${message} ${why}`,
        hint: 'Remove the guardrail there first, or save these checks as another guardrail.',
      })),
    );
  }
};

/** Compiles and seals changed checks. They must run wherever the guardrail is named; otherwise nothing is changed. */
export const prepareChecks = async (
  parts: ResourceParts,
  {
    caller,
    body: { checks },
    row,
    before,
    problems,
  }: Writes<GuardrailRow, { readonly checks?: readonly GuardrailCheck[] }>,
): Promise<Prepared<GuardrailRow>> => {
  refuse(problems);
  if (checks === undefined) return {};
  const {
    secretPlaces: pointers,
    reasons: errors,
    ...validated
  } = await validateGuardrail(parts, {
    ...{ tenant: caller.tenant, slug: row.slug, checks },
    before: before && storedChecks(before),
  });
  // A dry run ends here.
  if (before !== undefined) await refuseBrokenUses(parts.store.db, row, errors);
  return {
    columns: await sealChecks(parts.sealer, { checks: validated.checks, pointers, row }),
    check: async (db) => (before === undefined ? undefined : refuseBrokenUses(db, row, errors)),
  };
};

/** Lists the secrets in the checks of a guardrail. */
export const guardrailSecrets = (row: GuardrailRow): readonly StoredSecret[] =>
  literalSecrets(storedChecks(row), 'checks');

/** Throws the `GatewayError` `conflict` if anything names the guardrail. */
export const refuseUsed = async (row: GuardrailRow, db: Writing): Promise<void> => {
  refuseUses(await usesOfGuardrail(db, row), `The guardrail "${row.slug}" is named by`, 'Remove it there first.');
};

import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { KeptCompileResult } from '../../../../schema/plan/plan.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { diagnosticProblems } from '../../kernel/requests/diagnostic-problems.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { misplacedSecrets, type StoredValue, valueAt, withRetainedSecrets } from '../../kernel/secrets/literals.ts';

const maxBytes = 256 * 1024;

export interface GuardrailCheck {
  /** The check's id. */
  readonly id: string;
  readonly parameters: JsonObject;
}

/** The checks of a guardrail that are right on requests, on answers or on both, with the secrets that they keep. */
export interface ValidatedChecks {
  readonly checks: Json;
  /** Where secrets are in them. */
  readonly secretPlaces: readonly JsonPointer[];
  /** Why they cannot run on requests (input), or on answers (output), by their places in the body of a request. */
  readonly reasons: Readonly<Record<CheckPhase, readonly InputProblem[]>>;
}

export interface GuardrailToValidate {
  /** The tenant that asks for it. */
  readonly tenant: TenantId;
  readonly slug: string;
  readonly checks: readonly GuardrailCheck[];
  /** The checks in service. */
  readonly before?: StoredValue | undefined;
}

const hookMembers = { input: 'before_request_hooks', output: 'after_request_hooks' } as const;

/** A place in the config that stands for the guardrail as a place in its checks. */
const inChecks = (pointer: JsonPointer): JsonPointer => toPointer(fromPointer(pointer).slice(3));

/** A place in the checks as a place in the body of a request. */
const inBody = (pointer: JsonPointer): JsonPointer => toPointer(['checks', ...fromPointer(pointer)]);

/** A secret goes where its check sends it. */
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

/** In the gateway file, an `id` among the parameters would name another check. */
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

const isRight = ({ plan }: KeptCompileResult): boolean => plan !== undefined;

/**
 * Compiles the checks of a guardrail as a config has them in a hook on requests, and in one on answers. Throws the
 * `GatewayError` `invalid-input` with all that is wrong if they are right in neither.
 */
export const validateGuardrail = async (
  { sealer, compile, overlay }: Pick<ControlParts, 'sealer' | 'compile' | 'overlay'>,
  { tenant, slug, checks, before }: GuardrailToValidate,
): Promise<ValidatedChecks> => {
  refuseInBody([...sizeProblems(checks), ...idProblems(checks)]);
  const given = checks.map(({ id, parameters }): JsonObject => ({ id, parameters }));
  const { value, kept, problems } = await withRetainedSecrets(given, {
    sealer,
    before,
    readDestination,
  });
  refuseInBody(problems);
  const completed = value ?? given;
  const compileOn = (phase: CheckPhase): Promise<KeptCompileResult> => {
    const text = JSON.stringify({ [hookMembers[phase]]: [{ id: slug, checks: completed }] });
    return compile(text, { tenant, saved: overlay.saved, name: slug });
  };
  const input = await compileOn('input');
  const output = await compileOn('output');
  const { secretPlaces } = isRight(input) ? input : output;
  const errors = { input: toFaults(input), output: toFaults(output) };
  if (!isRight(input) && !isRight(output)) refuse(errors.input);
  const places = secretPlaces.map(inChecks);
  refuseInBody(misplacedSecrets(kept, places));
  return { checks: completed, secretPlaces: places, reasons: errors };
};

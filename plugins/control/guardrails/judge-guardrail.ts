import type { InputProblem } from '../../../schema/input-problem.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import { isNonEmpty, type Json, type JsonObject } from '../../../schema/json.ts';
import type { KeptCompileResult } from '../../../schema/plan.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../../schema/pointer.ts';
import type { ControlParts } from '../control-parts.ts';
import { diagnosticProblems } from '../saved/diagnostic-problems.ts';
import { type StoredValue, withKeptSecrets } from '../saved/kept-secrets.ts';
import { valueAt } from '../saved/value-at.ts';

const mostBytes = 256 * 1024;

export interface GuardrailCheck {
  /** The check's id. */
  readonly id: string;
  readonly parameters: JsonObject;
}

/** The checks of a guardrail that are right, with the secrets that they keep. */
export interface JudgedChecks {
  readonly checks: Json;
  /** Where secrets are in them. */
  readonly secretPlaces: readonly JsonPointer[];
  readonly diagnostics: KeptCompileResult['diagnostics'];
}

/** A place in the config that stands for the guardrail as a place in its checks. */
const inChecks = (pointer: JsonPointer): JsonPointer => toPointer(fromPointer(pointer).slice(3));

/** A place in the checks as a place in the body of a request. */
const inBody = (pointer: JsonPointer): JsonPointer => toPointer(['checks', ...fromPointer(pointer)]);

/** A secret goes where its check sends it. */
const destinationOf = (checks: Json, pointer: JsonPointer): Json =>
  valueAt(checks, fromPointer(pointer).slice(0, 1)) ?? null;

const refuse = (problems: readonly InputProblem[]): void => {
  const placed = problems.map((each) => ({ ...each, pointer: inBody(each.pointer) }));
  if (isNonEmpty(placed)) throw invalidInput(placed);
};

const sizeProblems = (checks: readonly GuardrailCheck[]): readonly InputProblem[] => {
  const bytes = Buffer.byteLength(JSON.stringify(checks));
  if (bytes <= mostBytes) return [];
  const hint = `Split the guardrail: its checks have at most ${mostBytes} bytes.`;
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
 * Compiles the checks of a guardrail as a config has them in a hook: on requests, or where they are for answers alone, on
 * answers. Throws the `GatewayError` `invalid-input` with all that is wrong.
 */
export const judgeGuardrail = async (
  { sealer, compile, overlay }: Pick<ControlParts, 'sealer' | 'compile' | 'overlay'>,
  {
    slug,
    checks,
    before,
  }: { readonly slug: string; readonly checks: readonly GuardrailCheck[]; readonly before?: StoredValue },
): Promise<JudgedChecks> => {
  refuse([...sizeProblems(checks), ...idProblems(checks)]);
  const given = checks.map(({ id, parameters }): JsonObject => ({ id, parameters }));
  const { value, kept, problems } = await withKeptSecrets(given, { sealer, before, destinationOf });
  refuse(problems);
  const completed = value ?? given;
  const compileIn = (hooks: 'before_request_hooks' | 'after_request_hooks'): Promise<KeptCompileResult> => {
    const text = JSON.stringify({ [hooks]: [{ id: slug, checks: completed }] });
    return compile(text, { saved: overlay.saved, name: slug });
  };
  const onRequests = await compileIn('before_request_hooks');
  const onAnswers = isRight(onRequests) ? onRequests : await compileIn('after_request_hooks');
  const { diagnostics, secretPlaces } = isRight(onAnswers) ? onAnswers : onRequests;
  refuse(diagnosticProblems(diagnostics, inChecks));
  const places = secretPlaces.map(inChecks);
  refuse(
    kept
      .filter((pointer) => !places.includes(pointer))
      .map((pointer) => ({ pointer, message: 'There is no secret at this place.', hint: 'Send the value itself.' })),
  );
  return { checks: completed, secretPlaces: places, diagnostics };
};

import type { InputProblem } from '../../../schema/input-problem.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import { isNonEmpty, type Json } from '../../../schema/json.ts';
import type { KeptCompileResult } from '../../../schema/plan.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import type { ControlParts } from '../control-parts.ts';
import { diagnosticProblems } from '../saved/diagnostic-problems.ts';
import { type StoredValue, withKeptSecrets } from '../saved/kept-secrets.ts';
import { inBody } from './config-places.ts';
import { destinationOf } from './destination-of.ts';

const mostBytes = 256 * 1024;

export interface ConfigToJudge {
  readonly tenant: TenantId;
  readonly slug: string;
  readonly config: Json;
  /** The version in service. */
  readonly before?: StoredValue | undefined;
}

/** A config that was compiled, with the secrets that it keeps. */
export interface JudgedConfig {
  readonly value: Json;
  readonly result: KeptCompileResult;
}

const refuse = (problems: readonly InputProblem[]): void => {
  const placed = problems.map((each) => ({ ...each, pointer: inBody(each.pointer) }));
  if (isNonEmpty(placed)) throw invalidInput(placed);
};

const tooLarge = (config: Json): readonly InputProblem[] => {
  const bytes = Buffer.byteLength(JSON.stringify(config));
  if (bytes <= mostBytes) return [];
  const hint = `Split it: a config has at most ${mostBytes} bytes.`;
  return [{ pointer: rootPointer, message: `This config has ${bytes} bytes of JSON.`, hint }];
};

/** Compiles a config from a client. Throws the `GatewayError` `invalid-input` if it is too large or for its placeholders. */
export const judgeConfig = async (
  { sealer, viewOf, compile }: Pick<ControlParts, 'sealer' | 'viewOf' | 'compile'>,
  { tenant, slug, config, before }: ConfigToJudge,
): Promise<JudgedConfig> => {
  refuse(tooLarge(config));
  const { value, kept, problems } = await withKeptSecrets(config, { sealer, before, destinationOf });
  refuse(problems);
  const completed = value ?? config;
  const { saved } = await viewOf(tenant);
  const result = await compile(JSON.stringify(completed), { saved, name: slug });
  const places = new Set(result.secretPlaces);
  if (result.plan !== undefined)
    refuse(
      kept
        .filter((pointer) => !places.has(pointer))
        .map((pointer) => ({ pointer, message: 'There is no secret at this place.', hint: 'Send the value itself.' })),
    );
  return { value: completed, result };
};

/** Throws the `GatewayError` `invalid-input` for a config with errors. */
export const refuseErrors = ({ result }: JudgedConfig): void => {
  const problems = diagnosticProblems(result.diagnostics, inBody);
  if (isNonEmpty(problems)) throw invalidInput(problems);
};

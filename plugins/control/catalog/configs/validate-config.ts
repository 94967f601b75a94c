import { firstSpelling, settingFields } from '../../../../schema/config/provider-fields.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { KeptCompileResult } from '../../../../schema/plan/plan.ts';
import { withPrompts } from '../../../sdk/control-plane/with-prompts.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { diagnosticProblems } from '../../kernel/requests/diagnostic-problems.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { misplacedSecrets, type StoredValue, withRetainedSecrets } from '../../kernel/secrets/literals.ts';
import { namedByMirrors, namedGuardrails } from '../guardrails/named-guardrails.ts';

/** The lists of hooks, with the number of steps from each list to a single check. */
const stepsToCheck: ReadonlyMap<string, number> = new Map([
  ['input_guardrails', 2],
  ['output_guardrails', 2],
  ['before_request_hooks', 3],
  ['after_request_hooks', 3],
]);

const deciding: ReadonlySet<string> = new Set([
  ...['provider', 'virtual_key', 'prompt_id', 'custom_host'],
  ...settingFields,
]);

const decidingMembers = (node: Json | undefined): Json =>
  isJsonObject(node)
    ? Object.fromEntries(
        Object.entries(node)
          .map(([name, value]) => [firstSpelling(name), value] as const)
          .filter(([name]) => deciding.has(name)),
      )
    : null;

/**
 * Returns everything in a config that decides where the secret at a place is sent. For a check, this is the whole check; for a
 * target, its provider, host and settings, and those of the enclosing configs from which it inherits.
 */
const readDestination = (config: Json, pointer: JsonPointer): Json => {
  const tokens = fromPointer(pointer);
  const list = tokens.findIndex((token) => stepsToCheck.has(token));
  if (list === -1) return tokens.map((_, depth) => decidingMembers(valueAt(config, tokens.slice(0, depth))));
  const steps = stepsToCheck.get(tokens[list] ?? '') ?? 0;
  return valueAt(config, tokens.slice(0, list + steps + 1)) ?? null;
};

const maxBytes = 256 * 1024;

/** A compiled config, with the secrets that it keeps. */
export interface ValidatedConfig {
  readonly value: Json;
  readonly result: KeptCompileResult;
  /** The saved guardrails that it names, by slug or id, including those of the gateway file. */
  readonly guardrails: readonly string[];
}

/** Converts a place in a config to a place in the request body. */
export const inBody = (pointer: JsonPointer): JsonPointer => toPointer(['config', ...fromPointer(pointer)]);

const refuseInBody = (problems: readonly InputProblem[]): void => {
  refuse(problems.map((each) => ({ ...each, pointer: inBody(each.pointer) })));
};

const tooLarge = (config: Json): readonly InputProblem[] => {
  const bytes = Buffer.byteLength(JSON.stringify(config));
  if (bytes <= maxBytes) return [];
  const hint = `Split it: a config has at most ${maxBytes} bytes.`;
  return [{ pointer: rootPointer, message: `This config has ${bytes} bytes of JSON.`, hint }];
};

/**
 * Compiles a config from a client. Throws the `GatewayError` `invalid-input` if it is too large or its placeholders are not
 * valid.
 */
export const validateConfig = async (
  { sealer, readView, compile }: Pick<ControlParts, 'sealer' | 'readView' | 'compile'>,
  {
    tenant,
    slug,
    config,
    before,
  }: {
    readonly tenant: TenantId;
    readonly slug: string;
    readonly config: Json;
    /** The version in use. */
    readonly before?: StoredValue | undefined;
  },
): Promise<ValidatedConfig> => {
  refuseInBody(tooLarge(config));
  const { value = config, kept, problems } = await withRetainedSecrets(config, { sealer, before, readDestination });
  refuseInBody(problems);
  const text = JSON.stringify(value);
  const { saved } = await withPrompts(await readView(tenant), text);
  const result = await compile(text, { tenant, saved, name: slug });
  if (result.plan !== undefined) refuseInBody(misplacedSecrets(kept, result.secretPlaces));
  const named = new Set([...namedGuardrails(value), ...namedByMirrors(value)]);
  return { value, result, guardrails: [...named].filter((name) => Object.hasOwn(saved.guardrails, name)) };
};

/** Throws the `GatewayError` `invalid-input` if a config has errors. */
export const refuseErrors = ({ result }: ValidatedConfig): void => {
  refuse(diagnosticProblems(result.diagnostics, inBody));
};

import { isDeepStrictEqual } from 'node:util';
import { errorText } from '../../schema/error-text.ts';
import { isJsonObject, type JsonObject } from '../../schema/json.ts';
import type { CheckPhase } from '../../schema/trail.ts';
import type { Guardrail } from '../sdk/guardrail.ts';
import { schemaCheck } from '../sdk/parameters/schema-check.ts';
import { neverCancelled } from './cancellation.ts';
import { refuseFaults } from './faults.ts';

/** A text, and the expected verdict. */
export interface GuardrailCase {
  /** As a config writes them, without `failOnError`, `timeout` and `id`. */
  readonly parameters: JsonObject;
  readonly text?: string;
  /** `input` if absent, unless the check has only the output phase. */
  readonly phase?: CheckPhase;
  readonly metadata?: JsonObject;
  /** The request's body. */
  readonly request?: JsonObject;
  /** The answer's body, in the output phase. */
  readonly answer?: JsonObject;
  /** `error`: the check throws; `refused`: the parameters do not match their schema. */
  readonly verdict: 'pass' | 'fail' | 'error' | 'refused';
  /** Members that the verdict's data must have. */
  readonly data?: JsonObject;
}

type Outcome = { readonly verdict: GuardrailCase['verdict']; readonly data?: unknown; readonly why?: string };

const run = async (guardrail: Guardrail, given: GuardrailCase): Promise<Outcome> => {
  const fit = schemaCheck(guardrail.parameters)(given.parameters);
  if (fit.kind === 'faults') return { verdict: 'refused', why: fit.faults.map(({ message }) => message).join(' ') };
  try {
    const check = guardrail.create(isJsonObject(fit.value) ? fit.value : {});
    const { pass, data } = await check({
      phase: given.phase ?? guardrail.phases?.[0] ?? 'input',
      text: given.text ?? '',
      metadata: given.metadata ?? {},
      request: { json: given.request ?? {}, headers: [], dialect: 'chat' },
      ...(given.answer !== undefined && { answer: given.answer }),
      cancellation: neverCancelled,
    });
    return { verdict: pass ? 'pass' : 'fail', data };
  } catch (error) {
    return { verdict: 'error', why: errorText(error) };
  }
};

const caseFaults = async (guardrail: Guardrail, given: GuardrailCase): Promise<readonly string[]> => {
  const first = await run(guardrail, given);
  const name = `${JSON.stringify(given.parameters)} on ${JSON.stringify(given.text ?? '')}`;
  if (first.verdict !== given.verdict)
    return [`${name}: expected ${given.verdict}, got ${first.verdict}${first.why ? ` (${first.why})` : ''}`];
  if (first.verdict !== 'pass' && first.verdict !== 'fail') return [];
  const faults: string[] = [];
  const data = isJsonObject(first.data) ? first.data : {};
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(first.data ?? null)), first.data))
    faults.push(`${name}: its data is not JSON`);
  for (const [member, value] of Object.entries(given.data ?? {}))
    if (!isDeepStrictEqual(data[member], value))
      faults.push(`${name}: data.${member} is ${JSON.stringify(data[member])}, not ${JSON.stringify(value)}`);
  if ((await run(guardrail, given)).verdict !== first.verdict)
    faults.push(`${name}: a second run gives another verdict`);
  return faults;
};

/**
 * Tests a check: its id and schema, and each case twice. Throws a `ContractError` that lists every fault.
 */
export const testGuardrail = async (guardrail: Guardrail, cases: readonly GuardrailCase[]): Promise<void> => {
  const faults: string[] = [];
  if (!/^[\w-]+\.[\w-]+$/.test(guardrail.id)) faults.push(`its id "${guardrail.id}" is not of the form plugin.name`);
  if (guardrail.parameters.type !== 'object') faults.push('its parameters are not an object schema');
  for (const taken of ['failOnError', 'timeout', 'id'])
    if (Object.hasOwn(guardrail.parameters.properties ?? {}, taken))
      faults.push(`the parameter "${taken}" is reserved: every check has it`);
  try {
    schemaCheck(guardrail.parameters);
    for (const given of cases) faults.push(...(await caseFaults(guardrail, given)));
  } catch (error) {
    faults.push(`its parameters are not a valid schema: ${errorText(error)}`);
  }
  refuseFaults(`The check "${guardrail.id}"`, faults);
};

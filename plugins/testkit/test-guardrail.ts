import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fromJson } from '../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import { relevantErrors } from '../../schema/json-schema/alternatives.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { CheckPhase } from '../../schema/trail/trail.ts';
import type { TextSpan } from '../sdk/dialect/dialect.ts';
import type { Operation, TenantId } from '../sdk/exchange/exchange.ts';
import { createdCheck } from '../sdk/guardrail/created-check.ts';
import type { CheckAnswer, CheckInput, CheckRequest, CheckServices, Guardrail } from '../sdk/guardrail/guardrail.ts';
import { commonParameters, guardrailParameters, guardrailSchema } from '../sdk/guardrail/guardrail-parameters.ts';
import type { RawHeaders } from '../sdk/http/http.ts';
import { schemaError } from '../sdk/parameters/schema-error.ts';
import { memberNames } from '../sdk/parameters/to-options.ts';
import { replacedTexts } from '../sdk/texts/replaced-texts.ts';
import { refuseErrors } from './errors/reasons.ts';
import { neverCancelled } from './route/cancellation.ts';
import { createVirtualClock } from './route/virtual-clock.ts';

/** A text, and the expected verdict. */
export interface GuardrailCase {
  /** The parameters as in a config, without `failOnError`, `timeout` and `id`. */
  readonly parameters: JsonObject;
  readonly text?: string;
  /** The phase; `input` if absent, unless the check only has the output phase. */
  readonly phase?: CheckPhase;
  readonly metadata?: JsonObject;
  /** The request's body. */
  readonly request?: JsonObject;
  /** The text of the request, in the output phase. */
  readonly requestText?: string;
  /** The client's dialect; `chat` if absent. */
  readonly dialect?: string;
  /** The operation; `converse` if absent. */
  readonly operation?: Operation;
  /** The request's headers. */
  readonly headers?: RawHeaders;
  /** The model that will be called. */
  readonly model?: string;
  /** The answer's body, in the output phase. */
  readonly answer?: JsonObject;
  /** The pieces of the text. One piece with all of it if absent. */
  readonly spans?: readonly TextSpan[];
  /** The service that the check calls; if absent, every call fails. */
  readonly service?: (request: CheckRequest) => CheckAnswer | Promise<CheckAnswer>;
  /** `error`: the check throws; `refused`: the parameters do not match their schema, or `faults` reports some. */
  readonly verdict: 'pass' | 'fail' | 'error' | 'refused';
  /** Members that the verdict's data must have. */
  readonly data?: JsonObject;
  /** The texts of the pieces after the replacements of the verdict. */
  readonly replaced?: readonly string[];
}

type CheckedParameters = { readonly refusals: readonly string[]; readonly own: JsonObject };

type Outcome = {
  readonly verdict: GuardrailCase['verdict'];
  readonly data?: unknown;
  readonly why?: string;
  readonly replaced?: readonly string[];
};

/** Returns the parameters with which the check is created, or why a config may not have these parameters. */
const checkParameters = (guardrail: Guardrail, parameters: JsonObject): CheckedParameters => {
  const { errors, ownErrors: reasons, own } = guardrailParameters(guardrail, parameters);
  const schema = guardrailSchema(guardrail.parameters);
  const misfits = relevantErrors(errors).map((error) => schemaError(error, schema).message);
  return { refusals: [...misfits, ...reasons], own };
};

const toSpans = ({ spans, text = '' }: GuardrailCase): readonly TextSpan[] =>
  spans ?? [{ at: rootPointer, text, kind: 'text' }];

const toInput = (guardrail: Guardrail, given: GuardrailCase): CheckInput => {
  const spans = toSpans(given);
  return {
    phase: given.phase ?? guardrail.phases?.[0] ?? 'input',
    text: spans.map(({ text }) => text).join('\n'),
    spans,
    metadata: given.metadata ?? {},
    tenant: 'tenant' as TenantId,
    request: {
      json: given.request ?? {},
      headers: given.headers ?? [],
      dialect: given.dialect ?? 'chat',
      operation: given.operation ?? 'converse',
      ...(given.requestText !== undefined && { text: given.requestText }),
    },
    target: { provider: 'openai', ...(given.model !== undefined && { model: given.model }) },
    ...(given.answer !== undefined && { answer: given.answer }),
    cancellation: neverCancelled,
  };
};

const toServices = ({ service }: GuardrailCase): CheckServices => ({
  http: {
    async send(request) {
      if (service === undefined) throw new Error('The case has no service.');
      return service(request);
    },
  },
  timers: createVirtualClock(0),
  placeholder: (_tenant, { kind, text }) => `[${kind}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}]`,
});

const run = async (guardrail: Guardrail, given: GuardrailCase): Promise<Outcome> => {
  const { refusals, own } = checkParameters(guardrail, given.parameters);
  if (refusals.length > 0) return { verdict: 'refused', why: refusals.join(' ') };
  try {
    const check = createdCheck(guardrail, { parameters: own, services: toServices(given) });
    const input = toInput(guardrail, given);
    const { pass, data, replace = [] } = await check(input);
    return { verdict: pass ? 'pass' : 'fail', data, replaced: replacedTexts(input.spans, replace) };
  } catch (error) {
    return { verdict: 'error', why: errorText(error) };
  }
};

const caseErrors = async (guardrail: Guardrail, given: GuardrailCase): Promise<readonly string[]> => {
  const first = await run(guardrail, given);
  const name = `${JSON.stringify(given.parameters)} on ${JSON.stringify(given.text ?? '')}`;
  if (first.verdict !== given.verdict)
    return [`${name}: expected ${given.verdict}, got ${first.verdict}${first.why ? ` (${first.why})` : ''}`];
  if (first.verdict !== 'pass' && first.verdict !== 'fail') return [];
  const errors: string[] = [];
  const data = isJsonObject(first.data) ? first.data : {};
  if (!isDeepStrictEqual(fromJson(JSON.stringify(first.data ?? null)), first.data))
    errors.push(`${name}: its data is not JSON`);
  for (const [member, value] of Object.entries(given.data ?? {}))
    if (!isDeepStrictEqual(data[member], value))
      errors.push(`${name}: data.${member} is ${JSON.stringify(data[member])}, not ${JSON.stringify(value)}`);
  if (given.replaced !== undefined && !isDeepStrictEqual(first.replaced, given.replaced))
    errors.push(
      `${name}: its replacements produce ${JSON.stringify(first.replaced)}, not ${JSON.stringify(given.replaced)}`,
    );
  if ((await run(guardrail, given)).verdict !== first.verdict)
    errors.push(`${name}: a second run returns a different verdict`);
  return errors;
};

/** A value for each member that every check accepts. */
const commonValues: JsonObject = { failOnError: true, timeout: 1000, id: 'a-name' };

/** A config may add the common members to any parameters. */
const commonErrors = (guardrail: Guardrail, cases: readonly GuardrailCase[]): readonly string[] => {
  const usable = cases.find(({ verdict }) => verdict === 'pass');
  if (usable === undefined) return [];
  const { refusals } = checkParameters(guardrail, { ...usable.parameters, ...commonValues });
  return refusals.length === 0
    ? []
    : [
        `${JSON.stringify(usable.parameters)}: its schema refuses the members that every check takes (${refusals.join(' ')})`,
      ];
};

/**
 * Tests a check: its id and schema, each case twice, and the first passing case with the members that every check accepts. Throws
 * a `ContractError` that lists every error.
 */
export const testGuardrail = async (guardrail: Guardrail, cases: readonly GuardrailCase[]): Promise<void> => {
  const errors: string[] = [];
  if (!/^[\w-]+\.[\w-]+$/.test(guardrail.id)) errors.push(`its id "${guardrail.id}" is not of the form plugin.name`);
  if (guardrail.parameters.type !== 'object') errors.push('its parameters are not an object schema');
  const taken = memberNames(guardrail.parameters).filter((name) => Object.hasOwn(commonParameters, name));
  for (const name of taken) errors.push(`the parameter "${name}" is reserved: every check has it`);
  try {
    guardrailSchema(guardrail.parameters);
    if (taken.length === 0) errors.push(...commonErrors(guardrail, cases));
    for (const given of cases) errors.push(...(await caseErrors(guardrail, given)));
  } catch (error) {
    errors.push(`its parameters are not a valid schema: ${errorText(error)}`);
  }
  refuseErrors(`The check "${guardrail.id}"`, errors);
};

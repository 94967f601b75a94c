import type { Json, JsonObject } from '../../schema/json.ts';
import type { CheckPhase } from '../../schema/trail.ts';
import type { FromSchema, ParameterSchema } from './from-schema.ts';
import type { Cancellation, RawHeaders } from './http.ts';

/**
 * The input of a check. `text` is the last message of a request, or everything in the choices of an answer: texts,
 * refusals, reasoning and the arguments of tool calls, one per line.
 */
export interface CheckInput {
  readonly phase: CheckPhase;
  readonly text: string;
  readonly metadata: JsonObject;
  readonly request: { readonly json: JsonObject; readonly headers: RawHeaders; readonly dialect: string };
  /** The answer as JSON; absent in the input phase. */
  readonly answer?: JsonObject;
  readonly cancellation: Cancellation;
}

/** A verdict is returned; if a check throws, the plugin has failed, which is not a verdict. */
export interface Verdict {
  readonly pass: boolean;
  /** Shown in `hook_results`. */
  readonly data: Json;
}

export type Check = (input: CheckInput) => Verdict | Promise<Verdict>;

export interface Guardrail {
  /** `<plugin>.<name>`; configs may spell it in any case. */
  readonly id: string;
  /** The phases in which it can be used; both if absent. */
  readonly phases?: readonly CheckPhase[];
  /** Closed by the compiler, with the members that every check accepts (`failOnError`, `timeout`, `id`). */
  readonly parameters: ParameterSchema;
  /**
   * What is wrong with parameters that fit the schema, a sentence each: what a schema cannot say, such as a range whose
   * ends are in the wrong order. The compiler asks it, so that each fault is a diagnostic of the config.
   */
  faults?(parameters: JsonObject): readonly string[];
  /** A throw stops the gateway from linking the plan: `faults` reports what is wrong with parameters. */
  create(parameters: JsonObject): Check;
}

export interface GuardrailDefinition<Schema extends ParameterSchema> {
  readonly id: string;
  readonly phases?: readonly CheckPhase[];
  readonly parameters: Schema;
  /** What is wrong with parameters that fit the schema, a sentence each; asked by the compiler. */
  faults?(parameters: FromSchema<Schema>): readonly string[];
  /** Runs once, when a plan is linked; the parameters are valid and their defaults filled in. */
  create(parameters: FromSchema<Schema>): Check;
}

/** A guardrail whose parameters' types come from their schema. */
export const defineGuardrail = <const Schema extends ParameterSchema>(
  definition: GuardrailDefinition<Schema>,
): Guardrail => definition as unknown as Guardrail;

/** The verdict of a text that passes. */
export const pass = (explanation?: string): Verdict => ({
  pass: true,
  data: explanation === undefined ? {} : { explanation },
});

/** The verdict of a text that fails; explain why in one sentence. */
export const fail = (explanation: string): Verdict => ({ pass: false, data: { explanation } });

import type { Json, JsonObject } from '../../schema/json.ts';
import type { CheckPhase } from '../../schema/trail.ts';
import type { FromSchema, ParameterSchema } from './from-schema.ts';
import type { Cancellation, RawHeaders } from './http.ts';

/**
 * What a check looks at. `text` is the last message of a request, or all that an answer says in any of its choices:
 * texts, refusals, reasoning and the arguments of tool calls, a line each.
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

/** A verdict is a value; a check that throws has failed as a plugin, which is something else. */
export interface Verdict {
  readonly pass: boolean;
  /** Shown in `hook_results`. */
  readonly data: Json;
}

export type Check = (input: CheckInput) => Verdict | Promise<Verdict>;

export interface Guardrail {
  /** `<plugin>.<name>`; configs may spell it in any case. */
  readonly id: string;
  /** In which phases it makes sense; both where absent. */
  readonly phases?: readonly CheckPhase[];
  /** Closed by the compiler, with the members every check takes (`failOnError`, `timeout`, `id`). */
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

/** The text is as it should be. */
export const pass = (explanation?: string): Verdict => ({
  pass: true,
  data: explanation === undefined ? {} : { explanation },
});

/** The text is not; say why in one sentence. */
export const fail = (explanation: string): Verdict => ({ pass: false, data: { explanation } });

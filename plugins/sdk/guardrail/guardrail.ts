import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { TextSpan } from '../dialect/dialect.ts';
import type { Operation, TenantId } from '../exchange/exchange.ts';
import type { Cancellation, RawHeaders } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import type { FromSchema, ParameterSchema } from '../parameters/from-schema.ts';

/**
 * The input of a check. In a request, `text` is everything after the last message of the model. In an answer, it is everything in
 * the choices: texts, refusals, reasoning and the arguments of tool calls, one per line. Consecutive texts of an answer are
 * joined into one.
 */
export interface CheckInput {
  readonly phase: CheckPhase;
  /** If a stream is judged in parts, the part that is judged now. */
  readonly text: string;
  /** The pieces of `text`, in order, each with its place in the body. The pieces of a stream have the pointer of the root. */
  readonly spans: readonly TextSpan[];
  readonly metadata: JsonObject;
  /** The tenant that the request belongs to. */
  readonly tenant: TenantId;
  readonly request: CheckedRequest;
  /** The target that the request is sent to. */
  readonly target: CheckedTarget;
  /**
   * The text of the answer that the client received, if this input is the answer to a mirrored copy of its request. Absent for
   * all other requests.
   */
  readonly reference?: string;
  /** The answer as JSON; absent in the input phase, and while a stream is judged in parts. */
  readonly answer?: JsonObject;
  readonly cancellation: Cancellation;
}

/** The request that a check judges, or whose answer it judges. */
export interface CheckedRequest {
  /** The body in the client's dialect, with the overrides of the target applied. */
  readonly json: JsonObject;
  readonly headers: RawHeaders;
  readonly dialect: string;
  readonly operation: Operation;
  /** The text that input checks judge, one line for each piece. Absent if the body has none that can be read. */
  readonly text?: string | undefined;
  /**
   * The text before the judged text, one line for each piece: the instructions and the earlier turns. Absent if there is none.
   */
  readonly earlierText?: string | undefined;
}

/** The target of the request that a check judges. */
export interface CheckedTarget {
  readonly provider: string;
  /** The model that will be called, if the request or the target specifies one. */
  readonly model?: string;
}

/** New text for a part of a judged piece. `from` and `to` are offsets in UTF-16 units; `to` is exclusive. */
export interface Replacement {
  /** The index of the piece in `CheckInput.spans`. */
  readonly span: number;
  readonly from: number;
  readonly to: number;
  readonly with: string;
}

/** The result of a check. A check that throws instead of returning a verdict has failed, which is neither a pass nor a fail. */
export interface Verdict {
  readonly pass: boolean;
  /** Shown in `hook_results`. */
  readonly data: Json;
  /** Shown in `hook_results` as `log`, for example what the check sent to another service. */
  readonly log?: Json;
  /** Replacements for parts of the judged texts. They must not overlap. */
  readonly replace?: readonly Replacement[];
  /** A complete new body for the request or the answer, in the client's dialect. Takes precedence over `replace`. */
  readonly body?: JsonObject;
  /**
   * The original value of each placeholder in the replaced texts. Each placeholder that occurs in the answer is replaced by its
   * value before the client receives it. Only in the input phase.
   */
  readonly restore?: { readonly [placeholder: string]: string };
  /**
   * Requests one more attempt, in which the model is given feedback on its answer. Only in the output phase, with a failing
   * verdict, from a check that declares `retries`. The attempt is made if every failing check requests it, at most once each time
   * a request reaches its target.
   */
  readonly retry?: AnswerRetry;
}

/** The turns that are added for the additional attempt, after the request and its answer. */
export interface AnswerRetry {
  /** The user turn that explains what was wrong and what to answer instead. At most 20,000 characters. */
  readonly say: string;
  /** The index of the choice that was wrong. Its text becomes the turn of the model. The first choice if absent. */
  readonly choice?: number;
}

/** Judges an input. `withinMs` is how long the gateway waits for the verdict, in milliseconds. */
export type Check = (input: CheckInput, withinMs?: number) => Verdict | Promise<Verdict>;

/** A check as the gateway runs it, created by `defineGuardrail`. */
export interface Guardrail {
  /** `<plugin>.<name>`. Configs may write it in any case. */
  readonly id: string;
  /** Other ids that configs may use, in any case. Results and plans show `id`. */
  readonly aliases?: readonly string[];
  /** The phases in which the check can be used. Both if absent. */
  readonly phases?: readonly CheckPhase[];
  /**
   * The schema of the parameters. The compiler closes it and adds the members that every check accepts (`failOnError`, `timeout`,
   * `id`).
   */
  readonly parameters: ParameterSchema;
  /**
   * Returns the errors in parameters that match the schema, one sentence each. For rules that a schema cannot express, such as a
   * range whose ends are in the wrong order. The compiler calls it and reports each error as a diagnostic of the config.
   */
  faults?(parameters: JsonObject): readonly string[];
  /** Whether the check compares an answer with the `reference`. Such a check can only be used in the `checks` of a mirror. */
  readonly comparesAnswers?: boolean;
  /** Whether patterns may be written as `/pattern/flags`. If not, the compiler warns that the slashes are part of the pattern. */
  readonly readsFlags?: boolean;
  /**
   * Parameter values that only work in the input phase, by parameter name: `{ action: ['redact-reversibly'] }`. The compiler
   * warns if one is used where answers are checked.
   */
  readonly requestValues?: { readonly [parameter: string]: readonly string[] };
  /**
   * Returns how a stream can be judged while it arrives, or undefined if these parameters require the whole text. A check without
   * this method always requires the whole text. If one part fails, the whole text must fail too; if the whole text passes, every
   * part must pass.
   */
  parts?(parameters: JsonObject): JudgedParts | undefined;
  /**
   * Whether verdicts with these parameters may have `replace` or `body`. If so, a stream is held back until it is judged, and the
   * check of a request also receives the instructions and the earlier turns, which the client sends again with each turn. For
   * those, only replacements count. If a check returns false for these parameters, its replacements only take effect if the
   * answer is held for another reason.
   */
  rewrites?(parameters: JsonObject): boolean;
  /**
   * Whether verdicts with these parameters may have `retry`. If so, plans count the additional attempt, and a stream is held back
   * until it is judged.
   */
  retries?(parameters: JsonObject): boolean;
  /** The time-out of the check in milliseconds, used if the config does not set `timeout`. 5,000 if absent or undefined. */
  timeoutMs?(parameters: JsonObject): number | undefined;
  /** Creates the check. If it throws, the gateway does not link the plan. Report invalid parameters in `faults` instead. */
  create(parameters: JsonObject, services: CheckServices): Check;
  /** Loads the code of the check and returns the whole guardrail. Only for guardrails that are loaded late. */
  load?(): Promise<Guardrail>;
}

/** How a stream is judged in parts. */
export interface JudgedParts {
  /**
   * How many characters at the end of a part are held back and judged again with the next part: the length of the longest text
   * that the check must see in one piece, minus one.
   */
  readonly overlap: number;
}

/** The services of the gateway that a check may use. */
export interface CheckServices {
  /** The only way to reach other machines. The gateway applies its egress rules to every URL. */
  readonly http: CheckHttp;
  readonly timers: Timers;
  /**
   * Returns an irreversible name for a secret text: `[EMAIL_3f9a…]` for the kind `EMAIL`. The same tenant and text always get the
   * same name.
   */
  placeholder(tenant: TenantId, value: { readonly kind: string; readonly text: string }): string;
}

/** Sends requests from checks to services. */
export interface CheckHttp {
  /**
   * Sends a request and reads the whole answer, whatever its status. Redirects are not followed. Rejects with an `Error` that
   * explains why there is no answer: a refused host, a failed connection, a time-out, or a body that is too large.
   */
  send(request: CheckRequest): Promise<CheckAnswer>;
}

/** A request from a check to a service. */
export interface CheckRequest {
  /** `POST` if absent. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
  /** JSON, unless `headers` set another content type. */
  readonly body?: string;
  /** The time-out in milliseconds; 5,000 if absent. The check's own `timeout` also ends the request. */
  readonly timeoutMs?: number;
  /** The maximum size of the answer in bytes; 1 MiB if absent. */
  readonly maxBytes?: number;
  /**
   * Whether the URL comes from a request or an answer rather than from the config. It may then only name hosts that callers may
   * name, whoever wrote the config.
   */
  readonly urlFromText?: boolean;
  /** Pass the cancellation of the check's input, so that the request is aborted when the client disconnects. */
  readonly cancellation: Cancellation;
  /**
   * The tenant that the request is sent for; connections are only shared within a tenant. Required only if `cancellation` is not
   * that of the input, which already identifies its tenant.
   */
  readonly tenant?: TenantId;
}

/** The answer of a service that a check called. */
export interface CheckAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly text: string;
  /** The body as received, which might not be text. Services used in tests may omit it. */
  readonly bytes?: Uint8Array;
}

/** The definition of a check, as passed to `defineGuardrail`. */
export interface GuardrailDefinition<Schema extends ParameterSchema> {
  readonly id: string;
  /** Other ids that configs may use, in any case. */
  readonly aliases?: readonly string[];
  readonly phases?: readonly CheckPhase[];
  readonly parameters: Schema;
  /** Whether the check compares an answer with the `reference` of its input. */
  readonly comparesAnswers?: boolean;
  /** Whether patterns may be written as `/pattern/flags`. */
  readonly readsFlags?: boolean;
  /** Parameter values that only work in the input phase, by parameter name. */
  readonly requestValues?: { readonly [parameter: string]: readonly string[] };
  /** Returns the errors in parameters that match the schema, one sentence each. Called by the compiler. */
  faults?(parameters: FromSchema<Schema>): readonly string[];
  /** Returns how a stream can be judged while it arrives, or undefined if these parameters require the whole text. */
  parts?(parameters: FromSchema<Schema>): JudgedParts | undefined;
  /** Whether verdicts with these parameters may replace what is judged. */
  rewrites?(parameters: FromSchema<Schema>): boolean;
  /** Whether verdicts with these parameters may request one more attempt. */
  retries?(parameters: FromSchema<Schema>): boolean;
  /** The time-out of the check in milliseconds, used if the config does not set `timeout`. 5,000 if absent or undefined. */
  timeoutMs?(parameters: FromSchema<Schema>): number | undefined;
  /** Creates the check. Runs once, when a plan is linked, with valid parameters and their defaults filled in. */
  create(parameters: FromSchema<Schema>, services: CheckServices): Check;
}

/** Returns all ids by which configs may name a guardrail, in lower case, because configs may write them in any case. */
export const guardrailNames = ({ id, aliases = [] }: Pick<Guardrail, 'id' | 'aliases'>): readonly string[] =>
  [id, ...aliases].map((name) => name.toLowerCase());

/** Defines a guardrail. The types of its parameters are derived from their schema. */
export const defineGuardrail = <const Schema extends ParameterSchema>(
  definition: GuardrailDefinition<Schema>,
): Guardrail => definition as unknown as Guardrail;

/** Returns a passing verdict, optionally with an explanation. */
export const pass = (explanation?: string): Verdict => ({
  pass: true,
  data: explanation === undefined ? {} : { explanation },
});

/** Returns a failing verdict. Explain the reason in one sentence. */
export const fail = (explanation: string): Verdict => ({ pass: false, data: { explanation } });

import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { TextSpan } from '../dialect/dialect.ts';
import type { Operation, TenantId } from '../exchange/exchange.ts';
import type { Cancellation, RawHeaders } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import type { FromSchema, ParameterSchema } from '../parameters/from-schema.ts';

/**
 * The input of a check. `text` is what follows the last message of the model in a request, or everything in the choices
 * of an answer: texts, refusals, reasoning and the arguments of tool calls, one per line. Texts of an answer that follow each
 * other are one.
 */
export interface CheckInput {
  readonly phase: CheckPhase;
  /** Of a stream that is judged in parts, the part that is judged now. */
  readonly text: string;
  /** The pieces of `text`, in order, with the place of each in the body. A stream's pieces have the pointer of the root. */
  readonly spans: readonly TextSpan[];
  readonly metadata: JsonObject;
  /** The tenant whose request it is. */
  readonly tenant: TenantId;
  readonly request: CheckedRequest;
  /** Where the request goes. */
  readonly target: CheckedTarget;
  /**
   * The text of the answer that the client was given, where the judged one is that of a copy of its request; absent for all
   * other requests.
   */
  readonly reference?: string;
  /** The answer as JSON; absent in the input phase, and while a stream is judged in parts. */
  readonly answer?: JsonObject;
  readonly cancellation: Cancellation;
}

/** The request that a check judges, or whose answer it judges. */
export interface CheckedRequest {
  /** The body in the client's dialect, with the target's overrides. */
  readonly json: JsonObject;
  readonly headers: RawHeaders;
  readonly dialect: string;
  readonly operation: Operation;
  /** The text that input checks judge of it, one line for each piece; absent where none can be read. */
  readonly text?: string | undefined;
  /** Its text before that, one line for each piece: the instructions and the earlier turns; absent if there is none. */
  readonly earlierText?: string | undefined;
}

/** The target of the request that a check judges. */
export interface CheckedTarget {
  readonly provider: string;
  /** The model that will be called, if the request or the target names one. */
  readonly model?: string;
}

/** New text for a part of a judged piece. `from` and `to` count its UTF-16 units; `to` is exclusive. */
export interface Replacement {
  /** The index of the piece in `CheckInput.spans`. */
  readonly span: number;
  readonly from: number;
  readonly to: number;
  readonly with: string;
}

/** A verdict is returned; if a check throws, the plugin has failed, which is not a verdict. */
export interface Verdict {
  readonly pass: boolean;
  /** Shown in `hook_results`. */
  readonly data: Json;
  /** Shown in `hook_results` as `log`: what the check sent to another service, for instance. */
  readonly log?: Json;
  /** The replacements of parts of the judged texts. Replacements may not overlap. */
  readonly replace?: readonly Replacement[];
  /** A whole new body, in the client's dialect: of the request, or of the answer. It wins over `replace`. */
  readonly body?: JsonObject;
  /**
   * The original of each placeholder in the replaced texts: wherever the answer has a placeholder, its client is given
   * the value again. Only in the input phase.
   */
  readonly restore?: { readonly [placeholder: string]: string };
  /**
   * Asks for one more attempt, in which the model is instructed what was wrong. Only in the output phase, with a verdict that
   * fails, of a check that `retries`; it is made if every check that fails asks for it, once for each time that a request
   * comes to its target.
   */
  readonly retry?: AnswerRetry;
}

/** The turns that are added for one more attempt, after the request and its answer. */
export interface AnswerRetry {
  /** The text that says what was wrong, and what to answer: a turn of the user. At most 20,000 characters. */
  readonly say: string;
  /** The choice that was wrong, whose text is the turn of the model; the first if absent. */
  readonly choice?: number;
}

/** Judges an input. `withinMs` is how long its verdict is waited for, in milliseconds. */
export type Check = (input: CheckInput, withinMs?: number) => Verdict | Promise<Verdict>;

/** A check as the gateway runs it. `defineGuardrail` makes one. */
export interface Guardrail {
  /** `<plugin>.<name>`; configs may spell it in any case. */
  readonly id: string;
  /** Further ids that configs may use, in any case. Results and plans show `id`. */
  readonly aliases?: readonly string[];
  /** The phases in which it can be used; both if absent. */
  readonly phases?: readonly CheckPhase[];
  /** Closed by the compiler, with the members that every check accepts (`failOnError`, `timeout`, `id`). */
  readonly parameters: ParameterSchema;
  /**
   * Lists what is wrong with parameters that fit the schema, a sentence each: what a schema cannot say, such as a range
   * whose ends are in the wrong order. The compiler asks it, so that each error is a diagnostic of the config.
   */
  faults?(parameters: JsonObject): readonly string[];
  /** Whether it compares an answer with the `reference`: such a check stands in the `checks` of a mirror, and nowhere else. */
  readonly comparesAnswers?: boolean;
  /** Whether its patterns may be written as `/pattern/flags`: of others the compiler says that slashes are searched for. */
  readonly readsFlags?: boolean;
  /**
   * Values of parameters that do what they say in requests alone, by the parameter: `{ action: ['redact-reversibly'] }`. The compiler
   * warns of one where answers are checked.
   */
  readonly requestValues?: { readonly [parameter: string]: readonly string[] };
  /**
   * How a stream can be judged while it arrives: undefined if these parameters need the whole text, as does a check
   * without the method. A fail of a part is a fail of the whole; a whole that passes has only parts that pass.
   */
  parts?(parameters: JsonObject): JudgedParts | undefined;
  /**
   * Whether verdicts may have `replace` or `body` with these parameters. A stream is then held back until it is judged,
   * and of a request the check is also given the instructions and the earlier turns, which the client sends again with
   * each turn: only what it replaces there counts. Of a check that says so of no parameters, replacements are only made
   * where an answer is held for another reason.
   */
  rewrites?(parameters: JsonObject): boolean;
  /**
   * Whether verdicts may have `retry` with these parameters. Plans count the further attempt, and a stream is held back
   * until it is judged.
   */
  retries?(parameters: JsonObject): boolean;
  /** The time-out of the check in milliseconds, where the config has no `timeout`; 5,000 if absent or undefined. */
  timeoutMs?(parameters: JsonObject): number | undefined;
  /** A throw stops the gateway from linking the plan: `faults` reports what is wrong with parameters. */
  create(parameters: JsonObject, services: CheckServices): Check;
  /** Gives the same guardrail with its code; only of one whose code is loaded late. */
  load?(): Promise<Guardrail>;
}

/** How a check judges a stream in parts. */
export interface JudgedParts {
  /**
   * The characters at the end of a part that are judged again with the next one, and are not sent before: the longest
   * text, less one, that the check must see in one piece.
   */
  readonly overlap: number;
}

/** The services of the gateway that a check may use. */
export interface CheckServices {
  /** The only way to other machines: every URL passes the gateway's rules for egress. */
  readonly http: CheckHttp;
  readonly timers: Timers;
  /**
   * A name for a secret text that nobody can undo, the same for the same tenant and text: `[EMAIL_3f9a…]` for the kind
   * `EMAIL`.
   */
  placeholder(tenant: TenantId, value: { readonly kind: string; readonly text: string }): string;
}

/** Requests of checks to services. */
export interface CheckHttp {
  /**
   * Sends a request and reads its answer whole, whatever its status. No redirect is followed. Rejects with an `Error`
   * that says why there is no answer: a refused host, a failed connection, a time-out, too large a body.
   */
  send(request: CheckRequest): Promise<CheckAnswer>;
}

/** A request of a check to a service. */
export interface CheckRequest {
  /** `POST` if absent. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
  /** JSON unless `headers` say otherwise. */
  readonly body?: string;
  /** Milliseconds; 5,000 if absent. A check's own `timeout` ends it as well. */
  readonly timeoutMs?: number;
  /** The largest answer, in bytes; 1 MiB if absent. */
  readonly maxBytes?: number;
  /**
   * Whether the URL was found in a request or an answer, rather than in the config: it may then only name hosts that
   * callers may name, whoever wrote the config.
   */
  readonly urlFromText?: boolean;
  /** The input's, so that the request ends when the client leaves. */
  readonly cancellation: Cancellation;
  /**
   * The tenant that the request is sent for, with whose others it shares connections. It is needed only with another
   * cancellation than the input's, which names its tenant.
   */
  readonly tenant?: TenantId;
}

/** The answer of a service that a check asked. */
export interface CheckAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly text: string;
  /** The body as it was received, where it may be no text; a test's service need not give it. */
  readonly bytes?: Uint8Array;
}

/** A check as a plugin writes it, for `defineGuardrail`. */
export interface GuardrailDefinition<Schema extends ParameterSchema> {
  readonly id: string;
  /** Further ids that configs may use, in any case. */
  readonly aliases?: readonly string[];
  readonly phases?: readonly CheckPhase[];
  readonly parameters: Schema;
  /** Whether it compares an answer with the `reference` of its input. */
  readonly comparesAnswers?: boolean;
  /** Whether its patterns may be written as `/pattern/flags`. */
  readonly readsFlags?: boolean;
  /** Values of parameters that do what they say in requests alone, by the parameter. */
  readonly requestValues?: { readonly [parameter: string]: readonly string[] };
  /** Lists what is wrong with parameters that fit the schema, a sentence each; asked by the compiler. */
  faults?(parameters: FromSchema<Schema>): readonly string[];
  /** How a stream can be judged while it arrives; undefined if these parameters need the whole text. */
  parts?(parameters: FromSchema<Schema>): JudgedParts | undefined;
  /** Whether verdicts may replace what is judged. */
  rewrites?(parameters: FromSchema<Schema>): boolean;
  /** Whether verdicts may ask for one more attempt. */
  retries?(parameters: FromSchema<Schema>): boolean;
  /** The time-out of the check in milliseconds, where the config has no `timeout`; 5,000 if absent or undefined. */
  timeoutMs?(parameters: FromSchema<Schema>): number | undefined;
  /** Runs once, when a plan is linked; the parameters are valid and their defaults filled in. */
  create(parameters: FromSchema<Schema>, services: CheckServices): Check;
}

/** All ids by which configs may name a guardrail, in lower case: they may spell them in any case. */
export const guardrailNames = ({ id, aliases = [] }: Pick<Guardrail, 'id' | 'aliases'>): readonly string[] =>
  [id, ...aliases].map((name) => name.toLowerCase());

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

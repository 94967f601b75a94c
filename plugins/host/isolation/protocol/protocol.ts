import type { JsonObject } from '../../../../schema/json/json.ts';
import type {
  CheckAnswer,
  CheckInput,
  CheckRequest,
  Guardrail,
  JudgedParts,
} from '../../../sdk/guardrail/guardrail.ts';
import type { PluginPermissions } from '../../../sdk/plugin/plugin.ts';
import type { PluginEntry } from '../../loading/plugin-entry.ts';
import type { PluginProblem } from '../../loading/plugin-problem.ts';

/** A message from the gateway to the process of an isolated plugin: one JSON text per line. */
export type HostMessage =
  | { readonly kind: 'load'; readonly entry: PluginEntry; readonly file: string }
  /** Variables that the plugin declares, which were not known when the process was started. */
  | { readonly kind: 'environment'; readonly values: { readonly [name: string]: string } }
  | ({ readonly kind: 'ask'; readonly id: number } & Question)
  | RunMessage
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: PlainAnswer }
  | { readonly kind: 'no-answer'; readonly id: number; readonly message: string };

/** A question about parameters: how the check describes them, or whether it can be created with them. */
export interface Question {
  readonly about: 'declaration' | 'creation';
  readonly check: string;
  readonly parameters: JsonObject;
}

/** One call of a check. */
export interface RunMessage extends RunMembers {
  readonly kind: 'run';
  readonly id: number;
}

/** The members of a call that do not depend on the process that runs it. */
export interface RunMembers {
  readonly check: string;
  readonly parameters: JsonObject;
  readonly input: Omit<CheckInput, 'cancellation'>;
  readonly withinMs: number;
  /** The key for placeholders of this call's tenant. */
  readonly placeholderKey: string;
}

/** A message from the process. It must not be trusted, because the plugin can write messages too. */
export type ChildMessage =
  | { readonly kind: 'refused'; readonly problems: readonly PluginProblem[] }
  | { readonly kind: 'loaded'; readonly plugin: DescribedPlugin }
  /** The process is about to answer the question. If it stops responding, this question occupies it. */
  | { readonly kind: 'asked'; readonly id: number }
  | { readonly kind: 'described'; readonly id: number; readonly answered: DescribedParameters }
  /** The check is about to start or to continue. If the process stops responding, the last call reported this way occupies it. */
  | { readonly kind: 'started'; readonly id: number }
  /** The process has read that the call is cancelled. */
  | { readonly kind: 'cancelled'; readonly id: number }
  | VerdictMessage
  | { readonly kind: 'failed'; readonly id: number; readonly name: string; readonly message: string }
  | { readonly kind: 'http'; readonly id: number; readonly call: number; readonly request: PlainRequest };

export interface VerdictMessage {
  readonly kind: 'verdict';
  readonly id: number;
  readonly verdict: unknown;
  /** Whether the check read something that may differ between targets. */
  readonly isOfTarget: boolean;
}

/** A request of a check, without the members that belong to its call. */
export type PlainRequest = Omit<CheckRequest, 'cancellation' | 'tenant'>;

/** The answer to such a request, with its bytes in base64. */
export interface PlainAnswer extends Omit<CheckAnswer, 'bytes'> {
  readonly bytes?: string;
}

/** How a check describes parameters beyond its schema, as returned by the members of `Guardrail`. */
export interface DescribedParameters {
  /** For a question about creation: why the check cannot be created. */
  readonly faults: readonly string[];
  readonly parts?: JudgedParts;
  readonly rewrites?: boolean;
  readonly retries?: boolean;
  readonly timeoutMs?: number;
}

/** A plugin as its process describes it. */
export interface DescribedPlugin {
  readonly name: string;
  readonly permissions?: PluginPermissions;
  /**
   * The members that the plugin has other than checks, such as `providers`, `routes` and `apply`. An isolated plugin may have
   * none of them.
   */
  readonly beside: readonly string[];
  readonly guardrails: readonly DescribedGuardrail[];
}

/** A member with which a check describes its parameters. */
export type DescribingMember = Extract<keyof Guardrail, 'faults' | 'parts' | 'rewrites' | 'retries' | 'timeoutMs'>;

export const describingMembers: readonly DescribingMember[] = ['faults', 'parts', 'rewrites', 'retries', 'timeoutMs'];

type DescribedMember = 'id' | 'aliases' | 'phases' | 'comparesAnswers' | 'readsFlags' | 'requestValues' | 'parameters';

export interface DescribedGuardrail extends Pick<Guardrail, DescribedMember> {
  /** The members with which the check describes its parameters. */
  readonly describes: readonly DescribingMember[];
}

/** The maximum length of a message, unless it answers a large request. */
export const defaultLine: number = 4 * 1024 * 1024;

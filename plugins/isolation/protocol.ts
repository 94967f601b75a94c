import type { JsonObject } from '../../schema/json.ts';
import type { PluginEntry } from '../loading/plugin-entry.ts';
import type { PluginProblem } from '../loading/plugin-problem.ts';
import type { ParameterSchema } from '../sdk/from-schema.ts';
import type { CheckAnswer, CheckInput, CheckRequest, JudgedParts } from '../sdk/guardrail.ts';
import type { PluginPermissions } from '../sdk/plugin.ts';

/** What the gateway sends to the process of an isolated plugin, one JSON text on a line each. */
export type HostMessage =
  | { readonly kind: 'load'; readonly entry: PluginEntry; readonly file: string }
  /** Variables that the plugin itself declares, which were not known when the process was started. */
  | { readonly kind: 'environment'; readonly values: { readonly [name: string]: string } }
  | { readonly kind: 'ask'; readonly id: number; readonly check: string; readonly parameters: JsonObject }
  | RunMessage
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: CheckAnswer }
  | { readonly kind: 'no-answer'; readonly id: number; readonly message: string };

/** One call of a check. */
export interface RunMessage {
  readonly kind: 'run';
  readonly id: number;
  readonly check: string;
  readonly parameters: JsonObject;
  readonly input: Omit<CheckInput, 'cancellation'>;
  readonly withinMs: number;
  /** What the placeholders of this call's tenant are made with. */
  readonly placeholderKey: string;
}

/** What the process sends. Nothing of it is trusted: a plugin can write here, too. */
export type ChildMessage =
  | { readonly kind: 'refused'; readonly problems: readonly PluginProblem[] }
  | { readonly kind: 'loaded'; readonly plugin: DescribedPlugin }
  | { readonly kind: 'told'; readonly id: number; readonly told: ToldParameters }
  /** The check is about to run: if the process stops answering, this call is the last one that it began. */
  | { readonly kind: 'started'; readonly id: number }
  /** The process has read that the call is cancelled. */
  | { readonly kind: 'cancelled'; readonly id: number }
  | { readonly kind: 'verdict'; readonly id: number; readonly verdict: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'http'; readonly id: number; readonly call: number; readonly request: PlainRequest };

/** A request of a check, without what cannot be written as JSON. */
export type PlainRequest = Omit<CheckRequest, 'cancellation'>;

/** What a check says of parameters beside its schema. */
export interface ToldParameters {
  readonly faults: readonly string[];
  readonly parts?: JudgedParts;
}

/** A plugin as its process describes it. */
export interface DescribedPlugin {
  readonly name: string;
  readonly permissions?: PluginPermissions;
  /** What it has beside checks: `providers`, `dialects`, `caches`, `apply`. An isolated plugin may have none of it. */
  readonly beside: readonly string[];
  readonly guardrails: readonly DescribedGuardrail[];
}

export interface DescribedGuardrail {
  readonly id: string;
  readonly phases?: readonly ('input' | 'output')[];
  readonly parameters: ParameterSchema;
  /** Whether it says anything of parameters beside their schema. */
  readonly tells: boolean;
}

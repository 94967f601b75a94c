import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { SavedPrompt, SavedProvider } from '../../../schema/config/saved.ts';
import type { Config } from '../../../schema/generated/config.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import type { InheritedField } from './inheritance.ts';
import type { IrHook } from './ir-hook.ts';

/** One config of the text, the root or a target, with everything that it states made explicit. */
export interface IrNode {
  readonly pointer: JsonPointer;
  /** Its own members, without invalid ones. */
  readonly config: Config;
  /** The settings that it states itself. */
  readonly own: Settings;
  /** The settings that apply here: its own and the inherited ones. */
  readonly settings: Settings;
  readonly shape: IrLeaf | IrGroup;
  /** Present for the target of a mirror. */
  readonly isCopy?: true;
  /** Absent if no requests are copied here, or if the config makes that impossible. */
  readonly mirror?: IrMirror;
}

/** Where copies of a config's requests go. */
export interface IrMirror {
  /** The place in the config that states it. */
  readonly pointer: JsonPointer;
  readonly percent: number;
  /** A leaf, with the checks of the mirror as its output hooks. */
  readonly target: IrNode;
}

export interface IrLeaf {
  readonly kind: 'leaf';
  readonly source: IrSource;
  /** The prompt that it sends instead of the client's messages. */
  readonly prompt?: IrPrompt;
}

/** The stored prompt that a leaf names. */
export interface IrPrompt {
  readonly at: JsonPointer;
  readonly reference: string;
  /** Absent if there is no prompt with that name. */
  readonly found?: SavedPrompt;
}

export interface IrGroup {
  readonly kind: 'group';
  /** Absent if the strategy is invalid, so that only its targets can be checked. */
  readonly mode?: 'single' | 'loadbalance' | 'fallback' | 'conditional';
  readonly targets: readonly IrNode[];
  readonly conditions: readonly IrCondition[];
  readonly default?: Placed<string>;
}

export interface IrCondition {
  readonly pointer: JsonPointer;
  /** Absent if the query is invalid. */
  readonly when?: Condition;
  /** Absent if it is invalid. */
  readonly then?: Placed<string>;
}

/** A value with the place that states it. */
export interface Placed<Value> {
  readonly value: Value;
  readonly pointer: JsonPointer;
}

/** Where a leaf's requests go. If `provider` or `saved` is absent, the name does not exist. */
export type IrSource =
  | { readonly kind: 'inline'; readonly name: string; readonly provider?: Provider }
  | {
      readonly kind: 'saved';
      /** The member that names it. */
      readonly by: 'provider' | 'virtual_key' | 'override_params' | 'prompt_id';
      /** The place that names it. */
      readonly at: JsonPointer;
      readonly slug: string;
      readonly model?: string;
      readonly saved?: SavedProvider;
      readonly provider?: Provider;
    }
  /** A prompt that does not exist. */
  | { readonly kind: 'prompt'; readonly promptId: string }
  | { readonly kind: 'request' }
  /** A target that names no provider. */
  | { readonly kind: 'none' };

/** The settings that targets inherit, each with the place that states it: one member for each such row of `inheritance`. */
export type Settings = {
  readonly [Field in InheritedField]?: Placed<
    Field extends keyof Config ? NonNullable<Config[Field]> : readonly IrHook[]
  >;
};

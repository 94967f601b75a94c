import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { SavedPrompt, SavedProvider } from '../../../schema/config/saved.ts';
import type { Config } from '../../../schema/generated/config.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import type { InheritedField } from './inheritance.ts';
import type { IrHook } from './ir-hook.ts';

/** One config of the text: the root or a target, with all it says made explicit. */
export interface IrNode {
  readonly pointer: JsonPointer;
  /** Its own members, those without meaning left out. */
  readonly config: Config;
  /** The settings that it states itself. */
  readonly own: Settings;
  /** The settings that hold here: its own and the inherited. */
  readonly settings: Settings;
  readonly shape: IrLeaf | IrGroup;
  /** The target of a mirror; absent for all others. */
  readonly isCopy?: true;
  /** Absent if no requests are copied here, or none can be as the config says. */
  readonly mirror?: IrMirror;
}

/** Where copies of a config's requests go. */
export interface IrMirror {
  /** Where the config states it. */
  readonly pointer: JsonPointer;
  readonly percent: number;
  /** A leaf, whose output hooks are the checks of the mirror. */
  readonly target: IrNode;
}

export interface IrLeaf {
  readonly kind: 'leaf';
  readonly source: IrSource;
  /** The prompt that it sends in place of the client's messages. */
  readonly prompt?: IrPrompt;
}

/** The stored prompt that a leaf names. */
export interface IrPrompt {
  readonly at: JsonPointer;
  readonly reference: string;
  /** Absent: there is none of the name. */
  readonly found?: SavedPrompt;
}

export interface IrGroup {
  readonly kind: 'group';
  /** Absent where the strategy has no meaning, so that only its targets can be checked. */
  readonly mode?: 'single' | 'loadbalance' | 'fallback' | 'conditional';
  readonly targets: readonly IrNode[];
  readonly conditions: readonly IrCondition[];
  readonly default?: Stated<string>;
}

export interface IrCondition {
  readonly pointer: JsonPointer;
  /** Absent where the query has no meaning. */
  readonly when?: Condition;
  /** Absent where it has no meaning. */
  readonly then?: Stated<string>;
}

/** A value with the place that states it. */
export interface Stated<Value> {
  readonly value: Value;
  readonly pointer: JsonPointer;
}

/** Where a leaf's requests go. An absent `provider` or `saved` means that there is none of the name. */
export type IrSource =
  | { readonly kind: 'inline'; readonly name: string; readonly provider?: Provider }
  | {
      readonly kind: 'saved';
      /** The member that names it. */
      readonly by: 'provider' | 'virtual_key' | 'override_params' | 'prompt_id';
      /** Where it is named. */
      readonly at: JsonPointer;
      readonly slug: string;
      readonly model?: string;
      readonly saved?: SavedProvider;
      readonly provider?: Provider;
    }
  /** A prompt that there is not. */
  | { readonly kind: 'prompt'; readonly promptId: string }
  | { readonly kind: 'request' }
  /** A target that names none. */
  | { readonly kind: 'none' };

/** The settings that targets inherit, each with the place that states it: a member for each such row of `inheritance`. */
export type Settings = {
  readonly [Field in InheritedField]?: Stated<
    Field extends keyof Config ? NonNullable<Config[Field]> : readonly IrHook[]
  >;
};

import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** Why a plugin that the gateway file names cannot be used. */
export interface PluginProblem {
  readonly code:
    | 'plugin-not-found'
    | 'plugin-failed'
    | 'not-a-plugin'
    | 'wrong-plugin-api'
    | 'wrong-plugin-options'
    | 'wrong-sdk-range'
    | 'wrong-permissions'
    | 'not-isolable'
    | 'duplicate-name';
  /** Its position in the gateway file. */
  readonly pointer: JsonPointer;
  /** One full sentence: the fact. */
  readonly message: string;
  /** Says what to do. */
  readonly hint: string;
}

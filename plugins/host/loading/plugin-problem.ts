import type { PluginCode } from '../../../schema/errors/finding-code.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** Why a plugin that the gateway file names cannot be used. */
export interface PluginProblem {
  readonly code: PluginCode;
  /** Its position in the gateway file. */
  readonly pointer: JsonPointer;
  /** The fact, in one full sentence. */
  readonly message: string;
  /** How to fix it. */
  readonly hint: string;
}

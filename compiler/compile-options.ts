import type { Catalogue } from '../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../schema/config/saved.ts';
import type { Trust } from '../schema/config/trust.ts';
import type { FindUntrusted } from '../schema/http/is-trusted.ts';
import type { FindModelFacts } from '../schema/model-facts/find-facts.ts';

/** Facts about models, and the day (`2026-11-24`) on which a file is compiled, because the compiler reads no clock. */
export interface KnownModels {
  readonly find: FindModelFacts;
  readonly today: string;
}

export interface CompileOptions {
  /**
   * The owner of the text. An operator's file may refer to secrets. The config of a request, or one that was saved for a tenant,
   * contains them.
   */
  readonly trust: Trust;
  /** Everything that the loaded plugins provide. */
  readonly catalogue: Catalogue;
  /** The names that the gateway file saves for configs; none if absent. */
  readonly saved?: Saved;
  /**
   * Whether a caller is shown a saved name that is similar to the one it wrote, because it may use all of them; false if absent.
   */
  readonly showsNear?: boolean | undefined;
  /** The facts about models, for the warnings of files; none if absent. */
  readonly models?: KnownModels;
  /** Whether the gateway makes vectors of texts for semantic caches, for the warnings of files; unknown if absent. */
  readonly makesVectors?: boolean | undefined;
  /** For the warnings of files; absent if no gateway file is known. */
  readonly findUntrusted?: FindUntrusted | undefined;
  /** Whether to warn, for files, about what other gateways for their format do not support; false if absent. */
  readonly portable?: boolean | undefined;
  /** The name of the file in diagnostics and in the plan's sources. */
  readonly file?: string;
  /** The plan's name if the config of a file has no name of its own. */
  readonly name?: string;
}

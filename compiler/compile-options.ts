import type { Catalogue } from '../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../schema/config/saved.ts';
import type { Trust } from '../schema/config/trust.ts';
import type { FindUntrusted } from '../schema/http/is-trusted.ts';
import type { FindModelFacts } from '../schema/model-facts/find-facts.ts';

/** Facts of models, and the day (`2026-11-24`) on which a file is compiled: the compiler reads no clock. */
export interface KnownModels {
  readonly find: FindModelFacts;
  readonly today: string;
}

export interface CompileOptions {
  /**
   * The owner of the text. An operator's file may refer to secrets; the config of a request, or one that was saved for
   * a tenant, brings them.
   */
  readonly trust: Trust;
  /** Everything that the loaded plugins provide. */
  readonly catalogue: Catalogue;
  /** The names that the gateway file saves for configs; nothing where absent. */
  readonly saved?: Saved;
  /** Whether a caller is shown a saved name that is near the one it wrote, as it may use all of them; false where absent. */
  readonly showsNear?: boolean | undefined;
  /** The facts of models, for the warnings of files; nothing where absent. */
  readonly models?: KnownModels;
  /** Whether the gateway makes vectors of texts for semantic caches, for the warnings of files; not known where absent. */
  readonly makesVectors?: boolean | undefined;
  /** For the warnings of files; absent where no gateway file is known. */
  readonly findUntrusted?: FindUntrusted | undefined;
  /** Whether files are warned of what other gateways for their format do not know; false where absent. */
  readonly portable?: boolean | undefined;
  /** As diagnostics and the plan's sources show it. */
  readonly file?: string;
  /** The plan's name where a file's config has none of its own. */
  readonly name?: string;
}

import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ServiceId } from '../services.ts';
import type { Say } from '../story.ts';
import type { ClientAnswer } from '../tongues/tongue.ts';

/** An agent's view of an answer, and the header that names what its request lost. */
export interface Heeded {
  readonly answer: ClientAnswer;
  readonly dropped: string;
}

export interface AgentOptions {
  /** The origin of the gateway. */
  readonly origin: string;
  readonly config: JsonObject;
  readonly stream: boolean;
  readonly system: string;
}

/**
 * A coding agent that uses its vendor's official library and sends answers back in the form in which the library returned them.
 */
export interface Agent {
  readonly id: string;
  readonly targets: readonly ServiceId[];
  /** Whether it has a tool whose input is plain text. */
  readonly hasPatches: boolean;
  readonly finishes: { readonly calls: string; readonly stop: string };
  begin(options: AgentOptions): (say: Say) => Promise<Heeded>;
}

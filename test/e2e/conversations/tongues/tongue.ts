import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ServiceId } from '../services.ts';
import type { Reply, Say, Story } from '../story.ts';

/** What a client was told in an answer. */
export interface Told extends Reply {
  readonly finish: string;
}

/** A client's side of one conversation: it keeps what it was told as it came, and sends all of it again. */
export interface TongueSession {
  /** The body of the next request. */
  ask(say: Say): JsonObject;
  /** Reads an answer's body. */
  hear(body: JsonObject): Told;
}

/** How the clients of a dialect say a conversation, with what only their own vendor understands. */
export interface Tongue {
  readonly id: string;
  readonly dialect: string;
  /** The service whose dialect it is, which stores its file. */
  readonly home: ServiceId;
  /** The id of that file. */
  readonly file: string;
  readonly path: string;
  /** Whether it marks what is to be cached. */
  readonly caches: boolean;
  /** Whether it can keep a signature beside a thought. */
  readonly keepsSignatures: boolean;
  /** Whether it gets to see thoughts. */
  readonly showsThoughts: boolean;
  readonly isStrict: boolean;
  /** Its words for an answer that calls tools and for one that does not. */
  readonly finishes: { readonly calls: string; readonly stop: string };
  begin(story: Pick<Story, 'system' | 'tools'>): TongueSession;
}

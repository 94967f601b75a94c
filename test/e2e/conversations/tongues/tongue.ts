import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ServiceId } from '../services.ts';
import type { Reply, Say, Story } from '../story.ts';

/** A client's view of an answer. */
export interface ClientAnswer extends Reply {
  readonly finish: string;
}

/** A client's side of one conversation. It keeps answers as they were received, and sends all of them again. */
export interface TongueSession {
  /** The body of the next request. */
  ask(say: Say): JsonObject;
  /** Reads an answer's body. */
  hear(body: JsonObject): ClientAnswer;
}

/** A dialect's clients: how they write a conversation, including members that only their own vendor understands. */
export interface Tongue {
  readonly id: string;
  readonly dialect: string;
  /** The service with this dialect, which stores the client's file. */
  readonly home: ServiceId;
  /** The id of that file. */
  readonly file: string;
  readonly path: string;
  /** Whether it marks what is to be cached. */
  readonly caches: boolean;
  /** Whether it can keep a signature beside a thought. */
  readonly keepsSignatures: boolean;
  /** Whether it receives thoughts. */
  readonly showsThoughts: boolean;
  readonly isStrict: boolean;
  /** Its finish reasons for an answer with tool calls and for one without. */
  readonly finishes: { readonly calls: string; readonly stop: string };
  begin(story: Pick<Story, 'system' | 'tools'>): TongueSession;
}

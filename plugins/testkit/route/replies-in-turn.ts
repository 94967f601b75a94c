import { answers, type UpstreamReply } from './replies.ts';

/** Returns the replies of each target in turn, repeating the last one. A target without replies answers with success. */
export class RepliesInTurn {
  readonly #replies: ReadonlyMap<string, readonly UpstreamReply[]>;
  readonly #given = new Map<string, number>();

  constructor(replies: ReadonlyMap<string, readonly UpstreamReply[]>) {
    this.#replies = replies;
  }

  next(target: string): UpstreamReply {
    const replies = this.#replies.get(target) ?? [];
    const given = this.#given.get(target) ?? 0;
    this.#given.set(target, given + 1);
    return replies[Math.min(given, replies.length - 1)] ?? answers(200);
  }
}

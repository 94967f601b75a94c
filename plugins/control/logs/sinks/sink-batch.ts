import type { FinishedRequest } from '../encoding/noted-request.ts';
import { type BatchMemory, type WaitingBatch, workBytes } from '../writer/log-job.ts';
import type { BodyTexts } from '../writer/sealed-bodies.ts';
import type { RecordsMessage } from './messages.ts';

/** Adds one to the count of each sink whose bit is set. */
export const addBits = (counts: number[], bits: number): void => {
  for (let sink = 0; sink < counts.length; sink += 1) if (bits & (1 << sink)) counts[sink] = (counts[sink] ?? 0) + 1;
};

/** Requests that are handed over to the sinks together. */
export class SinkBatch {
  readonly notes: WaitingBatch;
  /** The bytes that each workspace has in the batch. */
  readonly held: Map<string, number> = new Map();
  /** How many of its records each sink gets. */
  readonly counts: readonly number[];
  readonly #wanted: number[] = [];
  readonly #bodies = new Map<string, string>();
  readonly #counts: number[];
  #bodyBytes = 0;

  constructor(memory: BatchMemory, sinks: number) {
    this.notes = memory.batch();
    this.counts = this.#counts = Array.from({ length: sinks }, () => 0);
  }

  get count(): number {
    return this.notes.count;
  }

  get bytes(): number {
    return this.notes.bytes + this.#bodyBytes;
  }

  /**
   * Adds a request with the texts of its bodies, and returns the number of bytes that it takes; undefined if there is no room for
   * it.
   */
  add(
    request: FinishedRequest,
    { wanted, room, texts, id }: { wanted: number; room: number; texts: BodyTexts | undefined; id?: Uint8Array },
  ): number | undefined {
    const before = this.notes.bytes;
    const bodies = texts === undefined ? undefined : JSON.stringify(texts);
    const bodyBytes = bodies === undefined ? 0 : Buffer.byteLength(bodies);
    const plain = request.bodies === undefined ? request : { ...request, bodies: undefined };
    if (!this.notes.add(plain, room - bodyBytes, id)) return undefined;
    if (bodies !== undefined) this.#bodies.set(this.notes.lastIdText, bodies);
    this.#bodyBytes += bodyBytes;
    this.#wanted.push(wanted);
    addBits(this.#counts, wanted);
    const taken = this.notes.bytes - before + bodyBytes;
    this.held.set(request.workspace, (this.held.get(request.workspace) ?? 0) + taken);
    return taken;
  }

  toMessage(): RecordsMessage {
    return {
      kind: 'records',
      work: workBytes(this.notes.notes, this.#bodies),
      wanted: Uint32Array.from(this.#wanted),
    };
  }
}

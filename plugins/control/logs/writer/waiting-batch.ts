import { GatheredLines } from '../../store/kept-texts.ts';
import type { KeptBodies } from '../record/finished-request.ts';

/** A request that has ended, while it waits. */
export interface WaitingRequest {
  readonly id: string;
  readonly workspace: string;
  /** The JSON of `NoteValues`. */
  readonly line: string;
  readonly bodies: KeptBodies | undefined;
}

/** What its bodies are sealed for. */
export type WithBodies = Omit<WaitingRequest, 'line'> & { readonly bodies: KeptBodies };

/** Records of one transaction: fewer would have the same pages of the indexes written more often. */
const mostRecords = 2000;
/** Bytes of lines of one transaction. */
const leastSize = 64 * 1024;
const mostSize = 2 * 1024 * 1024;

/** What a record takes in memory beside its texts. */
const recordBytes = 200;

/** The bytes that it takes while it waits. */
export const waitingBytes = ({ line, bodies }: WaitingRequest): number =>
  recordBytes + line.length + (bodies?.request?.length ?? 0) + (bodies?.response?.length ?? 0);

/** Requests that are written in one transaction. Their lines wait outside of the heap. */
export class WaitingBatch {
  readonly lines: GatheredLines;
  readonly withBodies: WithBodies[] = [];
  #count = 0;
  #bytes = 0;

  /** @param before the bytes of the lines of the batch before it: it has room for twice as many */
  constructor(first: WaitingRequest, before: number) {
    this.lines = new GatheredLines(Math.min(Math.max(leastSize, 2 * before), mostSize), first.line);
    this.#note(first);
  }

  get count(): number {
    return this.#count;
  }

  /** As `waitingBytes` says, of all of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False if it is full. */
  add(request: WaitingRequest): boolean {
    if (this.#count >= mostRecords || !this.lines.add(request.line)) return false;
    this.#note(request);
    return true;
  }

  #note(request: WaitingRequest): void {
    const { id, workspace, bodies } = request;
    this.#count += 1;
    this.#bytes += waitingBytes(request);
    if (bodies !== undefined) this.withBodies.push({ id, workspace, bodies });
  }
}

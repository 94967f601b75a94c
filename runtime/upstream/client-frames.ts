import type { Frame } from '../../plugins/sdk/dialect.ts';
import type { FrameWriter, Framing } from '../../plugins/sdk/framings/framing.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import { createStageChain, type StageChain } from './stage-chain.ts';
import { noBytes } from './stream-relay.ts';

const joined = (bytes: Buffer, end: Buffer): Buffer => (end.length === 0 ? bytes : Buffer.concat([bytes, end]));

/**
 * The client's side of a stream whose frames are written anew, in the client's framing. They pass through the stages; the
 * gateway's own frames and an error do not, and after an error what the stages hold back is dropped.
 */
export class ClientFrames {
  readonly #framing: Framing;
  readonly #writer: FrameWriter;
  readonly #stages: StageChain | undefined;

  constructor(framing: Framing, stages: readonly StreamStage[] = []) {
    this.#framing = framing;
    this.#writer = framing.createWriter();
    this.#stages = stages.length === 0 ? undefined : createStageChain(stages);
  }

  /** Whether the client's framing can carry a frame that another one has carried. */
  canWrite(frame: Frame): boolean {
    return this.#framing.canWrite?.(frame) ?? true;
  }

  write(frames: readonly Frame[]): Buffer {
    return this.#written(this.#stages === undefined ? frames : this.#stages.push(frames));
  }

  /** The frame of the gateway itself that comes before the answer. */
  begin(frame: Frame): Buffer {
    return this.#writer.write([frame]);
  }

  /** The end of a whole answer. */
  end(): Buffer {
    const bytes = this.#stages === undefined ? noBytes : this.#written(this.#stages.end());
    return joined(bytes, this.#writer.end());
  }

  /** The end of a broken answer: its error. */
  fail(frames: readonly Frame[]): Buffer {
    return joined(this.#written(frames), this.#writer.end());
  }

  #written(frames: readonly Frame[]): Buffer {
    return frames.length === 0 ? noBytes : this.#writer.write(frames);
  }
}

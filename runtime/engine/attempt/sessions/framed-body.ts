import type { Sink, UpstreamBody, UpstreamFailure } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { type ErrorReport, errorReport } from '../../../../schema/errors/errors.ts';
import type { TakeMemory } from '../../../upstream/held-memory.ts';
import type { FrameReader } from './frame-reader.ts';

/** The provider of a session, for errors. */
interface Peer {
  readonly provider: string;
  readonly host: string;
}

/** The bytes of a provider's side of a WebSocket, whose frames are read as they pass. It fails if it ends without being closed. */
export class FramedBody implements UpstreamBody {
  readonly #body: UpstreamBody;
  readonly #frames: FrameReader;
  readonly #peer: Peer;

  constructor(body: UpstreamBody, frames: FrameReader, peer: Peer) {
    this.#body = body;
    this.#frames = frames;
    this.#peer = peer;
  }

  collect(limit: number, take?: TakeMemory): Uint8Array | UpstreamFailure | Promise<Uint8Array | UpstreamFailure> {
    return this.#body.collect(limit, take);
  }

  start(sink: Sink): void {
    const frames = this.#frames;
    this.#body.start({
      write: (chunk) => {
        // Sent first: the session may end with what is read in it.
        const hasRoom = sink.write(chunk);
        frames.read(toBuffer(chunk));
        if (!frames.isBroken) return hasRoom;
        this.#body.discard();
        sink.fail(this.#unreadable);
        return false;
      },
      onDrain: (resume) => sink.onDrain(resume),
      end: () => {
        if (frames.isOver) sink.end();
        else sink.fail(this.#lost);
      },
      fail: (error) => {
        if (frames.isOver) sink.end();
        else sink.fail(error);
      },
    });
  }

  discard(): void {
    this.#body.discard();
  }

  get #unreadable(): ErrorReport {
    const { provider } = this.#peer;
    return errorReport('unreadable-answer', {
      provider,
      reason: 'it has sent bytes that are no frames of a WebSocket.',
    });
  }

  get #lost(): ErrorReport {
    const { host } = this.#peer;
    return errorReport('connection-lost', { host, reason: 'it ended without a close frame.' });
  }
}

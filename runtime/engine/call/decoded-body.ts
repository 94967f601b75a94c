import { PassThrough, type Transform } from 'node:stream';
import { holdChunk } from '../../../plugins/sdk/http/hold-chunk.ts';
import type { Sink, UpstreamAnswer, UpstreamBody, UpstreamFailure } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { decoderFor, findEncoding, isDecodable } from '../../json-bodies/read/decoder-for.ts';
import { withoutMark } from '../../json-bodies/read/unreadable-reason.ts';
import { HeldMemory, type TakeMemory } from '../../upstream/held-memory.ts';

/** The decoded form of a body that a provider, or another service, encoded without being asked to (RFC 9110 §8.4). */
export class DecodedBody implements UpstreamBody {
  readonly #body: UpstreamBody;
  readonly #encoding: string;
  readonly #provider: string;
  /** Created when the first byte has arrived. */
  #decoder: Transform | undefined;

  constructor(body: UpstreamBody, encoding: string, provider: string) {
    this.#body = body;
    this.#encoding = encoding;
    this.#provider = provider;
  }

  collect(limit: number, take?: TakeMemory): Promise<Uint8Array | UpstreamFailure> {
    const chunks: Buffer[] = [];
    const memory = new HeldMemory(take);
    let size = 0;
    return new Promise((settle) => {
      const fail = (error: ErrorReport): void => {
        settle({ kind: 'failure', error });
      };
      this.start({
        write: (chunk) => {
          holdChunk(chunks, toBuffer(chunk));
          size += chunk.length;
          if (size > limit) {
            fail(errorReport('answer-too-large', { limit }));
            this.discard();
          } else if (!memory.admits(size)) {
            fail(errorReport('overloaded', {}));
            this.discard();
          }
          return true;
        },
        onDrain: (resume) => resume(),
        end: () => settle(Buffer.concat(chunks)),
        fail,
      });
    });
  }

  start(sink: Sink): void {
    let failure: ErrorReport | undefined;
    this.#body.start({
      write: (chunk) => {
        if (chunk.length === 0) return true;
        this.#decoder ??= this.#decode(chunk, sink, () => failure);
        return this.#decoder.write(chunk);
      },
      onDrain: (resume) => this.#decoder?.once('drain', resume),
      end: () => {
        // An empty body is not a valid encoding of anything, but providers send it anyway.
        if (this.#decoder === undefined) sink.end();
        else this.#decoder.end();
      },
      fail: (error) => {
        failure = error;
        if (this.#decoder === undefined) sink.fail(error);
        else this.#decoder.destroy(new Error(error.message));
      },
    });
  }

  discard(): void {
    this.#decoder?.removeAllListeners('end').destroy();
    this.#body.discard();
  }

  /** Returns a decoder that writes into the sink. `failure` returns why the transfer failed. */
  #decode(begin: Uint8Array, sink: Sink, failure: () => ErrorReport | undefined): Transform {
    const decoder = decoderFor(this.#encoding, begin) ?? new PassThrough();
    decoder.on('data', (chunk: Buffer) => {
      if (sink.write(chunk)) return;
      decoder.pause();
      sink.onDrain(() => decoder.resume());
    });
    decoder.on('end', () => sink.end());
    decoder.on('error', (error) => {
      this.#body.discard();
      sink.fail(
        failure() ?? errorReport('unreadable-answer', { provider: this.#provider, reason: toSentence(error.message) }),
      );
    });
    return decoder;
  }
}

type Answered = Extract<UpstreamAnswer, { kind: 'answer' }>;

/**
 * Collects the answer of a service to a request of the gateway's own, as a provider's answers are read: decoded, and without a mark
 * before JSON. `service` is its name in errors.
 */
export const collectDecoded = async (
  { headers, body }: Pick<Answered, 'headers' | 'body'>,
  {
    service,
    limit,
    take,
  }: { readonly service: string; readonly limit: number; readonly take?: TakeMemory | undefined },
): Promise<Uint8Array | UpstreamFailure> => {
  const encoding = findEncoding(headers);
  const decoded = isDecodable(encoding) ? new DecodedBody(body, encoding, service) : body;
  const received = await decoded.collect(limit, take);
  return received instanceof Uint8Array ? withoutMark(received) : received;
};

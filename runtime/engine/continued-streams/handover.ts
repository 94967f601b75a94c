import type { BrokenStream, StreamHandover } from '../../../plugins/sdk/http/http.ts';
import type { StreamSource } from '../call/stream-source.ts';

/** The handover of a stream within the gateway. */
export class Handover implements StreamHandover {
  readonly trailer: string = 'x-gw-continued';
  take: ((broken: BrokenStream) => boolean) | undefined;
  readonly source: StreamSource;

  constructor(source: StreamSource) {
    this.source = source;
  }
}

import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { DecodeAnswer, Frame, StreamDecoder } from '../../../sdk/dialect/dialect.ts';
import { streamCut } from '../../shared/parts/stream-cut.ts';
import { decodeStreamError, isError } from '../parts/errors.ts';
import { responseIn } from '../parts/frame.ts';
import { ResponseDecoder } from './response-decoder.ts';

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent. A stream ends only when its bytes end. */
class GeminiStreamDecoder implements StreamDecoder {
  readonly #response: ResponseDecoder;
  #ended = false;

  constructor(options: DecodeAnswer) {
    this.#response = new ResponseDecoder(options);
  }

  push(frame: Frame): readonly AnswerEvent[] {
    // Some services end their streams with [DONE], as in chat completions.
    if (this.#ended || frame.data.startsWith('[DONE]')) return [];
    const response = responseIn(frame);
    if (response === undefined)
      return this.#close({ kind: 'error', error: { message: 'A frame is not a JSON object.' } });
    if (isError(response)) return this.#close({ kind: 'error', error: decodeStreamError(frame) });
    return this.#response.push(response);
  }

  /** Ends the stream. The answer is complete when every candidate that began has its finish reason. */
  end(): readonly AnswerEvent[] {
    if (this.#ended) return [];
    return this.#close(this.#response.isWhole ? { kind: 'end' } : { kind: 'error', error: streamCut });
  }

  #close(last: AnswerEvent): readonly AnswerEvent[] {
    this.#ended = true;
    return [last];
  }
}

export const streamDecoder = (options: DecodeAnswer): StreamDecoder => new GeminiStreamDecoder(options);

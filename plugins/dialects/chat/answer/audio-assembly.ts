import type { MediaPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { audioPart } from '../parts/made-media.ts';

/** The audio of one choice of a stream. Each of its pieces is encoded separately. */
export class AudioAssembly {
  readonly #pieces: Buffer[] = [];

  push(audio: JsonObject | undefined): void {
    const data = findText(audio?.data) ?? '';
    if (data !== '') this.#pieces.push(Buffer.from(data, 'base64'));
  }

  /** Returns undefined if there was no audio. */
  part(): MediaPart | undefined {
    if (this.#pieces.length === 0) return undefined;
    return audioPart(Buffer.concat(this.#pieces).toString('base64'));
  }
}

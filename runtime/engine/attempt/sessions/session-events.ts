import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { objectIn, readStatedUsage } from '../../../../schema/usage/read-stated-usage.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import type { Turn } from '../../attempt-usage/attempt-usage.ts';

const unknownUsage: Usage = { input: 0, output: 0, missing: ['input', 'output'] };

/** How many bytes of an event contain its type, unless a server writes it later. */
const typeBytes = 160;

/** In the types of the events that are frequent and long, and of no others. */
const partMark = Buffer.from('.delta"');

/** Texts of which each event that is read has one. */
const marks: readonly Buffer[] = [
  'response.created',
  'response.done',
  'session.created',
  'session.updated',
  'input_audio_transcription.',
].map((mark) => Buffer.from(mark));

const isMarked = (text: Buffer): boolean => marks.some((mark) => text.includes(mark));

/** Whether an event is a part of something, according to its beginning. A client may choose ids that look like types. */
const isPart = (beginning: Buffer): boolean => beginning.includes(partMark) && !isMarked(beginning);

/** Returns the model that transcribes what the user says, where the current API has it or else the earlier one. */
const transcriber = (session: JsonObject): string | undefined =>
  findText(objectIn(objectIn(objectIn(session, 'audio'), 'input'), 'transcription').model) ??
  findText(objectIn(session, 'input_audio_transcription').model);

const usageIn = (object: JsonObject): Usage => readStatedUsage(objectIn(object, 'usage')) ?? unknownUsage;

/**
 * Reads the events of a session with OpenAI's Realtime API that report usage:
 * https://platform.openai.com/docs/api-reference/realtime-server-events
 */
export class SessionEvents {
  readonly #onTurn: (turn: Turn) => void;
  #model: string | undefined;
  #transcriber: string | undefined;
  /** How many responses have begun and not ended. */
  #open = 0;

  constructor(onTurn: (turn: Turn) => void) {
    this.#onTurn = onTurn;
  }

  /** The model of the session. Undefined if its provider does not name it. */
  get model(): string | undefined {
    return this.#model;
  }

  /** Reads the text of one event. */
  read(text: Buffer): void {
    if (isPart(text.subarray(0, typeBytes)) || !isMarked(text)) return;
    const event = findJsonObject(text);
    if (event !== undefined) this.#readEvent(event);
  }

  /** Called when the session has ended. What was said of an unfinished response was used, but is not known. */
  end(): void {
    if (this.#open > 0) this.#onTurn({ usage: unknownUsage, isWhole: false, model: this.#model });
    this.#open = 0;
  }

  #readEvent(event: JsonObject): void {
    switch (event.type) {
      case 'session.created':
      case 'session.updated':
      // The names of the earlier API for sessions that only transcribe.
      case 'transcription_session.created':
      case 'transcription_session.updated': {
        const session = objectIn(event, 'session');
        this.#model = findText(session.model) ?? this.#model;
        this.#transcriber = transcriber(session) ?? this.#transcriber;
        return;
      }
      case 'response.created':
        this.#open += 1;
        return;
      case 'response.done':
        this.#open = Math.max(0, this.#open - 1);
        this.#onTurn({ usage: usageIn(objectIn(event, 'response')), isWhole: true, model: this.#model });
        return;
      case 'conversation.item.input_audio_transcription.completed':
        this.#onTurn({ usage: usageIn(event), isWhole: true, model: this.#transcriber ?? this.#model });
        return;
      default:
    }
  }
}

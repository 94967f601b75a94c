import type { SendableForm } from '../../../plugins/sdk/http/http.ts';
import { malformed } from '../../../plugins/sdk/multipart/form-part.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { toReadable } from '../../upstream/to-readable.ts';
import { type ReadPart, toFields, toKey, toParts } from './form-fields.ts';
import type { FormSource } from './form-source.ts';

/** A piece of a form: bytes as they were received, by their offsets, or new bytes. */
type Piece = Uint8Array | { readonly from: number; readonly to: number };

const lineEnd = '\r\n';

/** Browsers escape what a quoted name cannot contain in the same way: https://html.spec.whatwg.org/#multipart-form-data. */
const quoted = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export interface ReceivedFormOptions {
  readonly contentType: string;
  readonly boundary: string;
  readonly parts: readonly ReadPart[];
  readonly source: FormSource;
}

const lengthOf = (piece: Piece): number => (piece instanceof Uint8Array ? piece.length : piece.to - piece.from);

/** A form of a client, with the fields that are sent in place of its own. */
export class ReceivedForm implements SendableForm {
  readonly contentType: string;
  readonly fields: JsonObject;
  readonly length: number;
  readonly #form: ReceivedFormOptions;
  readonly #pieces: readonly Piece[];

  constructor(form: ReceivedFormOptions, fields?: JsonObject) {
    const own = toFields(form.parts);
    this.contentType = form.contentType;
    this.fields = fields ?? own;
    this.#form = form;
    this.#pieces = fields === undefined ? [{ from: 0, to: form.source.length }] : this.#written(own, fields);
    this.length = this.#pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  }

  withFields(fields: JsonObject): ReceivedForm {
    return new ReceivedForm(this.#form, fields);
  }

  open(): ReturnType<typeof toReadable> {
    const { source } = this.#form;
    const pieces = this.#pieces;
    const bytes = async function* () {
      for (const piece of pieces) {
        if (piece instanceof Uint8Array) yield piece;
        else yield* source.read(piece.from, piece.to);
      }
    };
    return toReadable(Object.assign(bytes(), { readableDidRead: false, destroyed: false }));
  }

  /**
   * Returns the parts, with the changed ones before the unchanged ones, so that what has to be read of a form to serve it comes
   * first.
   */
  #written(own: JsonObject, fields: JsonObject): readonly Piece[] {
    const { boundary, parts } = this.#form;
    const changed = Object.entries(fields).filter(([key, value]) => !isSame(value, own[key]));
    const kept = parts.filter(({ name }) => {
      const key = toKey(name);
      return Object.hasOwn(fields, key) && isSame(fields[key], own[key]);
    });
    if (changed.length === 0 && kept.length === parts.length) return [{ from: 0, to: this.#form.source.length }];
    const pieces = changed.flatMap(([key, value]) => toParts(key, value).map(([name, text]) => this.#part(name, text)));
    const delimiter = Buffer.from(`--${boundary}`);
    const end = Buffer.from(lineEnd);
    return [
      ...pieces,
      ...kept.flatMap(({ place }): readonly Piece[] => [delimiter, place, end]),
      Buffer.from(`--${boundary}--${lineEnd}`),
    ];
  }

  #part(name: string, text: string): Uint8Array {
    const { boundary } = this.#form;
    const value = Buffer.from(text);
    if (value.includes(`--${boundary}`)) throw malformed('its boundary also occurs in a value that the config sets.');
    const head = `--${boundary}${lineEnd}Content-Disposition: form-data; name="${quoted(name)}"${lineEnd}${lineEnd}`;
    return Buffer.concat([Buffer.from(head), value, Buffer.from(lineEnd)]);
  }
}

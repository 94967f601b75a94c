import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../../../schema/json/pointer.ts';
import { suggestName } from '../../../../../schema/text/closest-name.ts';
import { listNames } from '../../../../../schema/text/list-names.ts';

/** A problem in settings: where, what, and what to do. */
export interface SettingsProblem {
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

/** Reads members of settings, and collects all problems. What cannot be read is returned as empty. */
export class SettingsReader {
  readonly problems: SettingsProblem[] = [];

  report(pointer: JsonPointer, message: string, hint: string): void {
    this.problems.push({ pointer, message, hint });
  }

  object(value: Json | undefined, at: JsonPointer, hint: string): JsonObject {
    if (value === undefined) return {};
    if (isJsonObject(value)) return value;
    this.report(at, 'It must be an object.', hint);
    return {};
  }

  /** Reports members that the settings do not define. */
  only(object: JsonObject, at: JsonPointer, names: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (names.includes(name)) continue;
      const hint = suggestName(name, names, `Remove it. ${listNames(names)}`);
      this.report(childPointer(at, name), 'There is no such setting.', hint);
    }
  }

  /** Reads a non-empty text; returns an empty one if it is not valid. */
  text(
    value: Json | undefined,
    at: JsonPointer,
    { hint, max = 255 }: { readonly hint: string; readonly max?: number },
  ): string {
    if (typeof value === 'string' && value !== '' && value.length <= max) return value;
    const must = `a text of 1 to ${max} characters`;
    this.report(at, value === undefined ? `It is missing: ${must}.` : `It must be ${must}.`, hint);
    return '';
  }

  /** Reads a list of texts, omitting those that are not valid. */
  list(value: Json, at: JsonPointer, hint: string): readonly (readonly [string, JsonPointer])[] {
    if (!Array.isArray(value) || value.length === 0 || value.length > 100) {
      this.report(at, 'It must be a list of 1 to 100 texts.', hint);
      return [];
    }
    return value
      .map(
        (each: Json, index) => [this.text(each, childPointer(at, index), { hint }), childPointer(at, index)] as const,
      )
      .filter(([text]) => text !== '');
  }
}

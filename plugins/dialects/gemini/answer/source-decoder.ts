import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { NewMembers } from '../../shared/answer/new-members.ts';
import { defined } from '../../shared/json/defined.ts';
import { omit } from '../../shared/json/omit.ts';
import { decodeGrounding, decodeRecitations, type Spoken } from './grounding.ts';

const none: readonly AnswerEvent[] = [];

/** The members of `groundingMetadata` that are citations. */
const cited: ReadonlySet<string> = new Set(['groundingChunks', 'groundingSupports']);

/**
 * Decodes the sources of a candidate. Sources are reported with the frame that contains them, so that no client gets them before
 * they are judged. Later frames repeat them.
 */
export class SourceDecoder {
  readonly #choice: number;
  readonly #searched = new NewMembers();
  readonly #recited = new NewMembers();
  /** The citations reported so far, as JSON. */
  readonly #cited = new Set<string>();

  constructor(choice: number) {
    this.#choice = choice;
  }

  push({ groundingMetadata, citationMetadata }: JsonObject, spoken: Spoken): readonly AnswerEvent[] {
    const [grounding, recited] = [findObject(groundingMetadata), findObject(citationMetadata)];
    if (grounding === undefined && recited === undefined) return none;
    return [
      ...this.#extend(grounding ?? {}, recited ?? {}, spoken.said.lastBlock !== undefined),
      ...this.#cite(grounding ?? {}, recited ?? {}, spoken),
    ];
  }

  /** Adds the members that are not citations. Without a text, no member is a citation. */
  #extend(grounding: JsonObject, recited: JsonObject, hasText: boolean): readonly AnswerEvent[] {
    const value = defined({
      groundingMetadata: this.#searched.of((hasText ? omit(grounding, cited) : grounding) ?? {}),
      citationMetadata: hasText ? undefined : this.#recited.of(recited),
    });
    if (value.groundingMetadata === undefined && value.citationMetadata === undefined) return none;
    return [{ kind: 'extension', choice: this.#choice, dialect: 'gemini', value: value as JsonObject }];
  }

  #cite(grounding: JsonObject, recited: JsonObject, spoken: Spoken): readonly AnswerEvent[] {
    return [...decodeGrounding(grounding, spoken), ...decodeRecitations(recited, spoken)].flatMap((placed) => {
      const text = JSON.stringify(placed);
      if (this.#cited.has(text)) return none;
      this.#cited.add(text);
      return [{ kind: 'citation' as const, choice: this.#choice, ...placed }];
    });
  }
}

import type { JsonPointer } from '../../../schema/json/pointer.ts';

/**
 * A text of a body that a check judges. `tool-arguments` are unescaped: the strings of the JSON, one per line. `citation`
 * is what an answer quotes of its sources, such as their titles. `other` is what is neither said nor quoted: a name, or a
 * member that the format does not document.
 */
export interface TextSpan {
  readonly at: JsonPointer;
  readonly text: string;
  /** Where else its later parts are written, if several places of a body are read as one text: each from an offset on. */
  readonly further?: readonly { readonly at: JsonPointer; readonly from: number }[];
  readonly choice?: number;
  /** The text is the name of the member at `at`, not its value. */
  readonly isName?: true;
  readonly kind:
    | 'text'
    | 'tool-arguments'
    | 'tool-result'
    | 'reasoning'
    | 'refusal'
    | 'server-tool'
    | 'citation'
    | 'other';
}

/** Where texts are found, and what they are. */
export interface SpanPlace {
  readonly at: JsonPointer;
  readonly kind: TextSpan['kind'];
  readonly choice?: number;
}

/** The texts of a stream's frame. */
export interface FrameTexts {
  /** Those that no event reports. */
  readonly unreported: readonly TextSpan[];
  /**
   * Those that events are to report, with the string that is written there. A decoder that knows one of two members which say
   * something reports that one alone.
   */
  readonly reported: readonly { readonly span: TextSpan; readonly written: string }[];
}

/** How the texts of a body are read. */
export interface TextReading {
  /** `all`: of a request, the turns before the last one of the model are judged too. */
  readonly turns: 'new' | 'all';
  /** Whether members that the format does not document are judged. */
  readonly unknown: 'judge' | 'allow';
}

/** How texts are read where nothing else is said. */
export const defaultReading: TextReading = { turns: 'new', unknown: 'judge' };

/** The settings of a gateway file about reading it. */
export interface ReadingSettings {
  readonly judged_turns?: TextReading['turns'];
  readonly unjudged_members?: TextReading['unknown'];
}

export const toReading = (settings: ReadingSettings): TextReading => ({
  turns: settings.judged_turns ?? defaultReading.turns,
  unknown: settings.unjudged_members ?? defaultReading.unknown,
});

import type { JsonPointer } from '../../../schema/json/pointer.ts';

/**
 * A text in a body that a check judges. `tool-arguments` are unescaped: the strings in the JSON, one per line. `citation` is what
 * an answer quotes from its sources, such as their titles. `other` is neither speech nor a quotation: a name, or a member that
 * the format does not document.
 */
export interface TextSpan {
  readonly at: JsonPointer;
  readonly text: string;
  /**
   * Where the later parts of the text are, if several places of a body are read as one text. Each has the offset at which it
   * starts.
   */
  readonly further?: readonly { readonly at: JsonPointer; readonly from: number }[];
  readonly choice?: number;
  /** Whether the text is the name of the member at `at`, rather than its value. */
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

/** The place and the kind of a text. */
export interface SpanPlace {
  readonly at: JsonPointer;
  readonly kind: TextSpan['kind'];
  readonly choice?: number;
}

/** The texts of a stream's frame. */
export interface FrameTexts {
  /** Texts that no event reports. */
  readonly unreported: readonly TextSpan[];
  /**
   * Texts that events should report, each with the string in the frame. If two members contain the same text, a decoder that
   * knows one of them reports only that one.
   */
  readonly reported: readonly { readonly span: TextSpan; readonly written: string }[];
}

/** How the texts of a body are read. */
export interface TextReading {
  /** `all`: in a request, the turns before the last turn of the model are also judged. */
  readonly turns: 'new' | 'all';
  /** Whether members that the format does not document are judged. */
  readonly unknown: 'judge' | 'allow';
}

/** How texts are read if nothing else is specified. */
export const defaultReading: TextReading = { turns: 'new', unknown: 'judge' };

/** The settings of a gateway file that affect it. */
export interface ReadingSettings {
  readonly judged_turns?: TextReading['turns'];
  readonly unjudged_members?: TextReading['unknown'];
}

export const toReading = (settings: ReadingSettings): TextReading => ({
  turns: settings.judged_turns ?? defaultReading.turns,
  unknown: settings.unjudged_members ?? defaultReading.unknown,
});

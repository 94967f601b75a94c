/** A part of a text that should not be seen. `from` and `to` count UTF-16 units; `to` is exclusive. */
export interface Finding {
  /** The category, as the check's parameters spell it: `email`, `api-key`. */
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** Finds in time linear in the text, whoever wrote it. */
export type Detector = (text: string) => readonly Finding[];

/** Part of a text that should not be seen. `from` and `to` are UTF-16 offsets; `to` is exclusive. */
export interface Finding {
  /** The category, as in the check's parameters: `email`, `api-key`. */
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** Finds something in a text. Must take linear time, whatever the text. */
export type Detector = (text: string) => readonly Finding[];

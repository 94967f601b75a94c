/** A tag of a template, from its first brace at `start` to behind its last brace at `end`. */
export interface Tag {
  readonly kind: 'value' | 'section' | 'inverted' | 'close' | 'partial' | 'comment';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** What is wrong with a tag, and what to do. */
export interface Fault {
  readonly message: string;
  readonly hint: string;
}

/** A fault with its place in the text. */
export interface FaultAt extends Fault {
  readonly offset: number;
}

/** The cost of a pattern, measured before anything is compiled. */
export interface RegexCost {
  /** An upper bound of the steps in its program. Each costs some nanoseconds per character of a text. */
  readonly steps: number;
  /** The cost of compiling, in steps of about a microsecond and 180 bytes. Nested counts multiply. */
  readonly work: number;
}

/** The work that even the shortest pattern takes. */
const patternWork = 20;
/** The work of a Unicode class: a list of hundreds of ranges that are read and merged each time it is named. */
const unicodeClassWork = 100;
/** The work of a class of a few ranges inside another class. */
const namedClassWork = 1;
/** The factor for ignoring case. */
const foldingWork = 3;
/** How many characters take the time of a step if case is ignored, because a range is then folded character by character. */
const foldedPerStep = 50;
/**
 * How many characters are searched in the time of a step. A class that may contain a name is searched to the end of the pattern.
 */
const searchedPerStep = 1000;
/** The largest count. The engine refuses larger ones as soon as it meets one. */
const maxRepeats = 1001;
/** The first and last characters that have another case. A range that covers all of them is not folded. */
const firstFolded = 0x41;
const lastFolded = 0x1e943;

// Names are short. The limit avoids repeated searches for the end of a name that has none.
const groupStart = /\(\?(?:P?<[^>]{0,100}>|[a-zA-Z-]{0,20}[:)])/y;
const counts = /\{(\d+)(?:(,)(\d*))?\}/y;
const unicodeClass = /\\[pP](?:\{[^}]{0,100}\}|[^{])/uy;
const className = /\[:\^?\w{1,20}:\]/y;
const escaped = /\\(?:x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|([0-7]{1,3})|.)/suy;
const quoted = /\\Q(.*?)(?:\\E|$)/sy;
const ignoresCase = /\(\?[a-zA-Z]*i/;

/** The steps of a group, or of the whole pattern, that were read so far. */
interface Group {
  /** The steps of the finished alternatives, including those that join them. */
  over: number;
  /** The steps of this alternative, without its last piece. */
  before: number;
  /** The steps of the piece that a following operator would repeat; 0 if there is none. */
  last: number;
  /** The steps of the group itself. */
  readonly own: number;
}

const newGroup = (own: number): Group => ({ over: 0, before: 0, last: 0, own });

const alternative = ({ before, last }: Group): number => Math.max(before + last, 1);

const put = (group: Group, steps: number): void => {
  group.before += group.last;
  group.last = steps;
};

/** Returns the steps of a counted repetition, which the engine expands to copies and to steps that make some of them optional. */
const repeated = (steps: number, min: string, open: string | undefined, max: string | undefined): number => {
  const from = Math.min(Number(min), maxRepeats);
  if (open === undefined) return Math.max(from, 1) * steps;
  if (max === undefined || max === '') return Math.max(from, 1) * steps + 2;
  const to = Math.min(Number(max), maxRepeats);
  return Math.max(to, 1) * steps + Math.max(to - from, 0);
};

class CostReader {
  private readonly pattern: string;
  private readonly folds: boolean;
  private readonly groups: Group[] = [];
  private group = newGroup(0);
  private at = 0;
  private extra: number;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.folds = ignoresCase.test(pattern);
    this.extra = patternWork + pattern.length / 4;
  }

  read(): RegexCost {
    while (this.at < this.pattern.length) this.readPiece();
    while (this.groups.length > 0) this.close();
    // The program has an additional step at its beginning and at its end.
    const steps = this.group.over + alternative(this.group) + 2;
    return { steps, work: Math.ceil(steps + this.extra) };
  }

  private match(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.at;
    const found = form.exec(this.pattern);
    if (found !== null) this.at = form.lastIndex;
    return found;
  }

  private readPiece(): void {
    const { pattern, group } = this;
    switch (pattern[this.at]) {
      case '(':
        this.open();
        break;
      case ')':
        this.at += 1;
        this.close();
        break;
      case '|':
        this.at += 1;
        group.over += alternative(group) + 1;
        group.before = 0;
        group.last = 0;
        break;
      case '*':
      case '+':
      case '?':
        group.last += pattern[this.at] === '*' ? 2 : 1;
        this.at += 1;
        this.skipLazy();
        break;
      case '{':
        this.readCounts();
        break;
      case '[':
        put(group, 1);
        this.readClass();
        break;
      case '\\':
        this.readEscape();
        break;
      default:
        put(group, 1);
        this.at += (pattern.codePointAt(this.at) ?? 0) > 0xffff ? 2 : 1;
    }
  }

  private open(): void {
    const found = this.match(groupStart)?.[0];
    // Flags for the rest of the pattern are not a group.
    if (found?.endsWith(')')) return;
    if (found === undefined) this.at += 1;
    this.groups.push(this.group);
    this.group = newGroup(found?.endsWith(':') ? 0 : 2);
  }

  private close(): void {
    const { group } = this;
    const outer = this.groups.pop();
    if (outer === undefined) return;
    put(outer, group.over + alternative(group) + group.own);
    this.group = outer;
  }

  private readCounts(): void {
    const found = this.match(counts);
    if (found === null) {
      put(this.group, 1);
      this.at += 1;
      return;
    }
    const [, min = '', open, max] = found;
    this.group.last = repeated(this.group.last, min, open, max);
    this.skipLazy();
  }

  /** Lazy quantifiers cost no more. */
  private skipLazy(): void {
    if (this.pattern[this.at] === '?') this.at += 1;
  }

  private readEscape(): void {
    const text = this.match(quoted)?.[1];
    if (text !== undefined) {
      for (const _character of text) put(this.group, 1);
      return;
    }
    put(this.group, 1);
    if (this.match(unicodeClass) !== null) this.extra += this.classWork(unicodeClassWork);
    else if (this.match(escaped) === null) this.at += 1;
  }

  private readClass(): void {
    const { pattern } = this;
    this.at += pattern[this.at + 1] === '^' ? 2 : 1;
    let isFirst = true;
    while (this.at < pattern.length && (isFirst || pattern[this.at] !== ']')) {
      isFirst = false;
      if (this.match(className) !== null) {
        this.extra += this.classWork(namedClassWork);
        continue;
      }
      if (pattern.startsWith('[:', this.at)) this.extra += (pattern.length - this.at) / searchedPerStep;
      if (this.match(unicodeClass) !== null) this.extra += this.classWork(unicodeClassWork);
      else this.readRange();
    }
    this.at += 1;
  }

  private readRange(): void {
    const { pattern } = this;
    const from = this.readCharacter();
    if (pattern[this.at] !== '-' || pattern[this.at + 1] === ']') return;
    this.at += 1;
    const to = this.readCharacter();
    if (!this.folds || (from <= firstFolded && to >= lastFolded)) return;
    this.extra += Math.max(0, Math.min(to, lastFolded) - Math.max(from, firstFolded)) / foldedPerStep;
  }

  /** Reads the character of a class that begins here. */
  private readCharacter(): number {
    const found = this.match(escaped);
    if (found !== null) {
      const [, braced, hexadecimal, octal] = found;
      const digits = braced ?? hexadecimal;
      if (digits !== undefined) return Number.parseInt(digits, 16);
      if (octal !== undefined) return Number.parseInt(octal, 8);
      this.extra += this.classWork(namedClassWork);
      return 0;
    }
    const character = this.pattern.codePointAt(this.at) ?? 0;
    this.at += character > 0xffff ? 2 : 1;
    return character;
  }

  private classWork(work: number): number {
    return this.folds ? foldingWork * work : work;
  }
}

/**
 * Returns the upper bound of a pattern's cost, found in one pass. A pattern that the engine rejects has a cost as well: at least
 * that of the part before its error.
 */
export const regexCost = (pattern: string): RegexCost => new CostReader(pattern).read();

import { formatCount } from '../../../schema/text/format-count.ts';
import { printable } from '../../../schema/text/printable.ts';
import type { ReplayedLine } from './replay-line.ts';

/** So many are reported, each by itself. */
const maxReported = 20;

/** Reports the lines of a log that cannot be read: the first each by itself, and at the end how many more there are. */
export class UnreadableLines {
  readonly #write: (text: string) => void;
  #count = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  look(line: ReplayedLine): void {
    if (line.kind !== 'unreadable') return;
    this.#count += 1;
    if (this.#count <= maxReported) this.#write(`gw: ${printable(line.why)}\n`);
  }

  end(): void {
    const more = this.#count - maxReported;
    if (more > 0) this.#write(`gw: ${formatCount(more, 'more line')} cannot be read.\n`);
  }
}

/** A row that has a name for people beside its id. */
interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** Writes the line by which operators read of a row that cannot be read: what follows, and what they can do. */
export const unreadableLine = (noun: string, { id, name }: NamedRow, effect: string, advice: string): string =>
  `gw: The ${noun} ${JSON.stringify(name)} (${id}) in the store cannot be read, and ${effect}. ${advice}. If a later version of the gateway wrote it, use that version.\n`;

/** A row that has, besides its id, a name shown to people. */
interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** Returns the log line for a row that cannot be read: its consequence, and what operators can do. */
export const unreadableLine = (noun: string, { id, name }: NamedRow, effect: string, advice: string): string =>
  `gw: The ${noun} ${JSON.stringify(name)} (${id}) in the store cannot be read, and ${effect}. ${advice}. If a later version of the gateway wrote it, use that version.\n`;

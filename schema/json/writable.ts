/** A value that is being made: adding to an object takes less than joining it from others. */
export type Writable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

/** A value that is being built. Adding to an object is cheaper than joining it from others. */
export type Writable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

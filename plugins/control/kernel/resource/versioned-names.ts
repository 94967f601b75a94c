/** The members of records with versions in which a search of a list looks for its text. */
export const versionedNames: readonly string[] = ['name', 'slug'];

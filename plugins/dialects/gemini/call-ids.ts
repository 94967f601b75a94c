/** The name of a result whose call is not in the conversation; the format requires one. */
export const unknownFunction = 'unknown_function';

/**
 * Calls and their results, in the order they are read. Ids are optional in this format: a result without one belongs to the
 * first call of its name that has no result yet.
 */
export class CallIds {
  readonly #open: { readonly id: string; readonly name: string }[] = [];
  readonly #names = new Map<string, string>();
  #made = 0;

  call(id: string | undefined, name: string): string {
    const known = id ?? this.#make();
    this.#open.push({ id: known, name });
    this.#names.set(known, name);
    return known;
  }

  result(id: string | undefined, name: string): string {
    const at = this.#open.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
    const [call] = at === -1 ? [] : this.#open.splice(at, 1);
    return call?.id ?? id ?? this.#make();
  }

  /** The name of the latest call with this id. */
  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }

  #make(): string {
    const id = `gw-call-${this.#made}`;
    this.#made += 1;
    return id;
  }
}

/** Members that contain JSON as received. A number that is too large for JavaScript is infinite there and is written as null. */
const opaque: ReadonlySet<string> = new Set(['raw', 'extensions', 'value', 'schema', 'parameters', 'format', 'voice']);

interface Where {
  readonly path: string;
  readonly isOpaque: boolean;
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const expectNumber = (value: number, { path, isOpaque }: Where): void => {
  if (!Number.isFinite(value) && !(isOpaque && Math.abs(value) === Infinity)) throw new Error(`${path} is ${value}.`);
};

const expectMembers = (value: object, { path, isOpaque }: Where): void => {
  if (!isPlainObject(value)) throw new Error(`${path} has another prototype.`);
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) expectJson(member, { path: `${path}.${name}`, isOpaque: isOpaque || opaque.has(name) });
};

const expectJson = (value: unknown, where: Where): void => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') expectNumber(value, where);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) expectJson(item, { ...where, path: `${where.path}[${index}]` });
  else if (typeof value === 'object') expectMembers(value, where);
  else throw new Error(`${where.path} is ${typeof value}.`);
};

/**
 * Throws if a value is not JSON: a number that is not finite, a function that was found instead of a member, a list with holes,
 * or an object with a changed prototype. Members that are undefined count as absent.
 */
export const expectPlain = (value: unknown): void => expectJson(value, { path: 'the value', isOpaque: false });

/** Returns the value as its reader receives it after serialisation. */
export const overTheWire = <Value>(value: Value): Value => {
  expectJson(value, { path: 'the text', isOpaque: true });
  return JSON.parse(JSON.stringify(value)) as Value;
};

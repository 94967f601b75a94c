import type { Json } from '../../../../../schema/json/json.ts';
import type { Budget } from './budget.ts';
import type { Path } from './template.ts';

/** The items of the sections that are being rendered, the innermost first, and last the variables. */
export interface Scope {
  readonly item: Json;
  readonly outer?: Scope;
}

/** What a JSON value has by a name: a member, or an item of a list by its index. Nothing of a prototype. */
const findMember = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, name)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined;

const inScope = (scope: Scope, name: string, budget: Budget): Json | undefined => {
  for (let each: Scope | undefined = scope; each !== undefined; each = each.outer) {
    budget.step();
    const member = findMember(each.item, name);
    if (member !== undefined) return member;
  }
  return undefined;
};

/**
 * The value of a name: its first part is looked for from the innermost item outwards, the others only in what was found.
 * Undefined if there is none.
 */
export const lookUpPath = (path: Path, scope: Scope, budget: Budget): Json | undefined => {
  const [first, ...others] = path;
  if (first === undefined) return scope.item;
  let value = inScope(scope, first, budget);
  for (const name of others) {
    budget.step();
    value = findMember(value, name);
  }
  return value;
};

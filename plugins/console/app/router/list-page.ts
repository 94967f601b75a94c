import type { Paging } from '../api/pages.ts';
import { place, setQuery } from './router.ts';

/** The members of addresses with the number of a list's page; the first is 1, and absent. */
const members = ['page', 'budgets_page', 'rates_page'] as const;

/** Changes filters of a list in the address. The list starts at its first page again. */
export const setFilters = (changes: Readonly<Record<string, string | undefined>>): void =>
  setQuery({ page: undefined, ...changes });

/** Shows the first page of every list, as another workspace has other lists. */
export const showFirstPages = (): void => {
  if (members.some((member) => place.peek().query.has(member)))
    setQuery(Object.fromEntries(members.map((member) => [member, undefined])));
};

/** Returns the page of a list that the address names, so that links and the history lead to it. */
export const listPage = (member: (typeof members)[number] = 'page'): Paging => {
  const number = Number(place.value.query.get(member) ?? 1);
  return {
    page: Number.isSafeInteger(number) && number > 1 && number <= 1e7 ? number - 1 : 0,
    setPage: (page, { replace = false } = {}) =>
      setQuery({ [member]: page === 0 ? undefined : String(page + 1) }, { push: !replace }),
  };
};

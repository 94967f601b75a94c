import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { chosenText } from './records.ts';

/** The span of a request as its client names it. */
export interface NamedSpan {
  readonly id?: string;
  readonly parentId?: string;
  readonly name?: string;
}

const idForm = /^(?!0{16})[0-9a-f]{16}$/;

const findId = (headers: RawHeaders, name: string): string | undefined => {
  const text = headerValue(headers, name)?.toLowerCase();
  return text !== undefined && idForm.test(text) ? text : undefined;
};

/** Reads the headers about the span of a request. An id that no span can have, such as a UUID, is left out. */
export const findNamedSpan = (headers: RawHeaders): NamedSpan => {
  const [id, parentId] = [findId(headers, 'x-gw-span-id'), findId(headers, 'x-gw-parent-span-id')];
  const name = chosenText(headerValue(headers, 'x-gw-span-name') ?? '');
  return {
    ...(id !== undefined && { id }),
    ...(parentId !== undefined && { parentId }),
    ...(name !== '' && { name }),
  };
};

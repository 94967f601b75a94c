import { may, mayEdit } from '../api/session.ts';
import { texts } from '../texts/shell.ts';
import { Notice } from './states.tsx';

/** Names the scope that is missing if the session's key may change the records of a list, but not edit them. */
export const EditScopeNotice = ({ resource }: { readonly resource: string }) =>
  may(`${resource}.update`) && !mayEdit(resource) ? <Notice>{texts.editNeeds(`${resource}.read`)}</Notice> : null;

import { isUniform, weightedSum } from '../check-digits/digits.ts';
import type { NationalId } from './national-id.ts';

/** Returns a check digit from a weighted sum. 10 and 11 count as 0. */
const check = (values: readonly number[], weights: readonly number[]): number => {
  const rest = 11 - (weightedSum(values, weights) % 11);
  return rest > 9 ? 0 : rest;
};

/** Letters have values from 17 on. Numbers of companies may contain letters since 2026. */
const toValues = (text: string): readonly number[] => Array.from(text, (character) => character.charCodeAt(0) - 48);

const endsWithChecks = (text: string, weights: readonly number[]): boolean => {
  const values = toValues(text);
  const first = check(values.slice(0, -2), weights.slice(1));
  return first === values.at(-2) && check(values.slice(0, -1), weights) === values.at(-1);
};

/** https://pt.wikipedia.org/wiki/Cadastro_de_Pessoas_Físicas */
export const cpf: NationalId = {
  country: 'BR',
  name: 'CPF',
  form: /\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11}/,
  isValid: (text) => !isUniform(text) && endsWithChecks(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]),
  alone: 'separated',
  words: ['cpf', 'nº cpf', 'cadastro de pessoa'],
};

/** https://www.gov.br/receitafederal/pt-br/acesso-a-informacao/acoes-e-programas/programas-e-atividades/cnpj-alfanumerico */
export const cnpj: NationalId = {
  country: 'BR',
  name: 'CNPJ',
  form: /[A-Z0-9]{2}\.[A-Z0-9]{3}\.[A-Z0-9]{3}\/[A-Z0-9]{4}-\d{2}|[A-Z0-9]{12}\d{2}/,
  isValid: (text) => !isUniform(text) && endsWithChecks(text, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]),
  alone: 'separated',
  words: ['cnpj'],
};

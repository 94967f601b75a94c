import type { Detector } from '../search/finding.ts';
import { socialInsurance } from './at.ts';
import { medicareCard, taxFileNumber } from './au.ts';
import { nationalRegisterNumber } from './be.ts';
import { cnpj, cpf } from './br.ts';
import { socialInsuranceNumber } from './ca.ts';
import { ahvNumber } from './ch.ts';
import { residentIdentity } from './cn.ts';
import { identityCard, taxIdentification } from './de.ts';
import { cprNumber } from './dk.ts';
import { identityNumber as dni } from './es.ts';
import { personalIdentityCode } from './fi.ts';
import { socialSecurity } from './fr.ts';
import { nationalInsuranceNumber, nhsNumber } from './gb.ts';
import { aadhaar, permanentAccountNumber } from './in.ts';
import { taxCode } from './it.ts';
import { myNumber } from './jp.ts';
import { curp } from './mx.ts';
import { findNationalId, type NationalId } from './national-id.ts';
import { citizenServiceNumber } from './nl.ts';
import { birthNumber } from './no.ts';
import { pesel } from './pl.ts';
import { taxNumber } from './pt.ts';
import { personalNumber } from './se.ts';
import { registrationNumber } from './sg.ts';
import { identificationNumber } from './tr.ts';
import { socialSecurityNumber } from './us.ts';
import { identityNumber as southAfricanId } from './za.ts';

/** All known kinds of numbers, by country. */
export const nationalIds: readonly NationalId[] = [
  socialInsurance,
  taxFileNumber,
  medicareCard,
  nationalRegisterNumber,
  cpf,
  cnpj,
  socialInsuranceNumber,
  ahvNumber,
  residentIdentity,
  taxIdentification,
  identityCard,
  cprNumber,
  dni,
  personalIdentityCode,
  socialSecurity,
  nationalInsuranceNumber,
  nhsNumber,
  aadhaar,
  permanentAccountNumber,
  taxCode,
  myNumber,
  curp,
  citizenServiceNumber,
  birthNumber,
  pesel,
  taxNumber,
  personalNumber,
  registrationNumber,
  identificationNumber,
  socialSecurityNumber,
  southAfricanId,
];

/** Finds the numbers of some countries. */
export const findNationalIds = (countries: ReadonlySet<string>): readonly Detector[] =>
  nationalIds.filter(({ country }) => countries.has(country)).map(findNationalId);

import type { Saved } from '../../../../schema/config/saved.ts';
import type { SavedRef } from '../../../../schema/plan/plan.ts';
import type { SealedAt, SealedSecret } from '../secrets/seal.ts';

/** Secrets by the references that stand for them. */
export type SealedSecrets = ReadonlyMap<string, SealedSecret>;

/** Some of the records that configs can name, by slug and by id, and the secrets that they refer to. */
export type SavedParts<Part extends keyof Saved> = Pick<Saved, Part> & {
  readonly secrets: SealedSecrets;
};

export const byReference = (secrets: readonly SealedSecret[]): SealedSecrets =>
  new Map(secrets.map((secret) => [savedRef(secret.at), secret]));

/** Returns the reference to a secret of the store in `Saved`: `${saved:<table>/<id>/<field>}`. */
export const savedRef = ({ table, id, field }: Omit<SealedAt, 'tenant'>): SavedRef =>
  `\${saved:${table}/${id}/${field.replace(/[%{}]/g, encodeURIComponent)}}`;

/** Indexes values by slug and by id. Ids are added last, so that no slug can replace the id of another record. */
export const indexBySlugAndId = <Thing>(
  things: readonly { readonly id: string; readonly slug: string; readonly value: Thing }[],
): { readonly [name: string]: Thing } =>
  Object.fromEntries([
    ...things.map(({ slug, value }) => [slug, value] as const),
    ...things.map(({ id, value }) => [id, value] as const),
  ]);

/** A JSON text. */
export type JsonText = string;
/** Milliseconds since the epoch. */
export type Millis = number;
/** The limits that something has of its own, as JSON. */
export type OwnLimitsText = JsonText;
/** 0 or 1: neither database is asked for more. */
export type Flag = 0 | 1;

export interface Changing {
  created_at: Millis;
  updated_at: Millis;
}

import { z } from 'zod';

/** Text that says something: the API refuses `""` for an optional field as well. */
export const text = z.string().min(1);

export const texts = z.array(text).min(1);

export const flag = z.boolean();

/** A whole number within bounds, both included. */
export function whole(minimum: number, maximum: number) {
  return z.int().min(minimum).max(maximum);
}

/** An object with these keys only and at least one of them: the API refuses `{}` and unknown keys. */
export function group<S extends z.ZodRawShape>(shape: S) {
  return z
    .strictObject(shape)
    .refine((value) => Object.keys(value).length > 0, 'must not be empty, leave it out instead');
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4_OR_CIDR = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}(?:/(?:3[0-2]|[12]?\\d))?$`);

export const ipv4OrCidr = text.regex(
  IPV4_OR_CIDR,
  'must be an IPv4 address or an IPv4 CIDR, such as 203.0.113.7 or 203.0.113.0/24',
);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Of any version, in any case. */
export const uuid = z.string().regex(UUID, 'must be a UUID');

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

export function isHexId(value: string): boolean {
  return /^[0-9a-f]{24}$/i.test(value);
}
